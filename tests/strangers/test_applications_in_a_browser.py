"""Applications that sign people in through one Chromium: oidc-client-ts, a page without a library, and Flask with Authlib.

oidc-client-ts is npm's, unchanged.
"""

import base64
import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from importlib.util import find_spec
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from werkzeug.serving import make_server

from tests.browser import LIMIT_MS, browsing, needs_chromium
from tests.ports import free_port
from tests.strangers.programs import opens_a_report
from tests.strangers.provider import Provider

FOLDER = Path(__file__).parent / "node"
LIBRARY = FOLDER / "node_modules/oidc-client-ts/dist/browser/oidc-client-ts.min.js"

pytestmark = [
    needs_chromium,
    pytest.mark.skipif(not LIBRARY.exists(), reason="oidc-client-ts is missing: python -m tests.provision"),
]

PAGE = """<!doctype html><html lang=en><title>Ledger</title><script src="/oidc-client-ts.js"></script>
<button id=redirect>by redirect</button><button id=popup>by pop-up</button><output></output><script>
const manager = new oidc.UserManager({{
  authority: {issuer}, client_id: {client_id}, redirect_uri: location.origin + '/callback',
  popup_redirect_uri: location.origin + '/callback', scope: 'openid profile credit:report', loadUserInfo: true,
}})
const show = (user) => {{
  if (user) document.querySelector('output').textContent =
    JSON.stringify({{ sub: user.profile.sub, name: user.profile.name, token: user.access_token }})
}}
const failed = (error) => {{ document.querySelector('output').textContent = 'failed: ' + error.message }}
document.querySelector('#redirect').onclick = () => manager.signinRedirect().catch(failed)
document.querySelector('#popup').onclick = () => manager.signinPopup().then(show).catch(failed)
if (location.pathname === '/callback') manager.signinCallback().then(show).catch(failed)
</script></html>"""


WITHOUT_LIBRARY = """<!doctype html><html lang=en><title>Ledger</title><button>sign in</button><output></output>
<script type=module>
import {{ signIn, comeBack, refresh, report }} from '/single-page.js'
const [issuer, clientId] = [{issuer}, {client_id}]
const show = (what) => {{ document.querySelector('output').textContent = JSON.stringify(what) }}
const failed = (error) => show({{ failed: error.message }})
const scope = 'openid offline_access credit:report'
document.querySelector('button').onclick = () => signIn(issuer, clientId, scope).catch(failed)
async function use(first) {{
  const second = await refresh(issuer, clientId, first.refresh_token)
  const read = await report(issuer, second.access_token, {number})
  show({{ token: second.access_token, rotated: first.refresh_token !== second.refresh_token, read }})
}}
if (location.search) comeBack(issuer, clientId).then(use).catch(failed)
</script></html>"""

KIND = {"js": "text/javascript", "html": "text/html"}


