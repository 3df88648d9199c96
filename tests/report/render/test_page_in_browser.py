"""The page of a report in a real browser: silent, self-contained, for every screen and for paper (credit §9)."""

from io import BytesIO
from pathlib import Path

import pypdf
import pytest

from credence.report.render.compose import compose
from credence.report.render.html import html
from tests.browser import browser_page, needs_chromium
from tests.report.render.companies import CONTACT, reports

pytestmark = needs_chromium

NAMES = list(reports())


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The pages as files, each with its address: nothing but the file is there to load."""
    folder = tmp_path_factory.mktemp("pages")
    found = {}
    for name, report in reports().items():
        file: Path = folder / f"{name}.html"
        file.write_bytes(html(compose(report, CONTACT)))
        found[name] = file.as_uri()
    return found


def test_no_page_logs_an_error_or_sends_a_request_and_all_fit_a_telephone(files: dict[str, str]) -> None:
    with browser_page(width=360) as opened:
        complaints: list[str] = []
        requests: list[str] = []
        opened.on("console", lambda message: complaints.append(message.text))
        opened.on("pageerror", lambda error: complaints.append(str(error)))
        opened.on("dialog", lambda dialog: complaints.append(dialog.message))
        opened.on("request", lambda request: requests.append(request.url))
        for name in NAMES:
            opened.goto(files[name])
            assert opened.evaluate("document.documentElement.scrollWidth") <= 360, name
            assert opened.evaluate("getComputedStyle(document.body).marginTop") == "0px", "the style was not applied"
        assert complaints == []
        assert requests == [files[name] for name in NAMES]


def test_charts_have_text_alternatives_and_tables_that_open_without_a_script(files: dict[str, str]) -> None:
    with browser_page(javascript=False) as opened:
        opened.goto(files["full"])
        drawings = opened.get_by_role("img")
        assert drawings.count() == 7
        for number in range(drawings.count()):
            assert len(drawings.nth(number).get_attribute("aria-label") or "") > 20
            box = drawings.nth(number).bounding_box()
            assert box
            assert box["height"] > 40
        opened.locator("summary").first.click()
        assert opened.get_by_role("cell", name="from 80").is_visible()


def test_the_page_has_a_dark_style_and_prints_light(files: dict[str, str]) -> None:
    background = "getComputedStyle(document.body).backgroundColor"
    with browser_page(dark=True) as opened:
        opened.goto(files["full"])
        dark = opened.evaluate(background)
        opened.emulate_media(media="print")
        paper = opened.evaluate(background)
    with browser_page() as opened:
        opened.goto(files["full"])
        assert dark not in {opened.evaluate(background), paper}
    assert paper == "rgb(255, 255, 255)"


def test_only_a_verdict_of_d_or_e_has_an_edge_in_the_colour_of_a_warning(files: dict[str, str]) -> None:
    """The gauge below the verdict shows the bands D and E too."""
    edges = {}
    with browser_page() as opened:
        for name in NAMES:
            opened.goto(files[name])
            letter = opened.locator(".verdict .letter")
            if letter.count():
                band = letter.inner_text()[-1]
                edges[band] = opened.locator(".verdict").evaluate("each => getComputedStyle(each).borderTopColor")
        warning = opened.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--low')")
    assert {band for band, edge in edges.items() if edge == "rgb(154, 75, 44)"} == set(edges) & {"D", "E"}
    assert warning == "#9a4b2c"
    assert set(edges) - {"D", "E"}


def test_the_first_tab_stop_skips_to_the_report(files: dict[str, str]) -> None:
    with browser_page() as opened:
        opened.goto(files["full"])
        opened.keyboard.press("Tab")
        assert opened.evaluate("document.activeElement.textContent") == "Skip to the report"
        box = opened.locator(".skip").bounding_box()
        assert box
        assert box["x"] >= 0, "the link is to be seen when it is reached"


def test_printed_charts_are_not_split_and_the_pages_are_few(files: dict[str, str]) -> None:
    with browser_page(width=794) as opened:  # 210 mm at 96 dots an inch
        opened.goto(files["full"])
        opened.emulate_media(media="print")
        for selector in ("figure > svg", "tr", ".verdict"):
            rule = f"getComputedStyle(document.querySelector('{selector}')).breakInside"
            assert opened.evaluate(rule) == "avoid"
        page_height = 1122 - 129  # 297 mm less the margins
        heights = opened.evaluate("[...document.querySelectorAll('figure > svg')].map(each => each.clientHeight)")
        assert max(heights) < page_height, "a drawing longer than a page would be cut"
        printed = pypdf.PdfReader(BytesIO(opened.pdf(prefer_css_page_size=True)))
    assert 3 <= len(printed.pages) <= 10
    pages = [page.extract_text() for page in printed.pages]
    assert "Why this score" in "".join(pages[:2])
    assert "Limit and terms" in "".join(pages[:2])
    assert "Incorporated" in pages[2], "the details begin after the two pages of the decision"
    assert "Annex: formulas" in pages[-1]
    words = " ".join(" ".join(page.extract_text() for page in printed.pages).split())
    assert "PLACEHOLDER MARINE INSTRUMENTS LIMITED" in words
    box = printed.pages[0].mediabox
    assert (round(box.width), round(box.height)) == (595, 842)
