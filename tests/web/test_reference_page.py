"""The reference page in a real browser: complete, silent, and self-contained."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from credence.settings import Settings
from credence.web.reference.documented import documented
from credence.web.reference.page import page
from credence.web.routes import mounted
from tests.running import RunningServer

CHROMIUM = Path("/usr/bin/chromium")
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

_SETTINGS = Settings(registration=True)
MOUNTED = documented(mounted(_SETTINGS), _SETTINGS)
"""As the sandbox of the tests has it."""

pytestmark = pytest.mark.skipif(not CHROMIUM.exists(), reason="chromium is missing: python -m tests.provision")


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()


@contextmanager
def browser_page(
    chromium: Browser, *, javascript: bool = True, width: int = 1280, dark: bool = False
) -> Iterator[Page]:
    """A page in a context of its own."""
    context = chromium.new_context(
        ignore_https_errors=True,  # the browser does not know the sandbox's own authority
        java_script_enabled=javascript,
        viewport={"width": width, "height": 900},
        color_scheme="dark" if dark else "light",
    )
    yield context.new_page()
    context.close()


def visible_texts(opened: Page, selector: str) -> list[str]:
    """The texts of the elements that a reader sees, read at once: a question for each takes a hundred times as long."""
    script = "found => found.filter(each => each.checkVisibility()).map(each => each.innerText.trim())"
    texts: list[str] = opened.locator(selector).evaluate_all(script)
    return texts


def test_it_shows_every_operation_and_asks_for_nothing_else(chromium: Browser, sandbox: RunningServer) -> None:
    complaints: list[str] = []
    requests: list[str] = []
    with browser_page(chromium) as opened:
        opened.on("console", lambda message: complaints.append(message.text))
        opened.on("pageerror", lambda error: complaints.append(str(error)))
        opened.on("request", lambda request: requests.append(request.url))
        opened.goto(f"{sandbox.base_url}/docs")
        headings, calls = (visible_texts(opened, selector) for selector in ("h1, h2, h3, h4", ".call code"))
        for route in MOUNTED:
            assert route.operation.summary in headings
            assert any(route.path in call for call in calls), route.path
        assert opened.get_by_text("First token in one minute").first.is_visible()
        assert opened.locator("td", has_text="Access is denied due to invalid username or password.").first.is_visible()
        assert opened.evaluate("getComputedStyle(document.body).margin") == "0px", "the style was not applied"
    assert complaints == []
    assert requests == [f"{sandbox.base_url}/docs"]


def test_it_is_all_there_without_javascript(chromium: Browser, sandbox: RunningServer) -> None:
    with browser_page(chromium, javascript=False) as opened:
        opened.goto(f"{sandbox.base_url}/docs")
        assert opened.locator("article").count() == len({route.operation.summary for route in MOUNTED})
        opened.locator("summary", has_text="Password grant").first.click()
        assert opened.locator("details[open] pre").first.is_visible()


def test_it_fits_a_phone(chromium: Browser, sandbox: RunningServer) -> None:
    with browser_page(chromium, width=360) as opened:
        opened.goto(f"{sandbox.base_url}/docs")
        assert opened.evaluate("document.documentElement.scrollWidth") <= 360


def test_it_follows_the_reader_into_the_dark(chromium: Browser, sandbox: RunningServer) -> None:
    colours = []
    for dark in (False, True):
        with browser_page(chromium, dark=dark) as opened:
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
            "components": {"examples": {}, "schemas": {"Model": {"properties": {hostile: {"type": hostile}}}}},
        }
    )
    assert "<script" not in rendered
