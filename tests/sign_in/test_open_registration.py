"""Registration without an invitation: kept for a day, stored when a person allows it (RFC 7591, threats A12)."""

from typing import Any
from urllib.parse import urlencode

import pytest

from credence.ratelimit.limiter import REGISTRATIONS_PER_MINUTE
from tests.deployment import TOKEN_PATH, Deployment, Reply
from tests.oauth.registering import send
from tests.sign_in.browsing import CALLBACK, FORM, VERIFIER, Browser, answer_of, request_of

REGISTER = "/oauth2/v1/register"
HOUR = 3_600_000
METADATA = {
    "client_name": "Ledger",
    "redirect_uris": [CALLBACK, "http://localhost:41234/callback", "cursor://anysphere.cursor-retrieval/callback"],
    "grant_types": ["authorization_code", "refresh_token"],
    "response_types": ["code"],
    "token_endpoint_auth_method": "none",
}

pytestmark = pytest.mark.settings(registration=True, open_registration=True)


async def register(deployment: Deployment, **changes: Any) -> Reply:
    return await send(deployment, "POST", REGISTER, None, {**METADATA, **changes})


async def asked(deployment: Deployment, client_id: str, **more: str | None) -> str:
    return request_of(deployment.application, **{"client_id": client_id, "scope": "credit:report", **more})


async def test_a_client_registers_itself_and_gets_tokens_once_a_person_allowed_it(deployment: Deployment) -> None:
    reply = await register(deployment)
    assert reply.status == 201, reply
    assert {"registration_access_token", "registration_client_uri", "client_secret"}.isdisjoint(reply.json)
    assert reply.json["application_type"] == "native"
    client_id = reply.json["client_id"]
    assert await deployment.store.application(client_id) is None
    browser = Browser(deployment)
    consent = await browser.sign_in(await browser.get(await asked(deployment, client_id)))
    for text in ("“Ledger”", "app.example.com", "registered itself", "has not checked its name or who runs it"):
        assert text in consent.body.decode(), text
    code = answer_of(await browser.submit(consent, decision="allow"))["code"]
    fields = {
        "grant_type": "authorization_code",
        "client_id": client_id,
        "code": code,
        "redirect_uri": CALLBACK,
        "code_verifier": VERIFIER,
    }
    tokens = await deployment.send("POST", TOKEN_PATH, [FORM], urlencode(fields).encode())
    assert tokens.status == 200, tokens
    deployment.now += 1_000
    assert b'name="decision"' in (await browser.get(await asked(deployment, client_id))).body


async def test_a_registration_that_no_person_allows_is_forgotten_after_a_day(deployment: Deployment) -> None:
    client_id = (await register(deployment)).json["client_id"]
    assert (await Browser(deployment).get(await asked(deployment, client_id))).status == 200
    deployment.now += 24 * HOUR
    assert (await Browser(deployment).get(await asked(deployment, client_id))).status == 400
    assert await deployment.store.applications() == [deployment.application]


@pytest.mark.each_node
async def test_one_address_registers_five_in_a_minute(deployment: Deployment) -> None:
    replies = [await register(deployment) for _ in range(REGISTRATIONS_PER_MINUTE + 1)]
    assert [each.status for each in replies] == [201] * REGISTRATIONS_PER_MINUTE + [429]
    last = replies[-1]
    assert last.headers["x-reason"] == "spike.registration"
    assert int(last.headers["retry-after"]) > 0
    assert "too many" in last.json["error_description"]


@pytest.mark.each_node
@pytest.mark.settings(spike_address_per_minute=1, spike_address_burst=1)
async def test_every_registration_over_the_rate_of_an_address_is_429(deployment: Deployment) -> None:
    """A program that reads 401 as a lasting refusal gives up; one that reads 429 waits (RFC 6585 §4)."""
    assert (await register(deployment)).status == 201
    read = await deployment.send("GET", f"{REGISTER}/unknown", [("Authorization", "Bearer crd_sbx_reg_wrong")])
    for reply in (await register(deployment), read):
        assert (reply.status, "retry-after" in reply.headers) == (429, True)


async def test_a_stranger_gets_no_grant_without_a_person_and_no_calls(deployment: Deployment) -> None:
    refused = await register(deployment, grant_types=["client_credentials"])
    assert (refused.status, refused.json["error"]) == (400, "invalid_client_metadata")
    made = await register(
        deployment,
        backchannel_logout_uri="https://app.example.com/bye",
        policy_uri="https://app.example.com/",
        id_token_signed_response_alg="EdDSA",
    )
    assert {"backchannel_logout_uri", "policy_uri"}.isdisjoint(made.json)
    assert made.json["id_token_signed_response_alg"] == "RS256"


async def test_redirect_uris_of_real_clients(deployment: Deployment) -> None:
    """claude-code#90370, VS Code and Cursor: loopback with any port, a scheme of one word, letter for letter."""
    made = await register(
        deployment,
        redirect_uris=[
            "http://127.0.0.1:33418",
            "http://localhost/callback",
            "https://vscode.dev/redirect",
            "cursor://anysphere.cursor-retrieval/oauth/user-agent/callback",
        ],
    )
    for uri, status in (
        ("http://127.0.0.1:33418", 200),
        ("http://127.0.0.1:50001", 200),
        ("http://127.0.0.1:33418/", 400),
        ("http://localhost:50001/callback", 200),
        ("http://[::1]:50001/callback", 400),
        ("http://localhost:50001/callback?x=1", 400),
        ("https://vscode.dev/redirect", 200),
        ("https://vscode.dev:8443/redirect", 400),
        ("https://vscode.dev.example.com/redirect", 400),
        ("cursor://anysphere.cursor-retrieval/oauth/user-agent/callback", 200),
        ("cursor://another/oauth/user-agent/callback", 400),
    ):
        page = await Browser(deployment).get(await asked(deployment, made.json["client_id"], redirect_uri=uri))
        assert page.status == status, uri


@pytest.mark.parametrize("scheme", ["javascript", "data", "file", "mailto", "about", "vbscript", "blob", "ftp"])
async def test_a_scheme_of_the_browser_is_no_redirect_uri(deployment: Deployment, scheme: str) -> None:
    refused = await register(deployment, redirect_uris=[f"{scheme}://app/callback"], application_type="native")
    assert (refused.status, refused.json["error"]) == (400, "invalid_redirect_uri")


@pytest.mark.settings(registration=True, open_registration=False)
async def test_it_is_off_by_default(deployment: Deployment) -> None:
    assert (await register(deployment)).status == 401
