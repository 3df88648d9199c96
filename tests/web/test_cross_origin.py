"""Pages of other origins: what they may ask, and which answers they may read (Fetch §3.2, threats E5)."""

import pytest

from credence import paths
from credence.errors import InvalidInput
from credence.identity.applications import check_origin
from credence.web.routes import ROUTES
from credence.web.routing.route import AllowedOrigins, Route
from tests.deployment import REPORT_PATH, REVOKE_PATH, TOKEN_PATH, Deployment, Header, Reply
from tests.oauth.proving import Prover
from tests.oauth.standard import FORM, ask, error, log_in

APP = "https://app.example.com"
REPORT = f"{REPORT_PATH}/99999999"
TRICKS = (
    "https://evil.example",
    "null",
    f"{APP}.evil.example",
    "https://evil-app.example.com",
    f"{APP}:8443",
    "http://app.example.com",
    f"{APP}/",
    APP.upper(),
    "",
)
"""Origins that resemble the registered one, or every one."""
OF_AN_APPLICATION = (TOKEN_PATH, REVOKE_PATH, paths.USER_INFO, REPORT, f"{paths.search('v2')}")


async def preflight(deployment: Deployment, path: str, origin: str, names: str = "authorization") -> Reply:
    asked: list[Header] = [("Origin", origin), ("Access-Control-Request-Method", "GET")]
    return await deployment.send("OPTIONS", path, [*asked, ("Access-Control-Request-Headers", names)])


def cross_origin_fields(reply: Reply) -> set[str]:
    return {name for name in reply.headers if name.startswith("access-control")}


@pytest.mark.parametrize(
    "route", [route for route in ROUTES if route.origins is AllowedOrigins.ALL], ids=lambda route: route.path
)
@pytest.mark.settings(status_list=True)
async def test_a_page_of_any_origin_may_send_any_field_to_a_public_document(
    deployment: Deployment, route: Route
) -> None:
    """The MCP client sends MCP-Protocol-Version with each request for metadata, so the browser sends a preflight."""
    path = route.path.replace("/{path}", "").replace("{list}", "0")
    reply = await preflight(deployment, path, "https://anything.example", "mcp-protocol-version, x-anything")
    assert reply.status == 204
    assert reply.headers["access-control-allow-origin"] == "*"
    assert reply.headers["access-control-allow-headers"] == "mcp-protocol-version, x-anything"
    assert reply.headers["access-control-allow-methods"] == "GET, HEAD"
    got = await deployment.send("GET", path, [("Origin", "https://anything.example")])
    if got.status == 200:
        assert got.headers["access-control-allow-origin"] == "*"


@pytest.mark.parametrize("path", OF_AN_APPLICATION)
async def test_a_registered_origin_may_ask(deployment: Deployment, path: str) -> None:
    await deployment.change_application(origins=(APP,))
    reply = await preflight(deployment, path, APP, "authorization, dpop")
    assert reply.status == 204
    assert reply.headers["access-control-allow-origin"] == APP
    assert reply.headers["access-control-allow-headers"] == "authorization, dpop"
    assert reply.headers["vary"] == "origin"


async def test_a_page_of_a_registered_origin_logs_in_opens_a_report_and_revokes(deployment: Deployment) -> None:
    await deployment.change_application(origins=("https://other.example", APP))
    page = ("Origin", APP)
    login = {
        "grant_type": "password",
        "username": "ada",
        "password": "correct horse battery",
        "scope": "openid credit:report",
    }
    replies = [await ask(deployment, login, [deployment.basic, page])]
    bearer = ("Authorization", f"Bearer {replies[0].json['access_token']}")
    replies.append(await deployment.send("GET", REPORT, [bearer, page]))
    replies.append(await deployment.send("GET", paths.USER_INFO, [bearer, page]))
    form = {"token": replies[0].json["access_token"]}
    replies.append(await ask(deployment, form, [deployment.basic, page], path=REVOKE_PATH))
    for reply in replies:
        assert reply.status == 200
        assert reply.headers["access-control-allow-origin"] == APP
        exposed = reply.headers["access-control-expose-headers"]
        assert {"DPoP-Nonce", "WWW-Authenticate", "RateLimit"} <= set(exposed.split(", "))
        assert "origin" in reply.headers["vary"]


