"""What answers say to browsers, and what they never say (threats E4, E5, E6, P12)."""

import re

import pytest

from credence import paths
from tests.deployment import REPORT_PATH, REVOKE_PATH, TOKEN_PATH, Deployment, OpenDeployment
from tests.running import RunningServer

PUBLIC = (paths.CONFIGURATION, paths.KEYS, paths.OPENAPI)
REPORT = f"{REPORT_PATH}/99999999"
PAGES = (paths.DOCS, paths.MODEL_CARD)
PRIVATE = (TOKEN_PATH, REVOKE_PATH, REPORT, paths.SCENARIOS, *PAGES, paths.LIVE, "/nowhere")
ISSUER = "https://api.example.com"
ORIGINS = ("https://evil.example", "null", f"{ISSUER}.evil.example", "https://evil-api.example.com", ISSUER)


@pytest.mark.parametrize("origin", ORIGINS)
@pytest.mark.settings(base_url=ISSUER)
async def test_no_page_of_any_origin_may_read_what_is_not_public(deployment: Deployment, origin: str) -> None:
    """threats E5: nothing is reflected, whatever the origin and the method; a preflight is a 405 like any other method."""
    asked = [("Origin", origin), ("Access-Control-Request-Method", "POST")]
    for path in PRIVATE:
        for method in ("OPTIONS", "GET", "POST"):
            reply = await deployment.send(method, path, asked)
            assert [name for name in reply.headers if name.startswith("access-control")] == [], (method, path)
            assert "evil" not in str(reply.headers)
            if method == "OPTIONS" and path != "/nowhere":
                assert reply.said == (405, "Method Not Allowed", "The requested method is not allowed.")


@pytest.mark.parametrize("path", PUBLIC)
async def test_every_page_may_read_the_public_documents(deployment: Deployment, path: str) -> None:
    """threats E5: the same answer for every origin, so that a verifier in a browser works and no cache can be fooled."""
    replies = [await deployment.send("GET", path, [("Origin", origin)]) for origin in ORIGINS]
    assert {reply.headers["access-control-allow-origin"] for reply in replies} == {"*"}
    assert all("access-control-allow-credentials" not in reply.headers for reply in replies)


@pytest.mark.parametrize("path", [*PUBLIC, *PRIVATE])
async def test_no_answer_is_guessed_at_or_names_the_make_of_the_server(deployment: Deployment, path: str) -> None:
    reply = await deployment.send("GET", path)
    assert reply.headers["x-content-type-options"] == "nosniff"
    assert reply.headers["server"] == "credence"


@pytest.mark.parametrize(
    ("environment", "base_url", "said"),
    [
        ("production", "https://api.example.com", "max-age=31536000"),
        ("uat", "https://uat.example.com", "max-age=31536000"),
        ("sandbox", "https://localhost:8443", None),
    ],
)
async def test_browsers_are_held_to_https_but_not_on_localhost(
    open_deployment: OpenDeployment, environment: str, base_url: str, said: str | None
) -> None:
    """RFC 6797: on localhost it would bind every other program of the machine too."""
    deployment = await open_deployment(environment=environment, base_url=base_url)
    for path in (paths.KEYS, "/nowhere"):
        assert (await deployment.send("GET", path)).headers.get("strict-transport-security") == said


@pytest.mark.parametrize("path", [*PAGES, REPORT])
async def test_a_page_may_not_be_framed_or_fetch_anything(deployment: Deployment, path: str) -> None:
    """threats E4. The reference has a search and the one script that its policy names."""
    token = (await deployment.tokens())["access_token"]
    asked = [("Accept", "text/html"), ("Authorization", f"Bearer {token}")]
    headers = (await deployment.send("GET", path, asked)).headers
    policy = headers["content-security-policy"].split("; ")
    action, scripts = ("'self'", 2) if path == paths.DOCS else ("'none'", 0)
    assert {"default-src 'none'", "base-uri 'none'", f"form-action {action}", "frame-ancestors 'none'"} <= set(policy)
    assert not any("unsafe" in directive for directive in policy)
    with_scripts = [each for each in policy if "script" in each]
    assert len(with_scripts) == scripts
    assert all(
        re.fullmatch(r"script-src 'sha256-[\w+/=]+'|require-trusted-types-for 'script'", each) for each in with_scripts
    )
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cross-origin-opener-policy"] == "same-origin"
    assert headers["cross-origin-resource-policy"] == "same-origin"


def test_each_field_is_said_once_over_the_wire(sandbox: RunningServer) -> None:
    bearer = {"Authorization": f"Bearer {sandbox.tokens()['access_token']}"}
    asked: list[tuple[str, dict[str, str]]] = [(path, {}) for path in (*PUBLIC, *PRIVATE)]
    asked += [(REPORT, bearer | {"Accept": form}) for form in ("application/json", "text/html", "application/pdf")]
    for path, headers in asked:
        reply = sandbox.client.get(path, headers=headers)
        names = [name for name, _ in reply.headers.multi_items()]
        assert sorted(names) == sorted(set(names)), path
        assert reply.headers["server"] == "credence"


@pytest.mark.parametrize("name", ["X-Forwarded-Host", "X-Forwarded-Proto", "Forwarded", "X-Original-URL"])
def test_nothing_is_built_from_what_the_request_says_of_its_host(sandbox: RunningServer, name: str) -> None:
    """threats P12: issuer and links come from the settings, and another path in a header reaches nothing."""
    plain = sandbox.client.get(paths.CONFIGURATION)
    bent = sandbox.client.get(paths.CONFIGURATION, headers={name: "evil.example"})
    assert (bent.status_code, bent.content) == (plain.status_code, plain.content)
    assert "evil" not in str(bent.headers)
