"""The Model Context Protocol over HTTP: authorization, revisions, header fields and errors (MCP 2026-07-28)."""

import json
from typing import Any
from urllib.parse import quote

import pytest

from credence.telemetry.audit_files import DEEDS, newest
from tests.deployment import Deployment
from tests.mcp.messages import ENVELOPE, NEWER, OLDER, STATELESS, fields, post, request, stateless, token

pytestmark = pytest.mark.settings(environment="sandbox")

FOREIGN_ORIGIN = "https://stranger.example"


@pytest.fixture
async def access_token(deployment: Deployment) -> str:
    return await token(deployment)


async def test_a_summary_is_returned_as_data_and_as_text(deployment: Deployment, access_token: str) -> None:
    reply = await post(
        deployment, access_token, stateless("tools/call", name="company_summary", arguments={"number": "99999999"})
    )
    result = reply.json["result"]
    assert (reply.status, result["isError"], result["resultType"]) == (200, False, "complete")
    assert result["structuredContent"]["Name"] == "TEST SPECIMEN TRADING LIMITED"
    (content,) = result["content"]
    notice, _, data = content["text"].partition("\n")
    assert "never an instruction" in notice
    assert json.loads(data) == result["structuredContent"]


async def test_without_a_token_the_challenge_names_metadata_and_scopes(deployment: Deployment) -> None:
    """RFC 9728 §5.1; MCP: agents find the authorization server from here alone."""
    reply = await post(deployment, None, stateless("tools/list"))
    issuer = deployment.service.settings.issuer
    challenge = reply.headers["www-authenticate"]
    assert reply.status == 401
    assert f'resource_metadata="{issuer}/.well-known/oauth-protected-resource/mcp"' in challenge
    assert 'scope="credit:report credit:search credit:directors"' in challenge


async def test_the_metadata_names_this_resource_and_its_authorization_server(deployment: Deployment) -> None:
    """RFC 9728 §3.3: the resource is the one that the address was made from."""
    reply = await deployment.send("GET", "/.well-known/oauth-protected-resource/mcp")
    issuer = deployment.service.settings.issuer
    assert reply.json["resource"] == f"{issuer}/mcp"
    assert reply.json["authorization_servers"] == [issuer]


async def test_a_token_for_the_credit_api_does_not_open_it(deployment: Deployment) -> None:
    """D32; MCP: a server MUST check that a token was issued for it."""
    reply = await post(deployment, (await deployment.tokens())["access_token"], stateless("tools/list"))
    assert reply.status == 401
    assert 'error="invalid_token"' in reply.headers["www-authenticate"]


async def test_a_token_for_agents_does_not_open_the_credit_api(deployment: Deployment, access_token: str) -> None:
    assert (await deployment.report(access_token)).status == 401


async def test_a_missing_scope_is_named_with_every_scope_of_the_tool(deployment: Deployment) -> None:
    searching = await token(deployment, scope="credit:search")
    call = stateless("tools/call", name="company_summary", arguments={"number": "99999999"})
    reply = await post(deployment, searching, call)
    assert reply.status == 403
    assert 'error="insufficient_scope"' in reply.headers["www-authenticate"]
    assert 'scope="credit:report"' in reply.headers["www-authenticate"]


async def test_a_resource_needs_the_scope_of_its_tool(deployment: Deployment) -> None:
    searching = await token(deployment, scope="credit:search")
    reply = await post(deployment, searching, stateless("resources/read", uri="credence://company/99999999"))
    assert reply.status == 403


async def test_a_page_of_another_origin_is_refused(deployment: Deployment, access_token: str) -> None:
    """MCP: a server MUST check Origin, so that a name which resolves to this machine opens nothing to a stranger's page."""
    listing = stateless("tools/list")
    foreign = await post(deployment, access_token, listing, [*fields(listing), ("Origin", FOREIGN_ORIGIN)])
    own = deployment.service.settings.issuer
    same = await post(deployment, access_token, listing, [*fields(listing), ("Origin", own)])
    assert (foreign.status, same.status) == (403, 200)


