"""axe-core finds nothing to complain about on any page (credit §9): WCAG 2.2 A and AA, and its best practices."""

from typing import Any

import pytest
from playwright.sync_api import Browser

from credence.report.render.compose import compose
from credence.report.render.html import html
from credence.web.endpoints import model_card
from tests.accessibility.axe import AXE, complaints
from tests.report.render.companies import CONTACT, reports
from tests.web.test_reference_page import CHROMIUM
from tests.web.test_reference_page import chromium as chromium

pytestmark = [
    pytest.mark.skipif(not CHROMIUM.exists(), reason="chromium is missing: python -m tests.provision"),
    pytest.mark.skipif(not AXE.exists(), reason="axe-core is missing: python -m tests.provision"),
]

PAGES = {name: html(compose(report, CONTACT)).decode() for name, report in reports().items()}


def complaints_about(chromium: Browser, document: str, **context: Any) -> list[str]:
    """Everything axe finds on a page whose folded parts are open, a line each."""
    page = chromium.new_page(**context)
    page.set_content(document)
    page.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true })")
    found = complaints(page)
    page.close()
    return found


@pytest.mark.parametrize("name", PAGES)
def test_a_report_can_be_read_by_everyone(chromium: Browser, name: str) -> None:
    assert complaints_about(chromium, PAGES[name], color_scheme="light") == []


@pytest.mark.parametrize("name", ["full", "from-accounts"])
def test_a_report_in_the_dark_can_be_read_by_everyone(chromium: Browser, name: str) -> None:
    assert complaints_about(chromium, PAGES[name], color_scheme="dark") == []


def test_a_report_on_a_telephone_can_be_read_by_everyone(chromium: Browser) -> None:
    assert complaints_about(chromium, PAGES["full"], viewport={"width": 360, "height": 740}) == []


def test_the_model_card_can_be_read_by_everyone(chromium: Browser) -> None:
    assert complaints_about(chromium, model_card.page().decode()) == []


def test_the_linter_finds_what_is_wrong(chromium: Browser) -> None:
    broken = PAGES["full"].replace(' lang="en-GB"', "").replace("<caption>", "<caption><img src=data:,>")
    rules = {line.partition(":")[0] for line in complaints_about(chromium, broken)}
    assert {"html-has-lang", "image-alt"} <= rules
