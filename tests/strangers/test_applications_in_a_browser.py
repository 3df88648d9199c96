"""npm's oidc-client-ts, unchanged, in a page of Chromium: it signs a person in by redirect and by pop-up."""

import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser import LIMIT_MS, browsing, needs_chromium
from tests.strangers.programs import opens_a_report
from tests.strangers.provider import Provider

LIBRARY = Path(__file__).parent / "node/node_modules/oidc-client-ts/dist/browser/oidc-client-ts.min.js"

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


@pytest.fixture
def page(provider: Provider) -> Iterator[Page]:
    """The page of the application, in a browser that trusts the sandbox."""
    documents: dict[str, tuple[str, bytes]] = {"/oidc-client-ts.js": ("text/javascript", LIBRARY.read_bytes())}

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
    origin = f"http://127.0.0.1:{site.server_port}"
    options = ("--authentication", "none", "--grant", "authorization_code", "--origin", origin)
    known = provider.application(f"oidc-client-ts at {origin}", *options, "--redirect-uri", f"{origin}/callback")
    text = PAGE.format(issuer=json.dumps(provider.issuer), client_id=json.dumps(known["client_id"]))
    documents["/"] = ("text/html", text.encode())
    Thread(target=site.serve_forever, daemon=True).start()
    with browsing() as context:
        opened = context.new_page()
        opened.goto(origin)
        yield opened
    site.shutdown()
    site.server_close()


def person_signs_in(provider: Provider, page: Page) -> None:
    """Fill in the pages in the window that the application opened."""
    page.get_by_label("Login name").fill(provider.server.username)
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


def test_by_redirect(provider: Provider, page: Page) -> None:
    """OpenID Connect Core §3.1 with PKCE; the library reads metadata, tokens and user information across origins."""
    page.locator("#redirect").click()
    person_signs_in(provider, page)
    assert_signed_in(provider, page)


def test_by_pop_up(provider: Provider, page: Page) -> None:
    """The pages cut no pop-up off from the page that opened it (no Cross-Origin-Opener-Policy)."""
    with page.expect_popup(timeout=LIMIT_MS) as opened:
        page.locator("#popup").click()
    person_signs_in(provider, opened.value)
    assert_signed_in(provider, page)
