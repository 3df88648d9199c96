"""The reference page in a real browser: complete, silent, and self-contained."""

from playwright.sync_api import Page

from credence.api.reference.described import operation_of
from credence.api.reference.documented import documented
from credence.settings import Settings
from credence.sites.reference.page import page
from credence.web.routes import mounted
from tests.browser import browser_page, needs_chromium
from tests.running import RunningServer

_SETTINGS = Settings(registration=True)
MOUNTED = documented(mounted(_SETTINGS), _SETTINGS)
"""As the sandbox of the tests has it."""

pytestmark = needs_chromium


def visible_texts(opened: Page, selector: str) -> list[str]:
    """The texts of the elements that a reader sees, read at once: a question for each takes a hundred times as long."""
    script = "found => found.filter(each => each.checkVisibility()).map(each => each.innerText.trim())"
    texts: list[str] = opened.locator(selector).evaluate_all(script)
    return texts


def test_it_shows_every_operation_and_asks_for_nothing_else(sandbox: RunningServer) -> None:
    complaints: list[str] = []
    requests: list[str] = []
    with browser_page() as opened:
        opened.on("console", lambda message: complaints.append(message.text))
        opened.on("pageerror", lambda error: complaints.append(str(error)))
        opened.on("request", lambda request: requests.append(request.url))
        opened.goto(f"{sandbox.base_url}/docs")
        headings, calls = (visible_texts(opened, selector) for selector in ("h1, h2, h3, h4", ".call code"))
        for route in MOUNTED:
            assert operation_of(route).summary in headings
            assert any(route.path in call for call in calls), route.path
        assert opened.get_by_text("First token in one minute").first.is_visible()
        assert opened.locator("td", has_text="Access is denied due to invalid username or password.").first.is_visible()
        assert opened.evaluate("getComputedStyle(document.body).margin") == "0px", "the style was not applied"
    assert complaints == []
    assert requests == [f"{sandbox.base_url}/docs"]


def test_it_is_all_there_without_javascript(sandbox: RunningServer) -> None:
    with browser_page(javascript=False) as opened:
        opened.goto(f"{sandbox.base_url}/docs")
        assert opened.locator("article").count() == len({operation_of(route).summary for route in MOUNTED})
        opened.locator("summary", has_text="Password grant").first.click()
        assert opened.locator("details[open] pre").first.is_visible()


def test_it_fits_a_phone(sandbox: RunningServer) -> None:
    with browser_page(width=360) as opened:
        opened.goto(f"{sandbox.base_url}/docs")
        assert opened.evaluate("document.documentElement.scrollWidth") <= 360


def test_it_follows_the_reader_into_the_dark(sandbox: RunningServer) -> None:
    colours = []
    for dark in (False, True):
        with browser_page(dark=dark) as opened:
            opened.goto(f"{sandbox.base_url}/docs")
            colours.append(opened.evaluate("getComputedStyle(document.body).backgroundColor"))
    assert colours[0] != colours[1]


LIMITED = ("application", "account", "address")


def test_what_the_document_says_cannot_become_markup() -> None:
    hostile = "<script>alert(1)</script>\"'"
    rendered = page(
        {
            "info": {"title": hostile, "version": hostile, "description": hostile},
            "servers": [{"url": hostile}],
            "tags": [{"name": hostile}],
            "paths": {},
            "x-rate-limits": {"status": 401, **{name: {"per_minute": 60, "burst": 1} for name in LIMITED}},
            "x-refusals": {},
            "components": {"examples": {}, "schemas": {"Model": {"properties": {hostile: {"type": hostile}}}}},
        }
    )
    assert "<script" not in rendered
