"""What is tried at /mcp beside the names of companies: other tokens, copied proofs, other bodies (threats A1, E5)."""

from urllib.parse import urlencode

import pytest

from tests.deployment import PASSWORD, TOKEN_PATH, Deployment
from tests.mcp.messages import fields, post, stateless, token
from tests.oauth.exchanging import exchange, service
from tests.oauth.proving import Key, Prover
from tests.sign_in.browsing import FORM

pytestmark = pytest.mark.settings(environment="sandbox")

CALL = stateless("tools/call", name="company_summary", arguments={"number": "99999999"})


def login_for_agents(deployment: Deployment) -> dict[str, str]:
    resource = f"{deployment.service.settings.issuer}/mcp"
    return {"grant_type": "password", "username": "ada", "password": PASSWORD, "resource": resource}


async def test_a_proof_opens_one_call_and_only_this_address(deployment: Deployment) -> None:
    prover = Prover(deployment, Key())
    access_token = (await prover.ask(login_for_agents(deployment))).json["access_token"]

    async def answered(proof: str, scheme: str = "DPoP") -> int:
        shown = [("Authorization", f"{scheme} {access_token}"), ("DPoP", proof)]
        return (await post(deployment, None, CALL, [*fields(CALL), *shown])).status

    proof = prover.proof("POST", "/mcp", access_token)
    assert [await answered(proof), await answered(proof)] == [200, 401]
    assert await answered(prover.proof("POST", "/mcp2", access_token)) == 401
    assert await answered(prover.proof("GET", "/mcp", access_token)) == 401
    assert await answered(Prover(deployment, Key()).proof("POST", "/mcp", access_token)) == 401
    assert await answered(prover.proof("POST", "/mcp", access_token), "Bearer") == 401


async def test_a_refresh_leads_to_no_other_resource_and_no_further_scope(deployment: Deployment) -> None:
    async def asked(**form: str) -> tuple[int, str]:
        body = urlencode(form).encode()
        reply = await deployment.send("POST", TOKEN_PATH, [FORM, deployment.basic], body)
        return reply.status, reply.json.get("error") or reply.json["refresh_token"]

    status, refresh_token = await asked(**login_for_agents(deployment), scope="credit:search offline_access")
    assert status == 200
    refresh = {"grant_type": "refresh_token", "refresh_token": refresh_token}
    assert await asked(**refresh, resource=deployment.service.settings.issuer) == (400, "invalid_target")
    assert await asked(**refresh, scope="credit:search credit:monitor") == (400, "invalid_scope")
    assert (await asked(**refresh))[0] == 200


async def test_a_token_of_an_agent_is_exchanged_for_none_of_the_credit_api(deployment: Deployment) -> None:
    gateway = await service(deployment)
    reply = await exchange(gateway, await token(deployment))
    assert (reply.status, reply.json["error"]) == (400, "invalid_request")


@pytest.mark.parametrize("media_type", ["text/plain", "application/x-www-form-urlencoded", "application/xml", ""])
async def test_a_body_of_another_type_is_not_read(deployment: Deployment, media_type: str) -> None:
    """A page can send text/plain to another origin without a preflight."""
    bearer = ("Authorization", f"Bearer {await token(deployment)}")
    reply = await deployment.send("POST", "/mcp", [("Content-Type", media_type), bearer, *fields(CALL)], b"{}")
    assert reply.status == 415


@pytest.mark.parametrize(
    "body",
    [
        b'{"jsonrpc":"2.0","id":' + b"9" * 4_000 + b',"method":"tools/list"}',
        b'{"jsonrpc":"2.0","id":"' + b"a" * 15_000 + b'","method":"ping"}',
        b'{"jsonrpc":"2.0","id":"\\ud800","method":"tools/list"}',
        b'{"jsonrpc":"2.0","id":1e999,"method":"tools/list"}',
        b'{"jsonrpc":"2.0","id":1,"method":"\\u0000"}',
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":{"$ne":1},"arguments":"__proto__"}}',
        b'{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":["credence://company/1"]}}',
        b'{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"credence://company/../../model-card"}}',
        b'{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"assess_a_supplier","arguments":[1]}}',
        b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":{"a":[]}}}',
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"decide","arguments":{"number":"99999999","policy":"../../../etc/passwd"}}}',
        b"\x00" * 100,
        b"[" * 16_000,
        b'"' * 16_000,
        b"\xef\xbb\xbf{}",
    ],
    ids=range(15),
)
async def test_no_message_is_an_internal_error(deployment: Deployment, body: bytes) -> None:
    """Each gets an error or a result with a sentence, in JSON, and is not repeated in full."""
    reply = await post(deployment, await token(deployment), body, [("MCP-Protocol-Version", "2025-11-25")])
    assert reply.status in (200, 400), reply
    assert "error" in reply.json or reply.json["result"].get("isError", True) or b"protocolVersion" in body
    assert b"Traceback" not in reply.body
