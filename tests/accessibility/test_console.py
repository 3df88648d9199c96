"""The operator console in a real Chromium: a journey by keyboard alone for each role, and axe-core on each screen."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page

from credence.sites.console.table import SCREENS
from tests.accessibility.axe import OF_COLOURS, complaints, needs_axe
from tests.browser import browsing, needs_chromium, sign_in_by_keyboard
from tests.ports import free_port
from tests.running import RunningServer, start

pytestmark = [needs_chromium, needs_axe]

WIDTHS = {"320px": 320, "200%": 640}
"""The widths of 1280 pixels at 400 % and at 200 % (WCAG 1.4.10, 1.4.4)."""

IN_THE_DARK = {"/console", "/console/keys", "/console/tokens"}


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[RunningServer, str]]:
    """A sandbox with its console, and the address of the console."""
    folder: Path = tmp_path_factory.mktemp("console")
    port = free_port()
    server = start(folder / "data", folder / "output.txt", CREDENCE_MANAGE_PORT=str(port))
    yield server, f"https://localhost:{port}"
    server.stop()


def signed_in(page: Page, console: str, username: str, password: str) -> None:
    """Sign in by keyboard alone; the pages lead on by themselves."""
    page.goto(f"{console}/console")
    sign_in_by_keyboard(page, username, password)
    page.get_by_role("heading", name="Overview").wait_for()


def paths_of(server: RunningServer) -> list[str]:
    values = {"client_id": server.client_id, "username": server.username, "request_id": "none", "id": "none"}
    return [screen.path.format(**values) for screen in SCREENS]


def test_every_screen_can_be_used_by_everyone(served: tuple[RunningServer, str]) -> None:
    """WCAG 2.2 A and AA by axe-core, with nothing to scroll sideways (1.4.10), and no report of the policy.

    The screens share one style sheet, so those with every kind of block show its colours in the dark.
    """
    server, console = served
    found: dict[str, list[str]] = {}
    said: list[str] = []
    with browsing() as context:
        page = context.new_page()
        page.on("console", lambda message: said.append(message.text))
        signed_in(page, console, "operator", server.password)
        for path in paths_of(server):
            page.emulate_media(color_scheme="light")
            page.set_viewport_size({"width": 1280, "height": 900})
            page.goto(f"{console}{path}")
            found[f"light {path}"] = complaints(page)
            if path in IN_THE_DARK:
                page.emulate_media(color_scheme="dark")
                found[f"dark {path}"] = complaints(page, OF_COLOURS)
            for view, width in WIDTHS.items():
                page.set_viewport_size({"width": width, "height": 500})
                if page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth"):
                    found[f"{view} {path}"] = ["scrolls sideways"]
    assert [text for text in said if "Content Security Policy" in text] == []
    assert {name: lines for name, lines in found.items() if lines} == {}


JOURNEYS = {
    "reader": ("Applications", "Find an application"),
    "support": ("Accounts", "Find an account"),
    "operator": ("Settings", "Find a setting"),
    "owner": ("Log", "Query"),
}


def test_each_role_works_by_keyboard_alone_and_without_script(served: tuple[RunningServer, str]) -> None:
    server, console = served
    for role in JOURNEYS:  # before the browser, whose loop a command could not run in
        name = f"by-{role}"
        server.command("account", "create", name, "--type", "user", "--password-stdin", stdin=server.password)
        assert server.command("account", "role", name, role).returncode == 0
    for role, (link, label) in JOURNEYS.items():
        with browsing(java_script_enabled=False) as context:
            page = context.new_page()
            signed_in(page, console, f"by-{role}", server.password)
            to_link(page, link)
            page.keyboard.press("Enter")
            page.get_by_role("heading", name=link, exact=True, level=1).wait_for()
            page.get_by_label(label, exact=True).focus()
            page.keyboard.type("demo")
            page.keyboard.press("Enter")
            page.wait_for_url("**q=demo*")
            if role == "support":
                suspend_demo(page)


def to_link(page: Page, text: str) -> None:
    """Press Tab until a link of the navigation has the focus."""
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.locator("nav a:focus", has_text=text).count():
            return
    raise AssertionError(text)


def suspend_demo(page: Page) -> None:
    page.get_by_role("link", name="demo", exact=True).focus()
    page.keyboard.press("Enter")
    page.get_by_label("State", exact=True).focus()
    page.keyboard.press("s")  # one key: a slow machine must not split a word
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.get_by_text("demo is suspended.").wait_for()
