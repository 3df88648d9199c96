"""The credit workbench in a real Chromium: a journey by keyboard, suggestions while typing, and axe-core on each screen."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page

from credence.web.workbench.table import SCREENS
from tests.accessibility.axe import OF_COLOURS, complaints, needs_axe
from tests.accessibility.test_console import WIDTHS, to_link
from tests.browser import browsing, needs_chromium, sign_in_by_keyboard
from tests.running import RunningServer, start

pytestmark = [needs_chromium, needs_axe]

COMPANY = "99999901"
NO_PAGES = ("/suggest", ".csv", "{webhook}", "{number}")
"""Parts of the paths of screens that are no pages, or are empty in a new sandbox."""

IN_THE_DARK = ("/workbench", f"/workbench/companies/{COMPANY}", "/workbench/lists/")


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    folder: Path = tmp_path_factory.mktemp("workbench")
    server = start(folder / "data", folder / "output.txt")
    yield server
    server.stop()


def test_the_workbench_is_usable_by_everyone(served: RunningServer) -> None:
    """WCAG 2.2 A and AA by axe-core on every screen, with nothing to scroll sideways, and no report of the policy.

    Before that a list is made and filled by keyboard alone, without a script.
    """
    found: dict[str, list[str]] = {}
    said: list[str] = []
    with browsing(java_script_enabled=False) as context:
        plain = context.new_page()
        signed_in(plain, served)
        to_link(plain, "Lists")
        plain.keyboard.press("Enter")
        fill(plain, "Name", "Customers")
        plain.get_by_role("heading", name="Customers", level=1).wait_for()
        fill(plain, "Company number", COMPANY)
        plain.get_by_role("link", name="INVENTED BAND A LIMITED").wait_for()
        portfolio = plain.url.rpartition("/")[2]

    with browsing() as context:
        page = context.new_page()
        page.on("console", lambda message: said.append(message.text))
        signed_in(page, served)
        page.get_by_label("Name or number").focus()
        page.keyboard.insert_text("invented")
        page.locator(".suggested a", has_text="INVENTED").first.wait_for()
        found["suggestions"] = complaints(page)
        for screen in SCREENS:
            if any(each in screen.path for each in NO_PAGES):
                continue
            path = screen.path.format(company_number=COMPANY, company=COMPANY, tab="score", portfolio=portfolio)
            page.emulate_media(color_scheme="light")
            page.set_viewport_size({"width": 1280, "height": 900})
            page.goto(f"{served.base_url}{path}")
            found[f"light {path}"] = complaints(page)
            if path in IN_THE_DARK or path.startswith(IN_THE_DARK[-1]):
                page.emulate_media(color_scheme="dark")
                found[f"dark {path}"] = complaints(page, OF_COLOURS)
            for view, width in WIDTHS.items():
                page.set_viewport_size({"width": width, "height": 500})
                if page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth"):
                    found[f"{view} {path}"] = ["scrolls sideways"]
    assert [text for text in said if "Content Security Policy" in text] == []
    assert {name: lines for name, lines in found.items() if lines} == {}


def signed_in(page: Page, server: RunningServer) -> None:
    """Sign in by keyboard alone; the pages lead on by themselves."""
    page.goto(f"{server.base_url}/workbench")
    sign_in_by_keyboard(page, server.username, server.password)
    page.get_by_role("heading", name="Companies", level=1).wait_for()


def fill(page: Page, label: str, text: str) -> None:
    """Type into a field and send its form."""
    field = page.get_by_label(label, exact=True)
    field.focus()
    page.keyboard.insert_text(text)
    page.keyboard.press("Enter")
