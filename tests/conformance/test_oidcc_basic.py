"""OpenID Connect, plans Basic OP and Form Post Basic: each module of the OpenID Foundation's suite under its name.

The Form Post plan has the modules of Basic with `response_mode=form_post`, so each runs twice. `idtoken-signature` and
`request-uri-unsigned-…` are of the plan for dynamic clients.
"""

import re
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest

from tests.conformance.openid import Relying, relying
from tests.deployment import Deployment
from tests.oauth.proving import encoded
from tests.oauth.standard import ask, error
from tests.sign_in.browsing import AUTHORIZE, CALLBACK, CHALLENGE, VERIFIER, Browser

INVALID_GRANT = (400, "invalid_grant")
PROFILE = {"sub", "name", "given_name", "family_name", "preferred_username", "updated_at"}
"""The claims of the scope `profile` that an account has, with `sub`."""


@pytest.fixture(params=["query", "form_post"])
async def party(deployment: Deployment, request: pytest.FixtureRequest) -> Relying:
    return await relying(deployment, request.param)


async def test_oidcc_server(party: Relying) -> None:
    """Code of at least 96 bits, `nonce` and `state` back, ID token, not stored, report and user information."""
    answer = await party.authorize(nonce="n" * 43)
    assert answer.keys() == {"code", "state", "iss"}
    assert len(answer["code"].removeprefix("crd_sbx_cod_")) * 6 >= 128
    tokens = (await party.redeem(answer)).json
    assert (await party.claims(tokens["id_token"]))["nonce"] == "n" * 43
    assert "refresh_token" not in tokens
    assert (await party.user_info(tokens["access_token"]))["sub"] == "ada"


async def test_oidcc_response_type_missing(party: Relying) -> None:
    answer = await party.authorize(response_type=None)
    assert answer["error"] in {"invalid_request", "unsupported_response_type"}


async def test_oidcc_idtoken_signature(party: Relying) -> None:
    """`kid` in the header and in the published key; joserfc verifies."""
    assert await party.flow()


async def test_oidcc_userinfo_get(party: Relying) -> None:
    tokens = await party.tokens()
    assert (await party.user_info(tokens["access_token"]))["sub"] == (await party.claims(tokens["id_token"]))["sub"]


async def test_oidcc_userinfo_post_header(party: Relying) -> None:
    assert (await party.user_info((await party.tokens())["access_token"], "POST"))["sub"] == "ada"


async def test_oidcc_userinfo_post_body(party: Relying) -> None:
    body = urlencode({"access_token": (await party.tokens())["access_token"]}).encode()
    assert (await party.user_info("", "POST", body))["sub"] == "ada"


async def test_oidcc_ensure_request_without_nonce_succeeds_for_code_flow(party: Relying) -> None:
    """The suite's request has neither nonce nor PKCE (D35: `--pkce off`)."""
    assert "nonce" not in await party.flow(nonce=None)


async def test_oidcc_scope_profile(party: Relying) -> None:
    tokens = await party.tokens(scope="openid profile")
    found = await party.user_info(tokens["access_token"])
    assert (found["given_name"], found["family_name"], found["name"]) == ("Ada", "Lovelace", "Ada Lovelace")
    assert found.keys() == PROFILE
    assert not {"name", "given_name"} & (await party.claims(tokens["id_token"])).keys()


async def test_oidcc_scope_email(party: Relying) -> None:
    """EnsureIdTokenDoesNotContainEmailForScopeEmail: it belongs to the user information (Core §5.4)."""
    tokens = await party.tokens(scope="openid email")
    found = await party.user_info(tokens["access_token"])
    assert found == {"sub": "ada", "email": "ada@example.com", "email_verified": False}
    assert not {"email", "name"} & (await party.claims(tokens["id_token"])).keys()


async def test_oidcc_scope_all(party: Relying) -> None:
    tokens = await party.tokens(scope="openid profile email")
    assert (await party.user_info(tokens["access_token"])).keys() == PROFILE | {"email", "email_verified"}


