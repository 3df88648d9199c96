"""Django OAuth Toolkit on SQLite, as a peer of Credence in `python -m bench peers`.

Imported by gunicorn as `provider:application` with the variable PEER_FOLDER, and once before with PEER_PREPARE, which makes
the database. GET /renew opens new families and writes their tokens to `refresh-tokens` and `access-tokens`, one a line.
"""

import os
import secrets
from datetime import timedelta
from pathlib import Path

import django
from django.conf import settings

FAMILIES = 128
FOLDER = Path(os.environ["PEER_FOLDER"])
SCOPES = {"credit:report": "Reports", "credit:search": "Searches", "introspection": "Introspection"}

settings.configure(
    SECRET_KEY="of-the-benchmark",
    ALLOWED_HOSTS=["*"],
    ROOT_URLCONF=__name__,
    INSTALLED_APPS=["django.contrib.auth", "django.contrib.contenttypes", "oauth2_provider"],
    MIDDLEWARE=[],
    DATABASES={
        "default": {"ENGINE": "django.db.backends.sqlite3", "NAME": FOLDER / "peer.sqlite", "CONN_MAX_AGE": None}
    },
    DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
    USE_TZ=True,
    OAUTH2_PROVIDER={"SCOPES": SCOPES, "ROTATE_REFRESH_TOKEN": True, "ACCESS_TOKEN_EXPIRE_SECONDS": 10_800},
)
django.setup()

from django.contrib.auth.models import User  # noqa: E402 - Django must be set up first, for all below
from django.core.management import call_command  # noqa: E402
from django.core.wsgi import get_wsgi_application  # noqa: E402
from django.db import transaction  # noqa: E402
from django.http import HttpResponse  # noqa: E402
from django.urls import include, path  # noqa: E402
from django.utils import timezone  # noqa: E402
from oauth2_provider.models import AccessToken, Application, RefreshToken  # noqa: E402


@transaction.atomic  # one sync instead of 256
def renew(_request: object) -> HttpResponse:
    """Open new families and write their tokens."""
    user, bench = User.objects.get(), Application.objects.get(client_id="bench")
    refresh_tokens, access_tokens = [], []
    for _ in range(FAMILIES):
        access = AccessToken.objects.create(
            user=user,
            application=bench,
            token=secrets.token_urlsafe(30),
            expires=timezone.now() + timedelta(hours=3),
            scope=" ".join(SCOPES),
        )
        refresh = RefreshToken.objects.create(
            user=user, application=bench, token=secrets.token_urlsafe(30), access_token=access
        )
        access_tokens.append(access.token)
        refresh_tokens.append(refresh.token)
    for name, tokens in (("refresh-tokens", refresh_tokens), ("access-tokens", access_tokens[:50])):
        (FOLDER / name).write_text("".join(f"{token}\n" for token in tokens))
    return HttpResponse()


urlpatterns = [path("ready", lambda _: HttpResponse()), path("renew", renew), path("", include("oauth2_provider.urls"))]

application = get_wsgi_application()


def prepare() -> None:
    """Make the database with a person and two applications."""
    call_command("migrate", verbosity=0)
    user = User.objects.create(username="ada")
    common = {"client_secret": "a-secret-of-the-benchmark", "hash_client_secret": False, "client_type": "confidential"}
    Application.objects.create(client_id="bench", authorization_grant_type="password", user=user, **common)
    Application.objects.create(client_id="alone", authorization_grant_type="client-credentials", **common)


if os.environ.get("PEER_PREPARE"):
    prepare()
