"""The pages and the screen of trusted issuers, for everyone: by keyboard, without script, in the dark, on a phone."""

import json
import os
from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.accessibility.axe import complaints, needs_axe
from tests.accessibility.test_console import signed_in
from tests.accessibility.test_sign_in_pages import VIEWS, Application
from tests.browser import browsing, needs_chromium
from tests.conftest import StartServer
from tests.ports import free_port
from tests.strangers.issuing_programs import PASSWORD, PROGRAMS, issuing, place_of
from tests.strangers.test_issuers import trust

pytestmark = [needs_chromium, needs_axe, pytest.mark.long]

DETAILS = json.dumps(
    [
        {
            "type": "credit_report",
            "companies": ["00000006", "01234567"],
            "purpose": "Annual review of the trade credit limit",
            "until": "2027-06-30",
            "count": 25,
        }
    ]
)


class Views:
    """What axe finds on pages in every view, with a picture of each if a folder for them is named."""

    def __init__(self, page: Page) -> None:
        self.page, self.found = page, dict[str, list[str]]()

    def examine(self, name: str) -> None:
        for view, (colours, width, height, rules) in VIEWS.items():
            self.page.emulate_media(color_scheme=colours)
            self.page.set_viewport_size({"width": width, "height": height})
            self.found[f"{name}, {view}"] = complaints(self.page, rules)
            if self.page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth"):
                self.found[f"{name}, {view}"].append("scrolls sideways")
            if folder := os.environ.get("CREDENCE_TEST_PICTURES"):
                self.page.screenshot(path=f"{folder}/{name}-{view}.png".replace(" ", "-"), full_page=True)


def test_a_person_signs_in_with_the_employer_by_keyboard_and_every_page_is_for_everyone(
    tmp_path: Path, start_server: StartServer
) -> None:
    """WCAG 2.2 A and AA by axe-core in each view, with nothing to scroll sideways (1.4.10)."""
    place, console = place_of("Authlib", tmp_path), free_port()
    server = start_server(
        CREDENCE_PORT=str(free_port()),
        CREDENCE_MANAGE_PORT=str(console),
        CREDENCE_CALLS_OUT="on",
        CREDENCE_OUTGOING_NETWORKS="127.0.0.0/8,::1/128",
        CREDENCE_OUTGOING_PORTS=str(place.port),
        CREDENCE_OUTGOING_AUTHORITIES=str(place.authority),
    )
    application = Application(server)
    with issuing("Authlib", place, server):
        trust(server, place, PROGRAMS["Authlib"])
        with browsing(java_script_enabled=False) as context:
            page = context.new_page()
            page.goto(application.request(scope="openid profile", authorization_details=DETAILS))
            page.locator("#username").focus()
            page.keyboard.type("jane@employer.example")
            page.keyboard.press("Enter")
            page.locator("input[name=username]").fill("jane")
            page.locator("input[name=password]").fill(PASSWORD)
            page.keyboard.press("Enter")
            page.get_by_role("heading", name="Allow Ledger?").wait_for()
        with browsing() as context:
            page = context.new_page()
            views = Views(page)
            page.goto(application.request(scope="openid profile", authorization_details=DETAILS))
            views.examine("sign-in with a button")
            page.get_by_role("button", name="Sign in with Employer Ltd").click()
            page.locator("input[name=username]").fill("jane")
            page.locator("input[name=password]").fill("wrong")
            page.keyboard.press("Enter")
            page.get_by_role("heading", name="You are not signed in").wait_for()
            views.examine("sign-in failed")
            page.goto(application.request(scope="openid profile", authorization_details=DETAILS))
            page.get_by_role("button", name="Sign in with Employer Ltd").click()
            page.locator("input[name=username]").fill("jane")
            page.locator("input[name=password]").fill(PASSWORD)
            page.keyboard.press("Enter")
            page.get_by_role("heading", name="Allow Ledger?").wait_for()
            views.examine("consent to some reports")
            page.goto(f"{server.base_url}/oauth2/v1/sign-out")
            page.get_by_role("button", name="Sign out").click()
            page.get_by_role("heading", name="You have signed out").wait_for()
            views.examine("still signed in there")
        alone = ["--only-way", "--application", application.client_id]
        assert server.command("issuer", "set", "employer", *alone).returncode == 0
        with browsing() as context:
            page = context.new_page()
            only = Views(page)
            page.goto(application.request())
            only.examine("only way")
            signed_in(page, f"https://localhost:{console}", "operator", server.password)
            page.goto(f"https://localhost:{console}/console/issuers")
            only.examine("issuers")
            page.get_by_role("link", name="Employer Ltd").click()
            page.get_by_role("heading", name="What to register at the issuer").wait_for()
            only.examine("issuer")
            page.get_by_role("button", name="Test it").click()
            page.wait_for_load_state()
            only.examine("issuer tested")
            assert "lacks the end session endpoint" in page.inner_text("main")
    assert {name: lines for name, lines in (views.found | only.found).items() if lines} == {}
