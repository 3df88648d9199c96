"""The pages for people in a real Chromium: a sign-in by keyboard alone and without script, and axe-core on each page."""

import json
from collections.abc import Iterator, Sequence
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from typing import Any, Literal
from urllib.parse import parse_qsl, urlencode, urlsplit

import pyotp
import pytest

from tests.accessibility.axe import OF_COLOURS, OF_WIDTH, complaints, needs_axe
from tests.browser import browsing, needs_chromium, sign_in_by_keyboard
from tests.deployment import PASSWORD
from tests.running import RunningServer
from tests.sign_in.browsing import CHALLENGE, VERIFIER

pytestmark = [needs_chromium, needs_axe]


class Application:
    """A web application of somebody else: registered at the sandbox, with an address where people come back."""

    def __init__(self, sandbox: RunningServer) -> None:
        self.sandbox = sandbox
        self.answers: list[dict[str, str]] = []
        answers = self.answers

        class Callback(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                if "?" in self.path:  # not the icon of the site
                    answers.append(dict(parse_qsl(urlsplit(self.path).query)))
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.end_headers()
                self.wfile.write(
                    b"<!doctype html><html lang=en><title>Ledger</title><main><h1>Welcome back</h1></main>"
                )

            def log_message(self, *_: Any) -> None:
                pass

        self.server = HTTPServer(("127.0.0.1", 0), Callback)
        Thread(target=self.server.serve_forever, daemon=True).start()
        self.redirect_uri = f"http://127.0.0.1:{self.server.server_port}/callback"
        grants = ("--grant", "authorization_code", "--grant", "refresh_token", "--redirect-uri", self.redirect_uri)
        links = (
            "--policy-uri",
            "https://ledger.example.com/privacy",
            "--terms-uri",
            "https://ledger.example.com/terms",
        )
        options = (*grants, *links)
        made = json.loads(sandbox.command("app", "create", "Ledger", *options, "--json").stdout)
        self.client_id, self.client_secret = made["client_id"], made["client_secret"]

    def request(self, **more: str) -> str:
        parameters = {
            "response_type": "code",
            "client_id": self.client_id,
            "redirect_uri": self.redirect_uri,
            "scope": "openid profile credit:report",
            "state": "s1",
            "nonce": "n1",
            "code_challenge": CHALLENGE,
            "code_challenge_method": "S256",
            **more,
        }
        return f"{self.sandbox.base_url}/oauth2/v1/authorize?{urlencode(parameters)}"

    def device(self) -> str:
        """Let a television ask for access, and return the address that it shows."""
        options = ("--authentication", "none", "--grant", "urn:ietf:params:oauth:grant-type:device_code")
        policy = ("--policy-uri", "https://television.example.com/privacy")
        made = json.loads(self.sandbox.command("app", "create", "Television", *options, *policy, "--json").stdout)
        asked = {"client_id": made["client_id"], "scope": "openid credit:report"}
        reply = self.sandbox.client.post("/oauth2/v1/device-authorization", data=asked)
        address: str = reply.json()["verification_uri_complete"]
        return address

    def redeem(self, code: str) -> dict[str, Any]:
        fields = {"grant_type": "authorization_code", "redirect_uri": self.redirect_uri, "code_verifier": VERIFIER}
        reply = self.sandbox.client.post(
            "/oauth2/v1/token", data={**fields, "code": code}, auth=(self.client_id, self.client_secret)
        )
        assert reply.status_code == 200, reply.text
        tokens: dict[str, Any] = reply.json()
        return tokens


@pytest.fixture(scope="module")
def application(sandbox: RunningServer) -> Iterator[Application]:
    made = Application(sandbox)
    yield made
    made.server.shutdown()
    made.server.server_close()


def test_a_person_signs_in_by_keyboard_and_without_script(application: Application) -> None:
    sandbox = application.sandbox
    with browsing(java_script_enabled=False) as context:
        page = context.new_page()
        page.goto(application.request())
        sign_in_by_keyboard(page, sandbox.username, sandbox.password)
        page.get_by_role("heading", name="Allow Ledger?").wait_for()
        for _ in ("privacy policy", "terms", "Allow"):
            page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        page.get_by_role("heading", name="Welcome back").wait_for()  # the last page goes on by itself
    answer = application.answers[-1]
    assert (answer["state"], answer["iss"]) == ("s1", sandbox.base_url)
    token = application.redeem(answer["code"])["access_token"]
    headers = {"Authorization": f"Bearer {token}"}
    report = sandbox.client.get("/risk/business/v1/registeredcompanycredit/99999999", headers=headers)
    assert report.status_code == 200


def test_a_second_factor_is_set_up_and_used_by_keyboard_and_without_script(sandbox: RunningServer) -> None:
    sandbox.command("account", "create", "keyboard", "--type", "user", "--password-stdin", stdin=PASSWORD)
    with browsing(java_script_enabled=False) as context:
        page = context.new_page()
        page.goto(f"{sandbox.base_url}/account")
        sign_in_by_keyboard(page, "keyboard", PASSWORD)
        page.get_by_role("button", name="Set up an authenticator app").focus()
        page.keyboard.press("Enter")
        page.get_by_label("6-digit code from the app").focus()
        app = pyotp.TOTP(page.locator("code").inner_text().replace(" ", ""))
        page.keyboard.type(app.now())
        page.keyboard.press("Enter")
        page.get_by_role("heading", name="Save your recovery codes").wait_for()
        recovery = page.locator("li code").first.inner_text()
        page.context.clear_cookies()
        page.goto(f"{sandbox.base_url}/account")
        sign_in_by_keyboard(page, "keyboard", PASSWORD)
        page.locator("#code:focus").wait_for()
        page.keyboard.type(recovery)
        page.keyboard.press("Enter")
        page.get_by_role("heading", name="Your account").wait_for()
        page.get_by_text("9 left").wait_for()


def test_a_password_is_changed_by_keyboard_and_without_script(sandbox: RunningServer) -> None:
    sandbox.command("account", "create", "changes", "--type", "user", "--password-stdin", stdin=PASSWORD)
    with browsing(java_script_enabled=False) as context:
        page = context.new_page()
        page.goto(f"{sandbox.base_url}/account")
        sign_in_by_keyboard(page, "changes", PASSWORD)
        page.get_by_role("link", name="Change password").focus()
        page.keyboard.press("Enter")
        page.locator("#current:focus").wait_for()
        for text in (PASSWORD, f"{PASSWORD} changed", f"{PASSWORD} changed"):
            page.keyboard.type(text)
            page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        page.get_by_role("status").get_by_text("Your password has been changed").wait_for()
        page.goto(f"{sandbox.base_url}/account")
        page.get_by_role("heading", name="Your account").wait_for()


def test_an_invited_person_chooses_a_password_by_keyboard_and_without_script(sandbox: RunningServer) -> None:
    link = json.loads(sandbox.command("account", "invite", "invited", "--json").stdout)["link"]
    with browsing(java_script_enabled=False, color_scheme="dark") as context:
        page = context.new_page()
        page.goto(link)
        for password in ("too short", PASSWORD):
            page.locator("#password:focus").wait_for()
            page.keyboard.type(password)
            page.keyboard.press("Tab")
            page.keyboard.type(password)
            page.keyboard.press("Enter")
            expected = "A password has at least" if password != PASSWORD else "Password saved"
            page.get_by_text(expected).wait_for()
        page.get_by_role("link", name="Sign in").click()
        page.get_by_label("Username").fill("invited")
        page.get_by_role("button", name="Continue").click()
        page.get_by_label("Password").fill(PASSWORD)
        page.get_by_role("button", name="Sign in", exact=True).click()
        page.get_by_role("heading", name="Your account").wait_for()


def test_an_answer_by_form_goes_on_by_itself_and_breaks_no_policy(application: Application) -> None:
    """OAuth 2.0 Form Post Response Mode: the script is allowed by its hash, the form by the origin of the application."""
    said: list[str] = []
    with browsing() as context:
        page = context.new_page()
        page.on("console", lambda message: said.append(message.text))
        page.goto(application.request(response_mode="form_post", prompt="none"))
        page.wait_for_url(f"{application.redirect_uri}*")
    assert [text for text in said if "Content Security Policy" in text] == []


VIEWS: dict[str, tuple[Literal["light", "dark"], int, int, Sequence[str]]] = {
    "dark": ("dark", 1280, 720, OF_COLOURS),
    "320px": ("light", 320, 700, OF_WIDTH),
    "200%": ("light", 640, 450, OF_WIDTH),
    "light": ("light", 1280, 720, ()),
}
"""Colours, width and height of the window, and the rules if not all. A zoom halves both measures.

The last is how the pages are gone through.
"""


def test_every_page_can_be_used_by_everyone(application: Application) -> None:
    """WCAG 2.2 A and AA by axe-core in each view, with nothing to scroll sideways (1.4.10)."""
    sandbox = application.sandbox
    found: dict[str, list[str]] = {}
    sandbox.command("account", "invite", "reader")
    link = json.loads(sandbox.command("account", "reset-link", "reader", "--json").stdout)["link"]
    device = application.device()
    with browsing() as context:
        page = context.new_page()

        def examine(name: str) -> None:
            for view, (colours, width, height, rules) in VIEWS.items():
                page.emulate_media(color_scheme=colours)
                page.set_viewport_size({"width": width, "height": height})
                found[f"{name}, {view}"] = complaints(page, rules)
                if page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth"):
                    found[f"{name}, {view}"].append("scrolls sideways")

        page.goto(application.request(scope="openid profile email offline_access credit:report", prompt="consent"))
        examine("sign-in")
        page.get_by_label("Username").fill(sandbox.username)
        page.get_by_role("button", name="Continue").click()
        page.get_by_label("Password").wait_for()
        examine("password")
        page.get_by_label("Password").fill("wrong")
        page.get_by_role("button", name="Sign in", exact=True).click()
        page.get_by_role("alert").wait_for()
        examine("wrong password")
        page.get_by_label("Password").fill(sandbox.password)
        page.get_by_role("button", name="Sign in", exact=True).click()
        page.get_by_role("heading", name="Allow Ledger?").wait_for()
        examine("consent")
        page.get_by_role("button", name="Allow", exact=True).click()
        page.get_by_role("heading", name="Welcome back").wait_for()
        page.goto(f"{sandbox.base_url}/account")
        examine("account")
        page.get_by_role("button", name="Set up an authenticator app").click()
        page.get_by_role("heading", name="Set up an authenticator app").wait_for()
        examine("set up an app")
        app = pyotp.TOTP(page.locator("code").inner_text().replace(" ", ""))
        page.get_by_label("6-digit code from the app").fill(app.now())
        page.get_by_role("button", name="Continue").click()
        page.get_by_role("heading", name="Save your recovery codes").wait_for()
        examine("recovery codes")
        page.get_by_role("button", name="I have saved them").click()
        page.get_by_role("heading", name="Your account").wait_for()
        examine("account with an app")
        page.get_by_role("link", name="Change password").click()
        page.get_by_role("heading", name="Change password").wait_for()
        examine("change the password")
        page.get_by_role("button", name="Save").click()
        page.get_by_role("alert").wait_for()
        examine("change the password wrongly")
        page.goto(application.request(prompt="login"))
        page.get_by_label("Password").fill(sandbox.password)
        page.get_by_role("button", name="Sign in", exact=True).click()
        page.get_by_role("heading", name="Enter your code").wait_for()
        page.get_by_role("button", name="Continue").click()
        page.get_by_role("alert").wait_for()
        examine("Your account requires two-factor authentication")
        page.goto(f"{sandbox.base_url}/account")
        page.get_by_role("button", name="Remove", exact=True).click()
        page.get_by_text("Off. You sign in with your password only.").wait_for()
        page.goto(f"{sandbox.base_url}/device")
        examine("device")
        page.get_by_role("button", name="Continue").click()
        page.get_by_role("alert").wait_for()
        examine("device without a code")
        page.goto(device)
        page.get_by_role("button", name="Continue").click()
        page.get_by_role("heading", name="Allow Television?").wait_for()
        examine("allow a device")
        page.get_by_role("button", name="Allow", exact=True).click()
        page.get_by_role("heading", name="Device connected").wait_for()
        examine("device connected")
        page.goto(f"{sandbox.base_url}/oauth2/v1/sign-out")
        examine("sign-out")
        page.get_by_role("button", name="Sign out").click()
        page.get_by_role("heading", name="You have signed out").wait_for()
        examine("signed out")
        page.goto(f"{sandbox.base_url}/oauth2/v1/authorize")
        examine("error")
        page.goto(link)
        examine("choose a password")
        page.get_by_role("button", name="Save").click()
        page.get_by_role("alert").wait_for()
        examine("short password")
        page.get_by_label("New password", exact=True).fill(PASSWORD)
        page.get_by_label("Confirm new password").fill(PASSWORD)
        page.get_by_role("button", name="Save").click()
        page.get_by_role("heading", name="Password saved").wait_for()
        examine("password saved")
        page.goto(link)
        examine("used link")
    assert {name: lines for name, lines in found.items() if lines} == {}