async def test_oidcc_alternate_happy_flow(party: Relying) -> None:
    """The scopes and the parameters in another order."""
    target, _, query = party.request(scope="email openid").partition("?")
    page = await party.through_pages(await party.browser.get(f"{target}?{'&'.join(reversed(query.split('&')))}"))
    tokens = (await party.redeem(party.answered(page))).json
    found = await party.user_info(tokens["access_token"])
    assert found.keys() == {"sub", "email", "email_verified"}
    assert not {"email", "name"} & (await party.claims(tokens["id_token"])).keys()


@pytest.mark.parametrize("display", ["page"])
async def test_oidcc_display_page(party: Relying, display: str) -> None:
    assert await party.flow(display=display)


@pytest.mark.parametrize("display", ["popup"])
async def test_oidcc_display_popup(party: Relying, display: str) -> None:
    assert await party.flow(display=display)


async def test_oidcc_prompt_login(party: Relying) -> None:
    first = await party.flow()
    party.deployment.now += 2_000
    page = await party.browser.get(party.request(prompt="login"))
    assert b'name="username"' in page.body
    second = await party.flow(prompt="login")
    assert second["auth_time"] > first["auth_time"]


async def test_oidcc_prompt_none_not_logged_in(party: Relying) -> None:
    assert (await party.authorize(prompt="none"))["error"] == "login_required"


async def test_oidcc_prompt_none_logged_in(party: Relying) -> None:
    first = await party.flow()
    party.deployment.now += 2_000
    answer = party.answered(await party.browser.get(party.request(prompt="none")))
    second = await party.claims((await party.redeem(answer)).json["id_token"])
    assert (second["sub"], second["auth_time"]) == (first["sub"], first["auth_time"])


async def test_oidcc_max_age_1(party: Relying) -> None:
    first = await party.flow()
    party.deployment.now += 2_000
    page = await party.browser.get(party.request(max_age="1"))
    assert b'name="username"' in page.body
    second = await party.flow(max_age="1")
    assert first["auth_time"] < second["auth_time"] <= party.deployment.now // 1_000


async def test_oidcc_max_age_10000(party: Relying) -> None:
    first = await party.flow(max_age="15000")
    party.deployment.now += 2_000
    answer = party.answered(await party.browser.get(party.request(max_age="10000")))
    second = await party.claims((await party.redeem(answer)).json["id_token"])
    assert (second["sub"], second["auth_time"]) == (first["sub"], first["auth_time"])


async def test_oidcc_ensure_request_with_unknown_parameter_succeeds(party: Relying) -> None:
    assert await party.flow(extra="foobar")


async def test_oidcc_id_token_hint(party: Relying) -> None:
    tokens = await party.tokens()
    party.deployment.now += 2_000
    request = party.request(prompt="none", id_token_hint=tokens["id_token"])
    answer = party.answered(await party.browser.get(request))
    first, second = [
        await party.claims(each) for each in (tokens["id_token"], (await party.redeem(answer)).json["id_token"])
    ]
    assert (second["sub"], second["auth_time"]) == (first["sub"], first["auth_time"])


async def test_oidcc_login_hint(party: Relying) -> None:
    page = await party.browser.get(party.request(login_hint="ada"))
    assert b'value="ada"' in page.body
    assert await party.flow(login_hint="ada")


async def test_oidcc_ui_locales(party: Relying) -> None:
    assert await party.flow(ui_locales="se")


async def test_oidcc_claims_locales(party: Relying) -> None:
    assert await party.flow(claims_locales="se")


async def test_oidcc_ensure_request_with_acr_values_succeeds(party: Relying) -> None:
    assert (await party.flow(acr_values="1 2"))["acr"] == "1"


async def reused(party: Relying, seconds: int) -> None:
    answer = await party.authorize(scope="openid credit:report")
    token = (await party.redeem(answer)).json["access_token"]
    party.deployment.now += seconds * 1_000
    assert error(await party.redeem(answer)) == INVALID_GRANT
    assert (await party.deployment.report(token)).status == 401


async def test_oidcc_codereuse(party: Relying) -> None:
    await reused(party, 0)


async def test_oidcc_codereuse_30seconds(party: Relying) -> None:
    await reused(party, 30)


async def test_oidcc_ensure_registered_redirect_uri(party: Relying) -> None:
    page = await party.browser.get(party.request(redirect_uri=f"{CALLBACK}/other"))
    assert page.status == 400
    assert not page.headers.keys() & {"location", "refresh"}
    assert b"<form" not in page.body


