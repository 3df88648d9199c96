"""What an attacker's pages try in a real Chromium with a person who is signed in: on a sibling host, and on another site."""

import json
import ssl
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import urlencode, urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from tests.browser import LIMIT_MS, chromium, needs_chromium
from tests.conftest import StartServer
from tests.ports import free_port
from tests.running import RunningServer
from tests.sign_in.browsing import CHALLENGE
from tests.sign_in.factors import COOKIE

pytestmark = [needs_chromium, pytest.mark.long]

SERVICE, SIBLING, STRANGER = "login.example.test", "other.example.test", "evil.test"
"""The first two are of one site, so that the cookies of a person are sent with what the sibling starts."""


@dataclass
class Site:
    """A web server for every other host: what it answers by path, and what it was asked."""

    pages: dict[str, str] = field(default_factory=dict)
    cookies: list[str] = field(default_factory=list)
    asked: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    port: int = 0

    def at(self, host: str, path: str) -> str:
        return f"https://{host}:{self.port}{path}"


@dataclass
class World:
    """The service, the sites of others, and the browser of a person who is signed in."""

    server: RunningServer
    issuer: str
    site: Site
    browser: Browser
    context: BrowserContext
    client_id: str

    def request(self, **more: str) -> str:
        parameters = {
            "response_type": "code",
            "client_id": self.client_id,
            "redirect_uri": self.site.at(SIBLING, "/callback"),
            "scope": "openid",
            "state": "s1",
            "code_challenge": CHALLENGE,
            "code_challenge_method": "S256",
            **more,
        }
        return f"{self.issuer}/oauth2/v1/authorize?{urlencode(parameters)}"

    def sign_in(self, page: Page) -> None:
        page.get_by_label("Username").fill(self.server.username)
        page.get_by_role("button", name="Continue").click()
        page.get_by_label("Password").fill(self.server.password)
        page.get_by_role("button", name="Sign in", exact=True).click()

    def page(self, address: str, html: str) -> Page:
        """Open a page of an attacker."""
        self.site.pages[urlsplit(address).path] = html
        page = self.context.new_page()
        page.goto(address)
        return page

    def assert_signed_in(self) -> None:
        page = self.context.new_page()
        page.goto(f"{self.issuer}/account")
        page.get_by_role("heading", name="Your account").wait_for()
        assert self.server.username in page.inner_text("main")
        page.close()


def new_context(browser: Browser) -> BrowserContext:
    """Return a context of one person, who trusts every certificate."""
    context = browser.new_context(ignore_https_errors=True)
    context.set_default_timeout(LIMIT_MS)
    return context


def serve(folder: Path) -> tuple[Site, HTTPServer]:
    """Serve the site with the certificate of the sandbox, which the browser does not check."""
    site = Site()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            path = self.path.partition("?")[0]
            if path != "/favicon.ico":
                site.asked.append((self.path, {name.lower(): value for name, value in self.headers.items()}))
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            for cookie in site.cookies if path == "/cookies" else ():
                self.send_header("Set-Cookie", cookie)
            self.end_headers()
            self.wfile.write(site.pages.get(path, "<!doctype html><title>Ledger</title><h1>Welcome back</h1>").encode())

        def log_message(self, *_: Any) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "tls/server.pem", folder / "tls/server-key.pem")
    server.socket = context.wrap_socket(server.socket, server_side=True)
    site.port = server.server_port
    Thread(target=server.serve_forever, daemon=True).start()
    return site, server


@pytest.fixture
def world(start_server: StartServer) -> Iterator[World]:
    port = free_port()
    issuer = f"https://{SERVICE}:{port}"
    server = start_server(CREDENCE_PORT=str(port), CREDENCE_BASE_URL=issuer, CREDENCE_HOSTS="localhost")
    site, others = serve(server.data_dir)
    callback = ("--redirect-uri", site.at(SIBLING, "/callback"), "--policy-uri", site.at(STRANGER, "/policy"))
    made = json.loads(
        server.command("app", "create", "Ledger", "--grant", "authorization_code", *callback, "--json").stdout
    )
    with chromium() as browser:
        world = World(server, issuer, site, browser, new_context(browser), made["client_id"])
        yield world
        world.context.close()
    others.shutdown()
    others.server_close()


def test_a_person_is_out_of_reach_of_the_pages_of_others(world: World) -> None:
    """One browser for all, because it is the dearest part; each step says what it is about."""
    _a_sibling_plants_no_cookie(world)
    _neither_the_application_nor_a_stranger_learns_where_the_person_was(world)
    _no_page_shows_in_a_frame(world)
    _no_form_is_sent_for_the_person(world)
    _nothing_of_the_request_runs_as_a_script(world)


