"""A Django project that signs people in with django-allauth or with mozilla-django-oidc, at their defaults.

Variables: WITH (`allauth` or `mozilla`), PORT, ISSUER, CLIENT_ID, CLIENT_SECRET, and SWITCH=on for the program's own PKCE.
"""

import os
import sys
from typing import Any

import django
from django.conf import settings
from django.core.management import execute_from_command_line
from django.http import HttpRequest, HttpResponse
from django.urls import include, path

ISSUER, ALLAUTH, SWITCH = os.environ["ISSUER"], os.environ["WITH"] == "allauth", os.environ.get("SWITCH") == "on"

OF_ALLAUTH: dict[str, Any] = {
    "AUTHENTICATION_BACKENDS": ["allauth.account.auth_backends.AuthenticationBackend"],
    "SOCIALACCOUNT_PROVIDERS": {
        "openid_connect": {
            "APPS": [
                {
                    "provider_id": "credence",
                    "name": "Credence",
                    "client_id": os.environ["CLIENT_ID"],
                    "secret": os.environ["CLIENT_SECRET"],
                    "settings": {"server_url": ISSUER},
                }
            ],
            **({"OAUTH_PKCE_ENABLED": True} if SWITCH else {}),
        }
    },
}
OF_MOZILLA: dict[str, Any] = {
    "AUTHENTICATION_BACKENDS": ["mozilla_django_oidc.auth.OIDCAuthenticationBackend"],
    "OIDC_RP_CLIENT_ID": os.environ["CLIENT_ID"],
    "OIDC_RP_CLIENT_SECRET": os.environ["CLIENT_SECRET"],
    "OIDC_RP_SIGN_ALGO": "RS256",
    "OIDC_OP_AUTHORIZATION_ENDPOINT": f"{ISSUER}/oauth2/v1/authorize",
    "OIDC_OP_TOKEN_ENDPOINT": f"{ISSUER}/oauth2/v1/token",
    "OIDC_OP_USER_ENDPOINT": f"{ISSUER}/oauth2/v1/userinfo",
    "OIDC_OP_JWKS_ENDPOINT": f"{ISSUER}/oauth2/v1/keys",
    "OIDC_RP_SCOPES": "openid email profile",
    **({"OIDC_USE_PKCE": True} if SWITCH else {}),
}
APPS = ["allauth", "allauth.account", "allauth.socialaccount", "allauth.socialaccount.providers.openid_connect"]

settings.configure(
    SECRET_KEY="for-tests-only",
    ROOT_URLCONF=__name__,
    ALLOWED_HOSTS=["*"],
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": os.environ["DATABASE"]}},
    INSTALLED_APPS=[
        "django.contrib.auth",
        "django.contrib.contenttypes",
        "django.contrib.sessions",
        "django.contrib.messages",
        *(APPS if ALLAUTH else ["mozilla_django_oidc"]),
    ],
    MIDDLEWARE=[
        "django.contrib.sessions.middleware.SessionMiddleware",
        "django.middleware.csrf.CsrfViewMiddleware",
        "django.contrib.auth.middleware.AuthenticationMiddleware",
        "django.contrib.messages.middleware.MessageMiddleware",
        *(["allauth.account.middleware.AccountMiddleware"] if ALLAUTH else []),
    ],
    TEMPLATES=[
        {
            "BACKEND": "django.template.backends.django.DjangoTemplates",
            "APP_DIRS": True,
            "OPTIONS": {
                "context_processors": [
                    "django.template.context_processors.request",
                    "django.contrib.auth.context_processors.auth",
                    "django.contrib.messages.context_processors.messages",
                ]
            },
        }
    ],
    DEFAULT_AUTO_FIELD="django.db.models.AutoField",
    EMAIL_BACKEND="django.core.mail.backends.dummy.EmailBackend",
    LOGIN_REDIRECT_URL="/",
    LOGOUT_REDIRECT_URL="/",
    **(OF_ALLAUTH if ALLAUTH else OF_MOZILLA),
)
django.setup()


def home(request: HttpRequest) -> HttpResponse:
    if request.user.is_authenticated:
        return HttpResponse(f"Signed in as {request.user.email}")
    return HttpResponse("Signed out")


urlpatterns = [
    path("", home),
    path("accounts/", include("allauth.urls")) if ALLAUTH else path("oidc/", include("mozilla_django_oidc.urls")),
]

if __name__ == "__main__":
    execute_from_command_line(["program", "migrate", "--verbosity", "0"])
    sys.argv = ["program", "runserver", "--noreload", "--insecure", f"127.0.0.1:{os.environ['PORT']}"]
    execute_from_command_line(["program", "runserver", "--noreload", f"localhost:{os.environ['PORT']}"])
