"""axe-core finds nothing to complain about on any page (credit §9): WCAG 2.2 A and AA, and its best practices."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, sync_playwright

from credence.report.render.compose import compose
from credence.report.render.html import html
from credence.web.endpoints import model_card
from tests.accessibility.axe import AXE, complaints
from tests.report.render.companies import CONTACT, reports
from tests.web.test_reference_page import ARGUMENTS, CHROMIUM

pytestmark = [
    pytest.mark.skipif(not CHROMIUM.exists(), reason="chromium is missing: python -m tests.provision"),
    pytest.mark.skipif(not AXE.exists(), reason="axe-core is missing: python -m tests.provision"),
]

PAGES = {name: html(compose(report, CONTACT)).decode() for name, report in reports().items()}


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield opened
        opened.close()


def complaints_about(browser: Browser, document: str, **context: Any) -> list[str]:
    """Everything axe finds on a page whose folded parts are open, a line each."""
    page = browser.new_page(**context)
    page.set_content(document)
    page.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true })")
    found = complaints(page)
    page.close()
    return found


@pytest.mark.parametrize("name", PAGES)
def test_a_report_can_be_read_by_everyone(browser: Browser, name: str) -> None:
    assert complaints_about(browser, PAGES[name], color_scheme="light") == []


@pytest.mark.parametrize("name", ["full", "from-accounts"])
def test_a_report_in_the_dark_can_be_read_by_everyone(browser: Browser, name: str) -> None:
    assert complaints_about(browser, PAGES[name], color_scheme="dark") == []


def test_a_report_on_a_telephone_can_be_read_by_everyone(browser: Browser) -> None:
    assert complaints_about(browser, PAGES["full"], viewport={"width": 360, "height": 740}) == []


def test_the_model_card_can_be_read_by_everyone(browser: Browser) -> None:
    assert complaints_about(browser, model_card.page().decode()) == []


def test_the_linter_finds_what_is_wrong(browser: Browser) -> None:
    broken = PAGES["full"].replace(' lang="en-GB"', "").replace("<caption>", "<caption><img src=data:,>")
    rules = {line.partition(":")[0] for line in complaints_about(browser, broken)}
    assert {"html-has-lang", "image-alt"} <= rules