def _a_sibling_plants_no_cookie(world: World) -> None:
    """threats E4. The attacker's own session, in every disguise that the browser lets a sibling use."""
    attacker = new_context(world.browser)
    page = attacker.new_page()
    page.goto(f"{world.issuer}/account")
    world.sign_in(page)
    page.get_by_role("heading", name="Your account").wait_for()
    (session,) = [each["value"] for each in attacker.cookies() if each["name"] == COOKIE]
    attacker.close()
    wide = "Domain=example.test; Path=/; Secure"
    ours = f"{COOKIE}={session}"
    world.site.cookies = [f"{ours}; {wide}", f"={ours}; {wide}", f"{COOKIE.lower()}={session}; {wide}"]
    world.site.cookies += [f"comma=1,{ours}; {wide}", f"space=1 {ours}; {wide}", f"\xa0{ours}; {wide}"]
    page = world.page(world.site.at(SIBLING, "/cookies"), "<h1>Planted</h1>")
    stored = world.context.cookies(world.issuer)
    assert {"comma", "space"} <= {each["name"] for each in stored}, "the browser refused them all: nothing is shown"
    assert {each["domain"] for each in stored} == {".example.test"}
    page.goto(f"{world.issuer}/account")
    page.get_by_role("heading", name="Sign in").wait_for()
    page.goto(world.request())
    world.sign_in(page)
    page.get_by_role("heading", name="Allow Ledger?").wait_for()
    (own,) = [each["value"] for each in world.context.cookies() if (each["name"], each["domain"]) == (COOKIE, SERVICE)]
    assert own != session


def _neither_the_application_nor_a_stranger_learns_where_the_person_was(world: World) -> None:
    """RFC 9700 §4.2.4: the consent page leads to the policy, and back to the application, without a referrer."""
    page = world.context.pages[-1]
    with world.context.expect_page() as opened:
        page.get_by_role("link", name="privacy policy").click()
    opened.value.wait_for_url(world.site.at(STRANGER, "/policy"))
    assert opened.value.evaluate("[document.referrer, window.opener]") == ["", None]
    opened.value.close()
    page.get_by_role("button", name="Allow", exact=True).click()
    page.get_by_role("heading", name="Welcome back").wait_for()
    assert page.evaluate("document.referrer") == ""
    page.goto(world.request(state="s2"))  # the person is signed in and has allowed it: a redirect
    page.wait_for_url(world.site.at(SIBLING, "/callback?*"))
    came = [(path, headers) for path, headers in world.site.asked if path.startswith(("/callback", "/policy"))]
    assert len(came) >= 3
    assert [path for path, headers in came if "referer" in headers] == []


def _no_page_shows_in_a_frame(world: World) -> None:
    """Clickjacking: RFC 6749 §10.13, RFC 9700 §4.16. A sibling's frames would have the cookies of the person."""
    addresses = [
        f"{world.issuer}{path}" for path in ("/account", "/device", "/oauth2/v1/sign-out", "/account/password")
    ]
    addresses.append(world.request(prompt="consent"))
    frames = "".join(f'<iframe src="{each.replace("&", "&amp;")}"></iframe>' for each in addresses)
    for host in (SIBLING, STRANGER):
        world.site.pages["/frames"] = f'{frames}<object data="{addresses[0]}"></object>'
        page = world.context.new_page()
        page.goto(world.site.at(host, "/frames"), wait_until="load")
        page.wait_for_function(f"window.length >= {len(addresses)}")
        shown = [frame.url for frame in page.frames[1:] if frame.url.startswith(world.issuer)]
        assert shown == [], host
        page.close()


def _no_form_is_sent_for_the_person(world: World) -> None:
    """threats E5: neither by a sibling, whose forms have the cookies, nor by a stranger."""
    forms = {
        "/oauth2/v1/sign-out": {"decision": "sign-out", "step": "AAAA"},
        "/oauth2/v1/sign-in": {"username": "attacker", "password": "four unrelated words", "step": "AAAA"},
        "/oauth2/v1/consent": {"decision": "allow", "step": "AAAA"},
        "/account": {"act": "end-all", "step": "AAAA"},
    }
    for host in (SIBLING, STRANGER):
        for path, fields in forms.items():
            inputs = "".join(f'<input name="{name}" value="{value}">' for name, value in fields.items())
            form = f'<form method="post" action="{world.issuer}{path}">{inputs}<button>Win</button></form>'
            page = world.page(world.site.at(host, "/form"), form)
            with page.expect_response(lambda reply: reply.request.method == "POST") as answered:
                page.get_by_role("button", name="Win").click()
            assert answered.value.status == 400, (host, path)
            page.wait_for_load_state()  # a page that is closed while it loads may never say that it is closed
            page.close()
    world.assert_signed_in()


def _nothing_of_the_request_runs_as_a_script(world: World) -> None:
    """What comes in the address is text on the page; the policy would stop it all the same."""
    hostile = '"><img src=x onerror=window.ran=1><script>window.ran=1</script>\u202e'
    page = world.context.new_page()
    page.goto(world.request(login_hint=hostile, state=hostile, prompt="login", ui_locales="<script>"))
    assert page.get_by_label("Username").input_value().startswith('"><img')
    assert page.evaluate("window.ran") is None
    page.close()
