"""axe-core finds nothing to complain about on any page (credit §9): WCAG 2.2 A and AA, and its best practices."""

from functools import cache
from typing import Any

import pytest

from credence.api.public import model_card
from credence.report.render.compose import compose
from credence.report.render.html import html
from tests.accessibility.axe import OF_COLOURS, OF_WIDTH, complaints, needs_axe
from tests.browser import browsing, needs_chromium
from tests.report.render.companies import CONTACT, reports

pytestmark = [needs_chromium, needs_axe]

REPORTS = reports()


@cache
def document(name: str) -> str:
    return html(compose(REPORTS[name], CONTACT)).decode()


def complaints_about(text: str, *only: str, **options: Any) -> list[str]:
    """Everything axe finds on a page whose folded parts are open, a line each."""
    with browsing(**options) as context:
        page = context.new_page()
        page.set_content(text)
        page.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true })")
        return complaints(page, only)


@pytest.mark.parametrize("name", REPORTS)
def test_a_report_can_be_read_by_everyone(name: str) -> None:
    assert complaints_about(document(name), color_scheme="light") == []


@pytest.mark.parametrize("name", ["full", "from-accounts"])
def test_a_report_in_the_dark_can_be_read_by_everyone(name: str) -> None:
    assert complaints_about(document(name), *OF_COLOURS, color_scheme="dark") == []


def test_a_report_on_a_telephone_can_be_read_by_everyone() -> None:
    assert complaints_about(document("full"), *OF_WIDTH, viewport={"width": 360, "height": 740}) == []


def test_the_model_card_can_be_read_by_everyone() -> None:
    assert complaints_about(model_card.page().decode()) == []


def test_the_linter_finds_what_is_wrong() -> None:
    broken = document("bare").replace(' lang="en-GB"', "").replace("<caption>", "<caption><img src=data:,>")
    rules = {line.partition(":")[0] for line in complaints_about(broken)}
    assert {"html-has-lang", "image-alt"} <= rules
