"""What an attacker tries with codes, redirect URIs and requests; other files have the rest (RFC 9700 §4, threats E).

Replay and injection on two nodes: `test_nodes.py`. Stripped PKCE: `test_authorization_code.py`. Forged forms, frames and
referrers of the pages: `test_sessions.py`.
"""

from pathlib import Path
from urllib.parse import urlencode

import pytest

from credence.errors import InvalidInput
from credence.oauth.authorization.redirect_uris import check_redirect_uri
from tests.deployment import Deployment, OpenDeployment
from tests.oauth.standard import error
from tests.sign_in.browsing import (
    AUTHORIZE,
    CALLBACK,
    SIGN_OUT,
    VERIFIER,
    Browser,
    answer_of,
    authorized,
    challenge_of,
    redeem,
    request_of,
    with_browser_application,
)

INVALID_GRANT = (400, "invalid_grant")


@pytest.mark.parametrize(
    "uri",
    [
        "https://app.example.com/callback#token",
        "https://app.example.com\\@evil.example/callback",
        "https://user@app.example.com/callback",
        "https://user:secret@app.example.com/callback",
        "https://app.example.com/../callback",
        "https://app.example.com/a/%2e%2e/callback",
        "https://app.example.com/a/%2E%2E/callback",
        "https://app.example.com/a/.%2e/callback",
        "https://app.example.com/callback\r\nLocation: https://evil.example",
        "https://app.example.com/callback\t",
        "https://app.example.com/callback ",
        "https://äpp.example.com/callback",
        "https:///callback",
        "https://app.example.com:port/callback",
        "https://app.example.com/callback?code=injected",
        "https://app.example.com/callback?iss=https://evil.example",
        "//app.example.com/callback",
        "/callback",
        "javascript:alert(1)",
        "data:text/html,x",
        "http://app.example.com/callback",
        "http://localhost.evil.example/callback",
        "http://127.0.0.1.evil.example/callback",
        "http://127.0.0.1@evil.example/callback",
    ],
    ids=range(24),
)
@pytest.mark.parametrize("kind", ["web", "native"])
def test_an_address_that_could_lead_elsewhere_cannot_be_registered(uri: str, kind: str) -> None:
    """RFC 9700 §4.1.3, RFC 8252 §8.4."""
    with pytest.raises(InvalidInput):
        check_redirect_uri(uri, "web" if kind == "web" else "native")


@pytest.mark.parametrize(
    "uri",
    [
        f"{CALLBACK}%0d%0aLocation:%20https://evil.example",
        f"{CALLBACK}\r\nLocation: https://evil.example",
        f"{CALLBACK}/..",
        f"{CALLBACK}/%2e%2e/%2e%2e",
        f"{CALLBACK};/evil",
        f"{CALLBACK}\\evil",
        f"{CALLBACK}\x00",
        f" {CALLBACK}",
        f"{CALLBACK}?redirect=https://evil.example",
        "https://app.example.com\\.evil.example/callback",
        "https://app.example.com%2f@evil.example/callback",
        "https://app.example.com:443@evil.example/callback",
        "https://app。example.com/callback",
        "https://evil.example/?https://app.example.com/callback",
    ],
    ids=range(14),
)
async def test_an_address_like_the_registered_one_gets_no_redirect(deployment: Deployment, uri: str) -> None:
    """RFC 9700 §4.1: simple strings are compared, also with a person who is signed in and has consented."""
    application = await with_browser_application(deployment)
    browser = Browser(deployment)
    await authorized(browser, application)
    reply = await browser.get(request_of(application, redirect_uri=uri))
    assert reply.status == 400
    assert not reply.headers.keys() & {"location", "refresh"}


async def test_the_service_redirects_to_no_address_of_its_query(deployment: Deployment) -> None:
    """RFC 9700 §4.11.2: neither a faulty request nor a sign-out is an open redirector."""
    application = await with_browser_application(deployment)
    evil = "https://evil.example/"
    for target in (
        request_of(application, redirect_uri=evil, prompt="none"),
        request_of(application, redirect_uri=evil, response_type="token"),
        f"{AUTHORIZE}?{urlencode({'redirect_uri': evil})}",
        f"{SIGN_OUT}?{urlencode({'post_logout_redirect_uri': evil})}",
        f"{SIGN_OUT}?{urlencode({'post_logout_redirect_uri': evil, 'client_id': application.client_id})}",
        f"/oauth2/v1/sign-in?{urlencode({'next': evil})}",
    ):
        reply = await Browser(deployment).get(target)
        assert "evil.example" not in reply.headers.get("location", "") + reply.headers.get("refresh", "")


