"""The MUSTs of the authorization chapter of the Model Context Protocol: each has tests, here or elsewhere (`musts.py`)."""

import ast
import inspect
import sys
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import pytest

from credence.oauth.parameters.scopes import API_SCOPES, MONITOR
from tests.deployment import TOKEN_PATH, Deployment, OpenDeployment, claims
from tests.mcp.messages import OLDER, post, request, stateless, token
from tests.mcp.musts import HERE, SERVERS
from tests.sign_in.browsing import CALLBACK, FORM, VERIFIER, Browser, answer_of, request_of, with_browser_application

pytestmark = pytest.mark.settings(environment="sandbox")

ISSUERS = ("/.well-known/oauth-authorization-server", "/.well-known/openid-configuration")
CALL = stateless("tools/call", name="company_summary", arguments={"number": "99999999"})


@pytest.mark.parametrize("named", sorted({each for tests in SERVERS.values() for each in tests}))
def test_every_must_names_tests_that_exist(named: str) -> None:
    file, _, name = named.partition("::")
    assert (Path(__file__).parents[1] / file).is_file()
    assert not name or name in _tests_of(file)


def test_every_test_of_this_page_is_named_by_a_must() -> None:
    named = {each.removeprefix(HERE) for tests in SERVERS.values() for each in tests}
    about = {"test_every_must_names_tests_that_exist", "test_every_test_of_this_page_is_named_by_a_must"}
    own = {
        name for name, _ in inspect.getmembers(sys.modules[__name__], inspect.isfunction) if name.startswith("test_")
    }
    assert own - about <= named


@cache
def _tests_of(file: str) -> frozenset[str]:
    tree = ast.parse((Path(__file__).parents[1] / file).read_text(encoding="utf-8"))
    return frozenset(each.name for each in tree.body if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef))


def for_agents(deployment: Deployment, **more: str | None) -> str:
    resource = f"{deployment.service.settings.issuer}/mcp"
    return request_of(deployment.application, **{"scope": "credit:report", "resource": resource, **more})


async def code_for_agents(deployment: Deployment) -> str:
    browser = Browser(deployment)
    page = await browser.sign_in(await browser.get(for_agents(deployment)))
    return answer_of(await browser.submit(page, decision="allow"))["code"]


async def redeemed(deployment: Deployment, code: str, *, public: bool, **more: str) -> Any:
    fields = {"grant_type": "authorization_code", "code": code, "redirect_uri": CALLBACK, **more}
    headers = [FORM] if public else [FORM, deployment.basic]
    if public:
        fields["client_id"] = deployment.application.client_id
    return await deployment.send("POST", TOKEN_PATH, headers, urlencode(fields).encode())


@pytest.mark.parametrize("public", [False, True], ids=["confidential", "public"])
async def test_a_public_and_a_confidential_client_get_tokens_for_agents_by_code_and_verifier(
    deployment: Deployment, public: bool
) -> None:
    changes: dict[str, object] = {"authentication": "none", "secrets": ()} if public else {}
    await with_browser_application(deployment, **changes)
    code = await code_for_agents(deployment)
    without = await redeemed(deployment, code, public=public)
    assert (without.status, without.json["error"]) == (400, "invalid_grant")
    tokens = await redeemed(deployment, code, public=public, code_verifier=VERIFIER)
    assert (await post(deployment, tokens.json["access_token"], CALL)).status == 200


async def test_the_resource_of_the_authorization_request_binds_the_token(deployment: Deployment) -> None:
    issuer = deployment.service.settings.issuer
    await with_browser_application(deployment)
    code = await code_for_agents(deployment)
    other = await redeemed(deployment, code, public=False, code_verifier=VERIFIER, resource=issuer)
    assert (other.status, other.json["error"]) == (400, "invalid_target")
    found = await redeemed(deployment, code, public=False, code_verifier=VERIFIER, resource=f"{issuer}/mcp")
    assert claims(found.json["access_token"])["aud"] == f"{issuer}/mcp"
    foreign = await Browser(deployment).get(for_agents(deployment, resource="https://elsewhere.example.com/mcp"))
    assert answer_of(foreign)["error"] == "invalid_target"


async def test_a_resource_with_scheme_and_host_in_capitals_is_the_same(deployment: Deployment) -> None:
    """A server should take both (RFC 3986 §6.2.2.1); the path is compared as it is."""
    issuer = deployment.service.settings.issuer
    await with_browser_application(deployment)
    code = await code_for_agents(deployment)
    path = await redeemed(deployment, code, public=False, code_verifier=VERIFIER, resource=f"{issuer}/MCP")
    assert (path.status, path.json["error"]) == (400, "invalid_target")
    found = await redeemed(deployment, code, public=False, code_verifier=VERIFIER, resource=f"{issuer.upper()}/mcp")
    assert claims(found.json["access_token"])["aud"] == f"{issuer}/mcp"


async def test_both_discovery_documents_are_there_and_name_the_issuer_that_they_were_found_by(
    deployment: Deployment,
) -> None:
    for place in ISSUERS:
        reply = await deployment.send("GET", place)
        assert (reply.status, reply.json["issuer"]) == (200, deployment.service.settings.issuer)


async def test_both_metadata_documents_offer_s256_and_nothing_weaker(deployment: Deployment) -> None:
    for place in ISSUERS:
        assert (await deployment.send("GET", place)).json["code_challenge_methods_supported"] == ["S256"]


