"""The developer portal in a real Chromium: from an empty browser to a report by its own programs, and axe-core."""

import asyncio
import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from playwright.sync_api import Page

from credence.app import open_store
from credence.monitoring.comparing import event_of
from credence.monitoring.transitions import ObservedChange
from credence.settings import Settings
from credence.store.portfolios import Portfolio
from credence.store.webhooks import WEBHOOKS, Webhook
from tests.accessibility.axe import OF_COLOURS, complaints, needs_axe
from tests.accessibility.test_console import WIDTHS
from tests.browser import browsing, needs_chromium, sign_in_by_keyboard
from tests.running import RunningServer, start

pytestmark = [needs_chromium, needs_axe]

MOST_FORMS = 3
"""The login name, the password, and the name of the application."""


@pytest.fixture(scope="module")
def sandbox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    folder: Path = tmp_path_factory.mktemp("developers")
    settings = {"CREDENCE_DEVELOPER_DOMAINS": "example.com", "CREDENCE_MAIL_RELAY": "smtp://127.0.0.1:1"}
    server = start(folder / "data", folder / "output.txt", **settings)
    yield server
    server.stop()


def signed_in(page: Page, server: RunningServer) -> None:
    """Come to the form of a new application by the sign-in, by keyboard alone."""
    page.goto(f"{server.base_url}/developers/new")
    sign_in_by_keyboard(page, server.username, server.password)


def created(page: Page) -> None:
    """Create an application, by keyboard alone."""
    page.get_by_role("heading", name="Create an application").wait_for()
    page.get_by_label("Name", exact=True).focus()
    page.keyboard.type("Nightly ledger")
    page.keyboard.press("Enter")
    page.locator(".secret").wait_for()


def tried(page: Page, server: RunningServer) -> dict[str, list[str]]:
    """Send a request from the reference page on, play a scenario, and check each page."""
    found: dict[str, list[str]] = {}
    for path in (
        "",
        "/reference/errors",
        "/reference/search?q=token",
        "/reference/models/DirectorData",
        "/reference/credit-risk",
    ):
        page.goto(f"{server.base_url}/docs{path}")
        found |= checked(page, f"reference {path}")
    form = page.locator("#company_report form.trial").first
    form.get_by_label("company_number").focus()
    page.keyboard.press("Enter")
    page.get_by_role("status").filter(has_text="99999999: 200").wait_for()
    found |= checked(page, "tried")
    page.goto(f"{server.base_url}/developers/sandbox")
    page.get_by_role("button", name="Try: wrong-password").click()
    page.get_by_role("status").filter(has_text="wrong-password: 401").wait_for()
    assert "expected" not in page.get_by_role("status").inner_text()
    found |= checked(page, "scenario")
    for path in ("", "/new", "/log", "/try", "/try/company_batch_v2"):
        page.goto(f"{server.base_url}/developers{path}")
        found |= checked(page, path)
    return found


def checked(page: Page, name: str) -> dict[str, list[str]]:
    """Return what is wrong with the page in light, in the dark, and where it is narrow."""
    found: dict[str, list[str]] = {}
    page.emulate_media(color_scheme="light")
    found[f"light {name}"] = complaints(page)
    page.emulate_media(color_scheme="dark")
    found[f"dark {name}"] = complaints(page, OF_COLOURS)
    for view, width in WIDTHS.items():
        page.set_viewport_size({"width": width, "height": 500})
        if page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth"):
            found[f"{view} {name}"] = ["scrolls sideways"]
    page.set_viewport_size({"width": 1280, "height": 900})
    return {view: lines for view, lines in found.items() if lines}


def test_three_forms_lead_from_an_empty_browser_to_the_first_report(sandbox: RunningServer) -> None:
    """The first program of the page runs as it is shown; WCAG 2.2 A and AA by axe-core; no report of the policy."""
    said: list[str] = []
    forms: list[str] = []
    with browsing(java_script_enabled=False) as context:
        page = context.new_page()
        page.on("request", lambda request: forms.append(request.url) if request.method == "POST" else None)
        signed_in(page, sandbox)
        created(page)
        programs = page.locator("pre code").all_text_contents()
        cookies = context.storage_state()
    with browsing(storage_state=cookies) as context:
        page = context.new_page()
        page.on("console", lambda message: said.append(message.text))
        page.goto(f"{sandbox.base_url}/developers/new")
        created(page)
        found = checked(page, "credentials")
        page.get_by_role("link", name="The application").click()
        page.get_by_role("heading", name="Details").wait_for()
        found |= checked(page, "application")
        for name in ("Events and webhooks", "Go to production"):
            page.get_by_role("link", name=name).click()
            page.get_by_role("heading", name=name).wait_for()
            found |= checked(page, name)
            page.go_back()
        found |= tried(page, sandbox)
    assert report_of(["bash", "-c", programs[0]]) == "99999999"
    assert len(forms) <= MOST_FORMS, forms
    assert [text for text in said if "Content Security Policy" in text] == []
    assert found == {}


def test_sign_up_and_full_screens_can_be_used_by_everyone(sandbox: RunningServer) -> None:
    """WCAG 2.2 A and AA by axe-core: the sign-up with what it refuses, and events, a webhook and a request of a program."""
    hook = asyncio.run(fill_store(sandbox))
    found: dict[str, list[str]] = {}
    with browsing() as context:
        page = context.new_page()
        page.goto(f"{sandbox.base_url}/developers")
        page.get_by_role("link", name="Sign up").click()
        for address, said in (
            ("a@example.net", "Enter an email address at"),
            ("a@example.com", "The message could not be sent"),
        ):
            found |= checked(page, f"sign-up before {address}")
            page.get_by_label("Email address").fill(address)
            page.keyboard.press("Enter")
            page.get_by_text(said).first.wait_for()
        found |= checked(page, "sign-up")
        signed_in(page, sandbox)
        page.get_by_role("heading", name="Create an application").wait_for()
        application = f"/developers/applications/{hook.owner}"
        for path in (application, f"{application}/webhooks", f"{application}/webhooks/{hook.id}", "/developers/log"):
            reply = page.goto(f"{sandbox.base_url}{path}")
            assert reply is not None
            assert reply.status == 200, path
            found |= checked(page, path)
    assert found == {}


async def fill_store(server: RunningServer) -> Webhook:
    """Make an application of the developer with a list, events and a webhook, which is returned."""
    store = await open_store(Settings(data_dir=server.data_dir))
    try:
        of_sandbox = await store.application(server.client_id)
        shared = await store.shared_value("comparison")
        assert of_sandbox is not None
        now, client_id = of_sandbox.created_at, f"{server.client_id}x"
        own = msgspec.structs.replace(of_sandbox, client_id=client_id, owner=server.username, version=1, scopes=None)
        await store.save_application(own, now)
        portfolio = Portfolio("pf_full", client_id, "Customers", now)
        await store.save_portfolio(portfolio)
        if shared is None:
            await store.save_shared_value("comparison", 1, b"{}")
        fell = ObservedChange("band", "fell", "B", "D", "2026-01-01", "")
        events = [event_of(f"{number:08}", portfolio, fell, now, "1") for number in range(99999901, 99999906)]
        await store.record(shared[0] if shared else 1, [], events)
        hook = Webhook("wh_2o6x4hk3tmy7q5c3", client_id, "https://ledger.example/events", now, "ed25519", ())
        await store.save(WEBHOOKS, hook)
        return hook
    finally:
        await store.close()


def report_of(command: list[str]) -> object:
    """Return the company number of the report that a program prints."""
    ran = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)["RegNumber"]