async def test_the_page_may_read_why_its_application_was_refused(deployment: Deployment) -> None:
    """Also the demand for a nonce, without which no page could use DPoP (RFC 9449 §8, §9)."""
    await deployment.change_application(origins=(APP,))
    page, token = ("Origin", APP), (await deployment.tokens())["access_token"]
    wrong = await log_in(deployment)
    prover = Prover(deployment)
    challenged = await ask(
        deployment,
        {"grant_type": "password", "username": "ada", "password": "correct horse battery"},
        [deployment.basic, page, ("DPoP", prover.proof("POST", TOKEN_PATH))],
    )
    assert error(challenged) == (400, "use_dpop_nonce")
    assert wrong.status == 200
    deployment.now += 20_000_000
    expired = await deployment.send("GET", REPORT, [("Authorization", f"Bearer {token}"), page])
    assert expired.status == 401
    form = {"grant_type": "client_credentials", "client_id": deployment.application.client_id, "client_secret": "wrong"}
    refused = await ask(deployment, form, [page])
    assert error(refused) == (401, "invalid_client")
    for reply in (challenged, expired, refused):
        assert reply.headers["access-control-allow-origin"] == APP


@pytest.mark.parametrize("origin", TRICKS)
@pytest.mark.parametrize("path", OF_AN_APPLICATION)
async def test_no_other_origin_gets_a_field(deployment: Deployment, path: str, origin: str) -> None:
    """threats E5: reflected, null, suffix, prefix, port, scheme and letter case."""
    await deployment.change_application(origins=(APP,))
    bearer = ("Authorization", f"Bearer {(await deployment.tokens())['access_token']}")
    asked = await preflight(deployment, path, origin)
    assert (asked.status, cross_origin_fields(asked)) == (405, set())
    got = await deployment.send("GET", path, [bearer, ("Origin", origin)])
    posted = await deployment.send("POST", path, [deployment.basic, FORM, ("Origin", origin)], b"grant_type=x")
    assert (cross_origin_fields(got), cross_origin_fields(posted)) == (set(), set())


async def test_an_origin_is_that_of_one_application(deployment: Deployment) -> None:
    """A page of one application reads no answer to another, although its preflight names none."""
    await deployment.change_application(origins=(APP,))
    other = await deployment.another_application()
    assert (await preflight(other, TOKEN_PATH, APP)).status == 204
    token = (await other.tokens())["access_token"]
    reply = await other.send("GET", REPORT, [("Authorization", f"Bearer {token}"), ("Origin", APP)])
    assert (reply.status, cross_origin_fields(reply)) == (200, set())


async def test_a_change_of_the_origins_counts_at_once(deployment: Deployment) -> None:
    assert (await preflight(deployment, TOKEN_PATH, APP)).status == 405
    await deployment.change_application(origins=(APP,))
    assert (await preflight(deployment, TOKEN_PATH, APP)).status == 204
    await deployment.change_application(disabled=True)
    assert (await preflight(deployment, TOKEN_PATH, APP)).status == 405


@pytest.mark.parametrize("path", [*OF_AN_APPLICATION, paths.CONFIGURATION, paths.INTROSPECTION, paths.DOCS])
async def test_no_answer_allows_the_credentials_of_a_browser(deployment: Deployment, path: str) -> None:
    """threats E5: never `*` with credentials, and never credentials at all."""
    await deployment.change_application(origins=(APP,))
    for method in ("OPTIONS", "GET", "POST"):
        asked = [("Origin", APP), ("Access-Control-Request-Method", "GET")]
        reply = await deployment.send(method, path, asked)
        assert "access-control-allow-credentials" not in reply.headers


@pytest.mark.parametrize("path", [paths.INTROSPECTION, paths.DOCS, paths.SCENARIOS, paths.LIVE])
async def test_other_routes_answer_no_preflight(deployment: Deployment, path: str) -> None:
    await deployment.change_application(origins=(APP,))
    reply = await preflight(deployment, path, APP)
    assert (reply.status, cross_origin_fields(reply)) == (405, set())


@pytest.mark.parametrize("names", ["a b", "a,", "(x)", "é"])
async def test_names_that_are_none_are_not_repeated(deployment: Deployment, names: str) -> None:
    reply = await preflight(deployment, paths.KEYS, APP, names)
    assert (reply.status, "access-control-allow-headers" in reply.headers) == (204, False)


@pytest.mark.parametrize(
    "origin", [APP, "https://app.example.com:8443", "http://localhost:5173", "http://127.0.0.1", "https://[::1]:8"]
)
def test_an_origin_is_written_as_browsers_send_it(origin: str) -> None:
    """RFC 6454 §6.2."""
    assert check_origin(origin) == origin


@pytest.mark.parametrize(
    "text",
    [
        "*",
        "null",
        "",
        "app.example.com",
        f"{APP}/",
        f"{APP}/path",
        f"{APP}:443",
        "http://app.example.com",
        "http://localhost:80",
        "https://App.example.com",
        "https://*.example.com",
        "https://user@app.example.com",
        "https://app.example.com:x",
        "https://",
        "file:///tmp",
    ],
)
def test_what_no_browser_would_send_is_not_registered(text: str) -> None:
    with pytest.raises(InvalidInput, match="is not an origin"):
        check_origin(text)