async def test_every_address_of_the_metadata_is_https(deployment: Deployment) -> None:
    found = (await deployment.send("GET", ISSUERS[0])).json
    addresses = [value for name, value in found.items() if name.endswith(("_endpoint", "_uri")) or name == "issuer"]
    assert len(addresses) > 8
    assert all(each.startswith("https://") for each in addresses)


async def test_iss_is_in_answers_and_errors_and_advertised(deployment: Deployment) -> None:
    await with_browser_application(deployment)
    browser = Browser(deployment)
    page = await browser.sign_in(await browser.get(for_agents(deployment)))
    answers = [
        answer_of(await browser.submit(page, decision="allow")),
        answer_of(await browser.get(for_agents(deployment, scope="none:such"))),
    ]
    metadata = (await deployment.send("GET", ISSUERS[0])).json
    assert metadata["authorization_response_iss_parameter_supported"] is True
    assert [each["iss"] for each in answers] == [metadata["issuer"]] * 2
    assert [each.keys() & {"code", "error"} for each in answers] == [{"code"}, {"error"}]


async def test_a_token_outside_of_the_authorization_field_opens_nothing(deployment: Deployment) -> None:
    access_token = await token(deployment)
    body = b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"access_token":"' + access_token.encode() + b'"}}'
    fields = [("Content-Type", "application/json"), ("MCP-Protocol-Version", OLDER)]
    for target, headers in (
        (f"/mcp?access_token={quote(access_token)}", fields),
        ("/mcp", fields),
        ("/mcp", [*fields, ("Cookie", f"access_token={access_token}"), ("X-Access-Token", access_token)]),
    ):
        assert (await deployment.send("POST", target, headers, body)).status == 401


async def test_every_request_needs_the_token_also_after_initialize(deployment: Deployment) -> None:
    begin = request("initialize", protocolVersion=OLDER, capabilities={}, clientInfo={"name": "x", "version": "1"})
    assert (await post(deployment, await token(deployment), begin, [])).status == 200
    for message in (request("tools/list"), {"jsonrpc": "2.0", "method": "notifications/initialized"}):
        assert (await post(deployment, None, message, [("MCP-Protocol-Version", OLDER)])).status == 401


async def test_nothing_of_a_message_is_read_without_a_token(deployment: Deployment) -> None:
    """A message that would be refused for what it is gets the same answer as a good one."""
    for body in (b"{", b"[]", b'{"jsonrpc":"2.0","id":1,"method":"no/such"}', b""):
        reply = await post(deployment, None, body)
        assert (reply.status, "www-authenticate" in reply.headers) == (401, True), body


async def test_an_invalid_expired_or_revoked_token_gets_401(deployment: Deployment) -> None:
    access_token = await token(deployment)
    await deployment.revoke(revoked := await token(deployment))
    changed = access_token[:-2] + ("AA" if access_token[-2:] != "AA" else "BB")
    for shown in (changed, revoked, "x", f"{access_token}."):
        reply = await post(deployment, shown, CALL)
        assert (reply.status, 'error="invalid_token"' in reply.headers["www-authenticate"]) == (401, True)
    assert (await post(deployment, access_token, CALL)).status == 200
    deployment.now = claims(access_token)["exp"] * 1000
    reply = await post(deployment, access_token, CALL)
    assert (reply.status, 'error="invalid_token"' in reply.headers["www-authenticate"]) == (401, True)


async def test_a_token_of_another_deployment_gets_401(
    deployment: Deployment, open_deployment: OpenDeployment, tmp_path: Path
) -> None:
    """The keys are the same here, so that only the issuer and the audience differ."""
    other = await open_deployment(tmp_path / "other", environment="sandbox", base_url="https://other.example.com")
    reply = await post(deployment, await token(other), CALL)
    assert (reply.status, 'error="invalid_token"' in reply.headers["www-authenticate"]) == (401, True)


def test_no_tool_calls_another_service() -> None:
    """What a tool reads is in this process, so no token of an agent can go further."""
    folder = Path(__file__).parents[2] / "src" / "credence" / "mcp"
    imported = {
        name
        for file in folder.glob("*.py")
        for each in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(each, ast.Import | ast.ImportFrom)
        for name in ([each.module or ""] if isinstance(each, ast.ImportFrom) else [one.name for one in each.names])
    }
    assert len(imported) > 20
    assert not {name for name in imported if name.split(".")[:2] in (["credence", "outgoing"], ["credence", "outbox"])}
    assert not imported & {"httpx", "http.client", "socket", "ssl", "urllib.request"}


async def test_401_403_and_400_are_told_apart(deployment: Deployment) -> None:
    assert (await post(deployment, None, CALL)).status == 401
    assert (await post(deployment, await token(deployment, scope="credit:search"), CALL)).status == 403
    malformed = await deployment.send("POST", TOKEN_PATH, [FORM, deployment.basic], b"grant_type=refresh_token")
    assert (malformed.status, malformed.json["error"]) == (400, "invalid_request")
    assert (await Browser(deployment).get(request_of(deployment.application, client_id=None))).status == 400


async def test_each_tool_opens_by_its_own_scope_and_by_no_other(deployment: Deployment) -> None:
    opened = {
        scope: {
            tool
            for tool in ("search_companies", "company_summary", "director_search", "portfolio_events")
            if (await post(deployment, access_token, stateless("tools/call", name=tool, arguments={}))).status == 200
        }
        for scope in (*API_SCOPES, MONITOR)
        if (access_token := await token(deployment, scope=scope))
    }
    assert opened == {
        "credit:report": {"company_summary"},
        "credit:search": {"search_companies"},
        "credit:directors": {"director_search"},
        "credit:monitor": {"portfolio_events"},
    }
