"""The keys of the workbench in a real Chromium, what they leave alone, and the printed summary of a company."""

from collections.abc import Iterator
from pathlib import Path

import pypdf
import pytest
from playwright.sync_api import Page

from credence.sandbox.invented.companies import BANDS, STATES
from tests.browser import browsing, needs_chromium, sign_in_by_keyboard
from tests.running import RunningServer, start
from tests.waiting import wait_until

pytestmark = needs_chromium

SUMMARY = f"/workbench/companies/{BANDS['E']}"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    folder: Path = tmp_path_factory.mktemp("keys")
    server = start(folder / "data", folder / "output.txt")
    yield server
    server.stop()


def test_keys_search_walk_a_list_and_decide_until_they_are_turned_off(served: RunningServer) -> None:
    """WCAG 2.1.4: single-character keys can be turned off, and do nothing while a person types."""
    with browsing() as context:
        page = context.new_page()
        said: list[str] = []
        page.on("console", lambda message: said.append(message.text))
        page.goto(f"{served.base_url}/workbench/book")
        sign_in_by_keyboard(page, served.username, served.password)
        page.get_by_role("heading", name="Book", level=1).wait_for()
        rows = page.locator("main tbody tr > th a")
        wait_until(lambda: bool(page.reload()) and not rows.first.inner_text().isdigit(), 20)  # the first comparison
        names = rows.all_inner_texts()[:2]
        walked = [press(page, key) for key in ("j", "j", "k")]
        assert walked == [names[0], names[1], names[0]]
        page.keyboard.press("d")
        page.get_by_role("heading", name=names[0], level=1).wait_for()
        assert page.evaluate("document.activeElement.id") == "decide-amount"
        page.keyboard.press("j")
        assert "j" in page.locator("#decide-amount").input_value()
        page.goto(f"{served.base_url}{SUMMARY}/score")
        page.keyboard.press("/")
        page.wait_for_url("**/workbench#query-q")
        page.get_by_role("heading", name="Today", level=1).wait_for()
        assert page.evaluate("document.activeElement.id") == "query-q"
        page.goto(f"{served.base_url}/workbench/company-alerts/{BANDS['E']}")
        page.keyboard.press("d")
        page.wait_for_url(f"**{SUMMARY}#decide-amount")
        page.goto(f"{served.base_url}/workbench/book")
        page.get_by_role("button", name="Turn off").click()
        page.reload()
        assert press(page, "j") not in names
        page.get_by_role("button", name="Turn shortcuts on").click()
        assert press(page, "j") == names[0]
        assert said == []


def test_the_summary_is_printed_on_two_pages_without_its_forms(served: RunningServer, tmp_path: Path) -> None:
    with browsing() as context:
        page = context.new_page()
        page.goto(f"{served.base_url}{SUMMARY}")
        sign_in_by_keyboard(page, served.username, served.password)
        page.get_by_role("heading", name="Decide on the limit").wait_for()
        for number in (BANDS["E"], STATES["subsidiary"]):
            page.goto(f"{served.base_url}/workbench/companies/{number}")
            page.pdf(path=tmp_path / "summary.pdf", prefer_css_page_size=True)
            pages = pypdf.PdfReader(tmp_path / "summary.pdf").pages
            text = "".join(each.extract_text() for each in pages)
            assert len(pages) <= 2
            assert "Recent events" in text
            assert "Turn off" not in text
            assert "Add to the list" not in text


def press(page: Page, key: str) -> str:
    """Press a key and return the text of what has the focus."""
    page.keyboard.press(key)
    focused: str = page.evaluate("document.activeElement.textContent")
    return focused.strip()