async def test_a_code_of_another_service_is_refused_and_its_answer_names_it(
    deployment: Deployment, open_deployment: OpenDeployment, tmp_path: Path
) -> None:
    """Mix-up (RFC 9700 §4.4, RFC 9207): the client compares `iss`, and a code is no code elsewhere."""
    other = await open_deployment(tmp_path / "other", base_url="https://other.example.com")
    application = await with_browser_application(other)
    answer = answer_of(await authorized(Browser(other), application))
    assert answer["iss"] == "https://other.example.com"
    await with_browser_application(deployment)
    assert error(await redeem(deployment, answer["code"])) == INVALID_GRANT
    assert (await redeem(other, answer["code"])).status == 200


async def test_a_stolen_code_is_useless_in_the_attackers_own_flow(deployment: Deployment) -> None:
    """Code injection (RFC 9700 §4.5): the client redeems with the verifier of the flow that it began."""
    application = await with_browser_application(deployment)
    stolen = answer_of(await authorized(Browser(deployment), application))["code"]
    attackers = "a" * 43
    own = answer_of(await authorized(Browser(deployment), application, code_challenge=challenge_of(attackers)))
    assert error(await redeem(deployment, stolen, code_verifier=attackers)) == INVALID_GRANT
    assert error(await redeem(deployment, own["code"], code_verifier=VERIFIER)) == INVALID_GRANT
    assert (await redeem(deployment, own["code"], code_verifier=attackers)).status == 200


@pytest.mark.parametrize(
    "change",
    [
        {"code_challenge": None, "code_challenge_method": None},
        {"code_challenge": None},
        {"code_challenge_method": None},
        {"code_challenge_method": "plain", "code_challenge": VERIFIER},
        {"code_challenge_method": "s256"},
        {"code_challenge": ""},
    ],
    ids=str,
)
async def test_pkce_cannot_be_weakened(deployment: Deployment, change: dict[str, str | None]) -> None:
    """RFC 9700 §4.8, RFC 7636 §7.2: also for a person whose consent stands, and in silence."""
    application = await with_browser_application(deployment, pkce="required")
    browser = Browser(deployment)
    await authorized(browser, application)
    for prompt in (None, "none"):
        answer = answer_of(await browser.get(request_of(application, prompt=prompt, **change)))
        assert answer["error"] == "invalid_request"
        assert "code" not in answer


async def test_no_answer_lets_the_browser_name_it_to_the_next_page(deployment: Deployment) -> None:
    """RFC 9700 §4.2.4: the code is in an address, which no later request may carry as a referrer."""
    application = await with_browser_application(deployment)
    browser = Browser(deployment)
    last = await authorized(browser, application)
    again = await browser.get(request_of(application))
    assert (last.status, again.status) == (200, 303)
    for reply in (last, again):
        assert reply.headers["referrer-policy"] == "no-referrer"
        assert reply.headers["cache-control"] == "no-store"
    assert b'rel="noreferrer"' in last.body
    assert b"<img" not in last.body
    assert b"http-equiv" not in last.body


@pytest.mark.parametrize(
    "change",
    [
        {"redirect_uris": (CALLBACK, "https://evil.example/callback")},
        {"authentication": "none", "secrets": ()},
        {"application_type": "native"},
    ],
    ids=str,
)
async def test_silence_is_no_way_around_consent(deployment: Deployment, change: dict[str, object]) -> None:
    """ASVS 10.7.3: neither after a change of the application nor for a further scope."""
    application = await with_browser_application(deployment)
    browser = Browser(deployment)
    await authorized(browser, application, scope="openid")
    more = await browser.get(request_of(application, scope="openid email", prompt="none"))
    assert answer_of(more)["error"] == "consent_required"
    by_claim = request_of(application, scope="openid", prompt="none", claims='{"userinfo":{"email":null}}')
    assert answer_of(await browser.get(by_claim))["error"] == "consent_required"
    changed = await with_browser_application(deployment, grants=("authorization_code",), **change)
    silent = await browser.get(request_of(changed, scope="openid", prompt="none"))
    assert answer_of(silent)["error"] == "consent_required"