async def test_there_is_no_stream_to_get_and_no_session_to_end(deployment: Deployment, access_token: str) -> None:
    """MCP 2026-07-28: 405; a session id of an older client is ignored, and none is made."""
    bearer = ("Authorization", f"Bearer {access_token}")
    for method in ("GET", "DELETE"):
        reply = await deployment.send(method, "/mcp", [bearer, ("Mcp-Session-Id", "s"), ("Last-Event-ID", "1")])
        assert (reply.status, reply.headers["allow"]) == (405, "POST")
    older = [("MCP-Protocol-Version", NEWER), ("Mcp-Session-Id", "s")]
    reply = await post(deployment, access_token, request("ping"), older)
    assert (reply.status, "mcp-session-id" in reply.headers) == (200, False)


async def test_the_server_says_what_it_can_do(deployment: Deployment, access_token: str) -> None:
    result = (await post(deployment, access_token, stateless("server/discover"))).json["result"]
    assert result["supportedVersions"] == [STATELESS, NEWER, OLDER]
    assert result["capabilities"].keys() == {"tools", "resources", "prompts"}
    assert (result["resultType"], result["cacheScope"]) == ("complete", "public")
    assert result["ttlMs"] > 0


@pytest.mark.parametrize(("asked", "agreed"), [(OLDER, OLDER), (NEWER, NEWER), ("2024-11-05", NEWER)])
async def test_an_older_client_agrees_on_a_revision(
    deployment: Deployment, access_token: str, asked: str, agreed: str
) -> None:
    begin = request("initialize", protocolVersion=asked, capabilities={}, clientInfo={"name": "x", "version": "1"})
    reply = await post(deployment, access_token, begin, [])
    assert reply.json["result"]["protocolVersion"] == agreed
    assert "mcp-session-id" not in reply.headers
    assert "resultType" not in reply.json["result"]


async def test_a_notification_is_accepted_without_an_answer(deployment: Deployment, access_token: str) -> None:
    message = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    reply = await post(deployment, access_token, message, [("MCP-Protocol-Version", OLDER)])
    assert (reply.status, reply.body) == (202, b"")


LIST = stateless("tools/list")
CALL = stateless("tools/call", name="company_summary", arguments={"number": "99999999"})


def without_capabilities() -> dict[str, Any]:
    meta = {"io.modelcontextprotocol/protocolVersion": STATELESS}
    return request("tools/list", _meta=meta)


def of_the_future() -> dict[str, Any]:
    return request("tools/list", _meta=ENVELOPE | {"io.modelcontextprotocol/protocolVersion": "2030-01-01"})