@pytest.fixture(scope="module")
def origin(provider: Provider) -> Iterator[str]:
    """The origin of the two pages, whose addresses are `/` with the library and `/without` without one."""
    documents: dict[str, tuple[str, bytes]] = {
        "/oidc-client-ts.js": (KIND["js"], LIBRARY.read_bytes()),
        "/single-page.js": (KIND["js"], (FOLDER / "single_page.js").read_bytes()),
    }

    class Site(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            kind, body = documents.get(self.path.partition("?")[0], documents["/"])
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            pass

    site = HTTPServer(("127.0.0.1", 0), Site)
    at = f"http://127.0.0.1:{site.server_port}"
    options = ("--authentication", "none", "--grant", "authorization_code", "--grant", "refresh_token", "--origin", at)
    uris = ("--redirect-uri", f"{at}/callback", "--redirect-uri", f"{at}/without")
    known = provider.application(f"page at {at}", *options, *uris)
    values = {
        "issuer": json.dumps(provider.issuer),
        "client_id": json.dumps(known["client_id"]),
        "number": json.dumps(provider.server.company_number),
    }
    documents["/"] = (KIND["html"], PAGE.format(**values).encode())
    documents["/without"] = (KIND["html"], WITHOUT_LIBRARY.format(**values).encode())
    Thread(target=site.serve_forever, daemon=True).start()
    yield at
    site.shutdown()
    site.server_close()


@pytest.fixture(scope="module")
def flask_site(provider: Provider) -> Iterator[str]:
    """The address of the application of Flask; empty where Flask is missing."""
    if find_spec("flask") is None:
        yield ""
        return
    from tests.strangers.flask_application import application

    port = free_port()
    at = f"http://127.0.0.1:{port}"
    grants = ("--grant", "authorization_code", "--grant", "refresh_token")
    known = provider.credentials(f"Flask at {at}", *grants, "--redirect-uri", f"{at}/callback")
    site = make_server("127.0.0.1", port, application(provider.issuer, *known, "for tests only"))
    Thread(target=site.serve_forever, daemon=True).start()
    yield at
    site.shutdown()
    site.server_close()


@pytest.fixture
def page() -> Iterator[Page]:
    """A page of a person who trusts the sandbox and has not signed in."""
    with browsing() as context:
        yield context.new_page()


def person_signs_in(provider: Provider, page: Page) -> None:
    """Fill in the pages in the window that the application opened."""
    page.get_by_label("Username").fill(provider.server.username)
    page.get_by_role("button", name="Continue").click()
    page.get_by_label("Password").fill(provider.server.password)
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.get_by_role("button", name="Allow", exact=True).click()


def assert_signed_in(provider: Provider, page: Page) -> None:
    output = page.locator("output")
    expect(output).to_contain_text("token", timeout=LIMIT_MS)
    came = json.loads(output.text_content() or "")
    assert came["sub"] == provider.server.username
    assert came["name"]
    assert opens_a_report(provider, came["token"])


def test_oidc_client_ts_by_redirect(provider: Provider, page: Page, origin: str) -> None:
    """OpenID Connect Core §3.1 with PKCE; the library reads metadata, tokens and user information across origins."""
    page.goto(origin)
    page.locator("#redirect").click()
    person_signs_in(provider, page)
    assert_signed_in(provider, page)


def test_oidc_client_ts_by_pop_up(provider: Provider, page: Page, origin: str) -> None:
    """The pages cut no pop-up off from the page that opened it (no Cross-Origin-Opener-Policy)."""
    page.goto(origin)
    with page.expect_popup(timeout=LIMIT_MS) as opened:
        page.locator("#popup").click()
    person_signs_in(provider, opened.value)
    assert_signed_in(provider, page)


def test_a_page_without_a_library(provider: Provider, page: Page, origin: str) -> None:
    """RFC 7636 with Web Crypto, RFC 9207; the code leaves the address, and a refresh token works once."""
    page.goto(f"{origin}/without")
    page.get_by_role("button").click()
    person_signs_in(provider, page)
    output = page.locator("output")
    expect(output).not_to_be_empty(timeout=LIMIT_MS)
    came = json.loads(output.text_content() or "")
    assert came["rotated"], came
    assert provider.server.company_number in json.dumps(came["read"])
    assert opens_a_report(provider, came["token"])
    assert page.url == f"{origin}/without"
    page.goto(f"{origin}/without?code=injected&state=stolen&iss={provider.issuer}")
    expect(output).to_contain_text("unexpected answer", timeout=LIMIT_MS)


@pytest.mark.skipif(find_spec("flask") is None, reason="flask is missing: make develop")
def test_flask_with_authlib(trusted_by_requests: Provider, page: Page, flask_site: str) -> None:
    """A web application: the person signs in on the pages, and a token is used that the browser never gets."""
    provider = trusted_by_requests
    page.goto(flask_site)
    person_signs_in(provider, page)
    page.get_by_text(f"Signed in as {provider.server.username}").wait_for()
    page.goto(f"{flask_site}/report/{provider.server.company_number}")
    expect(page.locator("body")).to_contain_text(provider.server.company_number, timeout=LIMIT_MS)
    (cookie,) = page.context.cookies(flask_site)
    assert "access_token" not in base64.urlsafe_b64decode(cookie["value"].partition(".")[0] + "==").decode()
