"""The requests that ordinary programs send at their defaults: who signs in, and what helps the others (D35).

Each row was taken from the published program; `test_ordinary_programs.py` runs the programs themselves.
"""

from typing import Any, NamedTuple

import pytest

from tests.deployment import Deployment
from tests.oauth.standard import ask
from tests.sign_in.browsing import (
    CALLBACK,
    CHALLENGE,
    VERIFIER,
    Browser,
    answer_of,
    authorized,
    request_of,
    with_browser_application,
)

PKCE = {"code_challenge": CHALLENGE, "code_challenge_method": "S256"}
NONE = {"code_challenge": None, "code_challenge_method": None}
NONCE = {"nonce": "mmWV2prnIPqxzG1AhYOvC1nr4r1a2DW2"}
BARE = {"nonce": None}


class Shape(NamedTuple):
    """What a program sends, without state, client and redirect URI."""

    program: str
    request: dict[str, str | None]
    by_form: bool = False
    """Whether it sends its secret in the form of the token request, and not by HTTP Basic."""


SIGN_IN = (
    Shape("Spring Boot 3.5.7", {**NONE, **NONCE, "scope": "openid profile email"}),
    Shape("go-oidc 3.21.0", {**NONE, **NONCE, "scope": "openid profile email offline_access"}),
    Shape("openidconnect 4 of Rust", {**PKCE, **NONCE, "scope": "openid profile email offline_access"}),
    Shape("mozilla-django-oidc 5.0.2", {**NONE, **NONCE, "scope": "openid email profile"}, by_form=True),
    Shape("social-core 7.0.0", {**NONE, **NONCE, "scope": "openid profile email"}),
    Shape("flask-oidc 2.4.0", {**NONE, **NONCE, "scope": "openid email profile"}),
    Shape("hashicorp/cap 0.15.0", {**NONE, **NONCE, "scope": "openid profile email offline_access"}),
    Shape("openid_connect 1.2.0 of Ruby", {**NONE, **NONCE, "scope": "profile email offline_access openid"}),
    Shape(
        "requests-oauth2client 1.8.0", {**PKCE, **NONCE, "scope": "openid profile email offline_access"}, by_form=True
    ),
    Shape("Auth.js 0.12.3", {**PKCE, **BARE, "scope": "openid profile email", "state": None}),
)
"""Sign in at their defaults."""

OAUTH2_PROXY = {**BARE, "scope": "openid email profile", "approval_prompt": "force"}
REFUSED = (
    Shape("oauth2-proxy 7.15.4", {**NONE, **OAUTH2_PROXY}),
    Shape("django-allauth 65.21.1", {**NONE, **BARE, "scope": "openid profile email"}),
    Shape("passport-openidconnect 0.1.2", {**NONE, **BARE, "scope": "openid profile email"}, by_form=True),
    Shape("goth 1.82.0", {**NONE, **BARE, "scope": "profile email offline_access openid"}),
    Shape("zitadel/oidc 3.51.17", {**NONE, **BARE, "scope": "openid profile email offline_access"}),
    Shape("simple-oauth2 5.1.0", {**NONE, **BARE, "scope": "openid profile email"}),
)
"""Send neither PKCE nor a nonce at their defaults."""

SWITCHED = (
    Shape("django-allauth, OAUTH_PKCE_ENABLED", {**PKCE, **BARE, "scope": "openid profile email"}),
    Shape("mozilla-django-oidc, OIDC_USE_PKCE", {**PKCE, **NONCE, "scope": "openid email profile"}, by_form=True),
    Shape("oauth2-proxy, --code-challenge-method=S256", {**PKCE, **OAUTH2_PROXY}),
    Shape("social-core, SOCIAL_AUTH_OIDC_USE_PKCE", {**PKCE, **NONCE, "scope": "openid profile email"}),
    Shape("passport-openidconnect, nonce", {**NONE, **NONCE, "scope": "openid profile email"}, by_form=True),
    Shape("zitadel/oidc, rp.WithPKCE", {**PKCE, **BARE, "scope": "openid profile email offline_access"}),
    Shape("simple-oauth2, nonce", {**NONE, **NONCE, "scope": "openid profile email"}),
)
"""The same with their own switch."""


def name_of(shape: Shape) -> str:
    return shape.program


async def signs_in(deployment: Deployment, shape: Shape, **changes: Any) -> dict[str, Any]:
    """Send the request, sign in, redeem the code as the program does, and return the user information."""
    application = await with_browser_application(deployment, grants=("authorization_code", "refresh_token"), **changes)
    answer = answer_of(await authorized(Browser(deployment), application, **shape.request))
    fields = {"grant_type": "authorization_code", "code": answer["code"], "redirect_uri": CALLBACK}
    if shape.request.get("code_challenge"):
        fields["code_verifier"] = VERIFIER
    secret = {"client_id": application.client_id, "client_secret": deployment.secret}
    reply = await (ask(deployment, fields | secret, []) if shape.by_form else ask(deployment, fields))
    assert reply.status == 200, reply
    bearer = [("Authorization", f"Bearer {reply.json['access_token']}")]
    person: dict[str, Any] = (await deployment.send("GET", "/oauth2/v1/userinfo", bearer)).json
    return person


@pytest.mark.parametrize("shape", [*SIGN_IN, *SWITCHED], ids=name_of)
async def test_these_requests_sign_in_to_an_application_as_it_is_made(deployment: Deployment, shape: Shape) -> None:
    assert (await signs_in(deployment, shape))["email"] == "ada@example.com"


@pytest.mark.parametrize("shape", REFUSED, ids=name_of)
async def test_these_are_refused_in_words_and_sign_in_where_the_operator_allows_it(
    deployment: Deployment, shape: Shape
) -> None:
    application = await with_browser_application(deployment)
    answer = answer_of(await Browser(deployment).get(request_of(application, **shape.request)))
    assert answer["error"] == "invalid_request"
    assert {"PKCE", "nonce"} <= set(answer["error_description"].replace(":", "").split())
    assert (await signs_in(deployment, shape, pkce="off"))["email"] == "ada@example.com"