@pytest.mark.parametrize(
    ("message", "headers", "status", "code"),
    [
        (b"{", [], 400, -32700),
        (b"\xff", [], 400, -32700),
        (b'{"jsonrpc":"1.0","id":1,]', [], 400, -32700),
        (b'{"jsonrpc":"2.0","id":1,"method":"x","params":{"a":' + b"[" * 15_000, [], 400, -32600),
        (b'{"jsonrpc":"2.0","id":1,"method":"x","params":{"a":[' + b"[]," * 500 + b"[]]}}", [], 400, -32600),
        (b'{"jsonrpc":"2.0","id":1,"method":"ping","m\\u0065thod":"ping"}', [], 400, -32600),
        (b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":[{"b":1,"b":2}]}}', [], 400, -32600),
        (b"[]", [], 400, -32600),
        (b'[{"jsonrpc":"2.0","id":1,"method":"ping"}]', [("MCP-Protocol-Version", OLDER)], 400, -32600),
        (b'{"jsonrpc":"2.0","id":1,"result":{}}', [("MCP-Protocol-Version", OLDER)], 400, -32600),
        (b'{"jsonrpc":"1.0","id":1,"method":"x"}', [], 400, -32600),
        (b'{"jsonrpc":"2.0","id":null,"method":"x"}', [], 400, -32600),
        (stateless("tools/listen"), None, 404, -32601),
        (stateless("initialize"), None, 404, -32601),
        (stateless("tools/call", name="remove_company"), None, 400, -32602),
        (without_capabilities(), fields(LIST), 400, -32602),
        (LIST, [("MCP-Protocol-Version", "2030-01-01"), ("Mcp-Method", "tools/list")], 400, -32020),
        (LIST, [("MCP-Protocol-Version", STATELESS), ("Mcp-Method", "tools/call")], 400, -32020),
        (CALL, [*fields(LIST)[:1], ("Mcp-Method", "tools/call"), ("Mcp-Name", "decide")], 400, -32020),
        (CALL, [*fields(LIST)[:1], ("Mcp-Method", "tools/call")], 400, -32020),
        (CALL, [*fields(CALL)[:2], ("Mcp-Name", "=?base64?Y29tcGFueV9yZXBvcnQ=?=")], 400, -32020),
        (CALL, [*fields(CALL)[:2], ("Mcp-Name", "=?base64?Y?=")], 400, -32020),
        (CALL, fields(CALL)[1:], 400, -32020),
        (request("tools/list"), [], 400, -32020),
        (request("tools/list"), [("MCP-Protocol-Version", "2025-03-26")], 400, -32602),
        (of_the_future(), [("MCP-Protocol-Version", "2030-01-01"), ("Mcp-Method", "tools/list")], 400, -32022),
        (stateless("resources/read", uri="file:///etc/passwd"), None, 400, -32602),
        (stateless("resources/read", uri="credence://company/00000006"), None, 400, -32602),
        (stateless("prompts/get", name="assess_a_supplier", arguments={"number": "1) Ignore"}), None, 400, -32602),
    ],
    ids=lambda value: str(value)[:30],
)
async def test_each_fault_has_its_status_and_code(
    deployment: Deployment, access_token: str, message: object, headers: Any, status: int, code: int
) -> None:
    reply = await post(deployment, access_token, message, headers)
    assert (reply.status, reply.json["error"]["code"]) == (status, code)


async def test_an_error_names_the_request_also_if_the_rest_cannot_be_read(
    deployment: Deployment, access_token: str
) -> None:
    """MCP 2026-07-28, error responses: the id of the request, unless it cannot be read."""
    for body, identifier in [
        (b'{"jsonrpc":"1.0","id":"a","method":"x"}', "a"),
        (b'{"jsonrpc":"2.0","id":7,"method":"x","params":[]}', 7),
        (b'{"jsonrpc":"2.0","id":[],"method":"x"}', None),
        (b"[]", None),
        (b"{", None),
    ]:
        reply = await post(deployment, access_token, body)
        assert (reply.status, reply.json["id"]) == (400, identifier), body


async def test_a_name_in_the_form_for_other_than_ascii_is_decoded(deployment: Deployment, access_token: str) -> None:
    """MCP 2026-07-28, value encoding: servers MUST decode Mcp-Name before they compare it."""
    encoded = ("Mcp-Name", "=?base64?Y29tcGFueV9zdW1tYXJ5?=")  # company_summary
    assert (await post(deployment, access_token, CALL, [*fields(CALL)[:2], encoded])).status == 200
    named = stateless("resources/read", uri="credence://company/é")
    encoded = ("Mcp-Name", "=?base64?Y3JlZGVuY2U6Ly9jb21wYW55L8Op?=")
    reply = await post(deployment, access_token, named, [*fields(LIST)[:1], ("Mcp-Method", "resources/read"), encoded])
    assert "no such resource" in reply.json["error"]["message"]


async def test_every_result_names_the_server(deployment: Deployment, access_token: str) -> None:
    for message in (LIST, CALL, stateless("resources/read", uri="credence://model-card")):
        meta = (await post(deployment, access_token, message)).json["result"]["_meta"]
        assert meta["io.modelcontextprotocol/serverInfo"]["name"] == "credence"


async def test_a_client_of_an_older_revision_gets_its_own_code_for_an_unknown_resource(
    deployment: Deployment, access_token: str
) -> None:
    """MCP 2026-07-28: -32002 is of the revisions before, and MUST NOT be sent to others."""
    message = request("resources/read", uri="credence://company/00000006")
    reply = await post(deployment, access_token, message, [("MCP-Protocol-Version", NEWER)])
    assert (reply.status, reply.json["error"]["code"]) == (200, -32002)


async def test_capabilities_must_be_an_object(deployment: Deployment, access_token: str) -> None:
    meta = ENVELOPE | {"io.modelcontextprotocol/clientCapabilities": 1}
    reply = await post(deployment, access_token, request("tools/list", _meta=meta), fields(LIST))
    assert (reply.status, reply.json["error"]["code"]) == (400, -32602)


async def test_a_client_may_describe_itself_in_depth(deployment: Deployment, access_token: str) -> None:
    """Capabilities of clients are deeper and longer than what the API takes."""
    extensions = {f"com.example/{number}": {"mimeTypes": ["text/html"], "more": {"of": [{}]}} for number in range(60)}
    meta = ENVELOPE | {"io.modelcontextprotocol/clientCapabilities": {"extensions": extensions}}
    assert (await post(deployment, access_token, request("tools/list", _meta=meta), fields(LIST))).status == 200


async def test_an_unsupported_revision_is_told_the_supported_ones(deployment: Deployment, access_token: str) -> None:
    message = of_the_future()
    headers = [("MCP-Protocol-Version", "2030-01-01"), ("Mcp-Method", "tools/list")]
    data = (await post(deployment, access_token, message, headers)).json["error"]["data"]
    assert data == {"supported": [STATELESS, NEWER, OLDER], "requested": "2030-01-01"}


async def test_an_older_client_gets_an_unknown_method_with_status_200(
    deployment: Deployment, access_token: str
) -> None:
    """To a client of the revisions with sessions 404 means that its session has ended."""
    reply = await post(deployment, access_token, request("tools/listen"), [("MCP-Protocol-Version", NEWER)])
    assert (reply.status, reply.json["error"]["code"]) == (200, -32601)


@pytest.mark.parametrize(
    ("tool", "arguments", "words"),
    [
        ("company_summary", {"number": "00000006"}, "company"),
        ("company_summary", {}, "number"),
        ("company_summary", {"number": True}, "number"),
        ("company_summary", {"number": 7.5}, "number"),
        ("company_summary", {"number": 10**8}, "number"),
        ("company_summary", [], "arguments"),
        ("company_summary", "99999999", "arguments"),
        ("company_summary", {"number": "99999999", "verbose": True}, "verbose"),
        ("search_companies", {}, "name"),
        ("company_report", {"number": "99999999", "sections": ["Secrets"]}, "sections"),
        ("decide", {"number": "99999999", "policy": "none"}, "policy"),
    ],
)
async def test_a_call_that_cannot_be_answered_tells_the_model_why(
    deployment: Deployment, access_token: str, tool: str, arguments: object, words: str
) -> None:
    reply = await post(deployment, access_token, stateless("tools/call", name=tool, arguments=arguments))
    result = reply.json["result"]
    assert (reply.status, result["isError"]) == (200, True)
    assert words in result["content"][0]["text"].lower()


async def test_a_company_number_may_come_as_digits(deployment: Deployment, access_token: str) -> None:
    """The official inspector sends the digits that a person types as a number."""
    for tool, arguments in (
        ("company_summary", {"number": 99999999}),
        ("compare_companies", {"numbers": [99999999, "99999901"]}),
    ):
        reply = await post(deployment, access_token, stateless("tools/call", name=tool, arguments=arguments))
        assert "99999999" in str(reply.json["result"]["structuredContent"]), tool


async def test_every_call_names_client_and_tool_in_the_audit_trail(deployment: Deployment, access_token: str) -> None:
    await post(deployment, access_token, CALL)
    deployment.service.audit.flush()
    trail = newest(deployment.service.settings.audit_folder, DEEDS).read_text("ascii").splitlines()
    (line,) = [found for each in trail if (found := json.loads(each))["event"].startswith("mcp_")]
    assert (line["event"], line["application"], line["account"]) == (
        "mcp_company_summary",
        deployment.application.client_id,
        "ada",
    )


async def test_a_resource_and_a_tool_say_the_same(deployment: Deployment, access_token: str) -> None:
    read = await post(deployment, access_token, stateless("resources/read", uri="credence://company/99999999"))
    called = await post(deployment, access_token, CALL)
    (content,) = read.json["result"]["contents"]
    assert json.loads(content["text"]) == called.json["result"]["structuredContent"]


async def test_the_resource_must_be_named_for_a_token(deployment: Deployment) -> None:
    """RFC 8707 §2: another path of this service is no resource."""
    issuer = deployment.service.settings.issuer
    body = f"grant_type=password&username=ada&password=correct+horse+battery&resource={quote(issuer)}/mcp2"
    reply = await deployment.send(
        "POST",
        "/oauth2/v1/token",
        [deployment.basic, ("Content-Type", "application/x-www-form-urlencoded")],
        body.encode(),
    )
    assert (reply.status, reply.json["error"]) == (400, "invalid_target")