async def test_oidcc_ensure_post_request_succeeds(party: Relying) -> None:
    fields = parse_qsl(urlsplit(party.request()).query)
    moved = await party.browser.post(AUTHORIZE, fields, follow=False)
    assert moved.status == 303
    page = await party.through_pages(await party.browser.get(moved.headers["location"]))
    assert (await party.redeem(party.answered(page))).status == 200


async def test_oidcc_server_client_secret_post(party: Relying) -> None:
    await party.deployment.change_application(authentication="client_secret_post")
    answer = await party.authorize()
    fields = {"grant_type": "authorization_code", "code": answer["code"], "redirect_uri": CALLBACK}
    secret = {"client_id": party.application.client_id, "client_secret": party.deployment.secret}
    assert (await ask(party.deployment, fields | secret, [])).status == 200


async def test_oidcc_request_uri_unsigned_supported_correctly_or_rejected_as_unsupported(party: Relying) -> None:
    answer = await party.authorize(request_uri="https://suite.example.com/requesturi.jwt")
    assert answer["error"] == "request_uri_not_supported"


def unsigned(party: Relying, **claims: Any) -> str:
    return f"{encoded({'alg': 'none'})}.{encoded({'client_id': party.application.client_id, **claims})}."


async def test_oidcc_unsigned_request_object_supported_correctly_or_rejected_as_unsupported(party: Relying) -> None:
    page = await party.browser.get(party.request(request=unsigned(party, response_type="code", nonce="other")))
    answer = party.answered(page, by_default_mode=True)
    assert answer["error"] in {"request_not_supported", "invalid_request_object"}


async def test_oidcc_ensure_request_object_with_redirect_uri(party: Relying) -> None:
    """The redirect URI of an object that is not taken is not used either."""
    page = await party.browser.get(party.request(request=unsigned(party, redirect_uri="https://evil.example/callback")))
    answer = party.answered(page, by_default_mode=True)
    assert answer["error"] in {"request_not_supported", "invalid_request_object"}


async def test_oidcc_claims_essential(party: Relying) -> None:
    tokens = await party.tokens(claims='{"userinfo":{"name":{"essential":true}}}')
    assert (await party.user_info(tokens["access_token"]))["name"] == "Ada Lovelace"
    assert "name" not in await party.claims(tokens["id_token"])


async def test_oidcc_refresh_token(party: Relying) -> None:
    tokens = await party.tokens(scope="openid offline_access", prompt="consent")
    assert re.fullmatch(r"[\x20-\x7e]+", tokens["refresh_token"])  # RFC 6749 appendix A.17
    party.deployment.now += 1_000
    fields = {"grant_type": "refresh_token", "refresh_token": tokens["refresh_token"]}
    refreshed = (await ask(party.deployment, fields)).json
    first, second = await party.claims(tokens["id_token"]), await party.claims(refreshed["id_token"])
    assert [first[name] for name in ("iss", "sub", "aud", "auth_time")] == [
        second[name] for name in ("iss", "sub", "aud", "auth_time")
    ]
    assert second["iat"] > first["iat"]
    other = await relying(await party.deployment.another_application(), party.mode)
    assert error(await ask(other.deployment, fields)) == INVALID_GRANT
    assert (await party.user_info(refreshed["access_token"]))["sub"] == "ada"


async def test_oidcc_ensure_request_with_valid_pkce_succeeds(party: Relying) -> None:
    answer = await party.authorize(code_challenge=CHALLENGE, code_challenge_method="S256")
    assert (await party.redeem(answer, code_verifier=VERIFIER)).status == 200


async def test_a_page_of_form_post_sends_itself_and_has_a_button_without_script(deployment: Deployment) -> None:
    """Form Post Response Mode §2, by what the suite's browser runs: one form to the client, one script that sends it."""
    party = await relying(deployment, "form_post")
    page = await party.through_pages(await Browser(deployment).get(party.request(prompt="none")))
    assert page.body.count(b"<form") == 1
    assert re.findall(rb"<script>(.*?)</script>", page.body) == [b"document.forms[0].submit()"]
    assert "script-src 'sha256-" in page.headers["content-security-policy"]
