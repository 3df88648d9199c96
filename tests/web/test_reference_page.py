"""The reference in a real browser: complete, silent, self-contained, and usable without a script and on a phone."""

from playwright.sync_api import Page

from credence.api.reference.described import operation_of
from credence.api.reference.documented import documented
from credence.settings import Settings
from credence.sites.reference.pages import Reference
from credence.web.routes import mounted
from tests.browser import browser_page, browsing, needs_chromium
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


SUBJECTS = {operation_of(route).tag.lower().replace(" ", "-") for route in MOUNTED}
MOST_COMPRESSED_BYTES = 60_000


def test_the_pages_show_every_operation_and_ask_for_nothing_else(sandbox: RunningServer) -> None:
    complaints: list[str] = []
    requests: set[str] = set()
    headings: list[str] = []
    calls: list[str] = []
    with browser_page() as opened:
        opened.on("console", lambda message: complaints.append(message.text))
        opened.on("pageerror", lambda error: complaints.append(str(error)))
        opened.on("request", lambda request: requests.add(request.url))
        opened.goto(f"{sandbox.base_url}/docs")
        assert opened.get_by_text("First token in one minute").first.is_visible()
        assert opened.evaluate("getComputedStyle(document.body).margin") == "0px", "the style was not applied"
        for subject in SUBJECTS:
            opened.goto(f"{sandbox.base_url}/docs/reference/{subject}")
            headings += visible_texts(opened, "h2")
            calls += visible_texts(opened, ".call code")
        opened.goto(f"{sandbox.base_url}/docs/reference/errors")
        assert opened.locator("td", has_text="Access is denied due to invalid username or password.").first.is_visible()
    for route in MOUNTED:
        assert operation_of(route).summary in headings
        assert any(route.path in call for call in calls), route.path
    assert complaints == []
    assert {each.removeprefix(sandbox.base_url).partition("/reference")[0] for each in requests} == {"/docs"}


def test_an_address_of_the_former_page_leads_to_what_it_named(sandbox: RunningServer) -> None:
    """Anchors of operations, reason codes, models and chapters: all was one page."""
    leads = {
        "company_report": "/docs/reference/credit-risk#company_report",
        "company_report_v2": "/docs/reference/credit-risk#company_report_v2",
        "refresh_token.expired": "/docs/reference/reasons#refresh_token.expired",
        "model-LtdCompanyData": "/docs/reference/models/LtdCompanyData",
        "errors": "/docs/reference/errors",
        "credit-risk": "/docs/reference/credit-risk",
    }
    with browser_page() as opened:
        for anchor, address in leads.items():
            opened.goto("about:blank")
            opened.goto(f"{sandbox.base_url}/docs#{anchor}")
            opened.wait_for_url(sandbox.base_url + address)
            assert not address.partition("#")[2] or opened.locator(":target").count() == 1, anchor
    with browser_page(javascript=False) as opened:
        for anchor, address in leads.items():
            opened.goto(f"{sandbox.base_url}/docs#{anchor}")
            assert opened.locator(":target").get_attribute("href") == address


def test_it_is_all_there_without_javascript(sandbox: RunningServer) -> None:
    articles = 0
    with browser_page(javascript=False) as opened:
        for subject in SUBJECTS:
            opened.goto(f"{sandbox.base_url}/docs/reference/{subject}")
            articles += opened.locator("article").count()
        assert articles == len({operation_of(route).summary for route in MOUNTED})
        opened.goto(f"{sandbox.base_url}/docs/reference/tokens")
        opened.locator("summary", has_text="Password grant").first.click()
        assert opened.locator("article details[open] pre").first.is_visible()
        program = opened.locator("#obtain_token .languages pre")
        assert visible_texts(opened, "#obtain_token .languages pre")[0].startswith("curl")
        opened.locator("#obtain_token").get_by_text("JavaScript").click()
        assert [program.nth(each).is_visible() for each in range(3)] == [False, False, True]
        opened.get_by_role("searchbox").fill("already_used")
        opened.keyboard.press("Enter")
        opened.get_by_role("link", name="refresh_token.already_used").click()
        assert opened.locator("tr:target").is_visible()


def test_the_script_copies_remembers_the_language_and_filters_the_contents(sandbox: RunningServer) -> None:
    with browsing() as context:
        context.grant_permissions(["clipboard-read", "clipboard-write"])
        opened = context.new_page()
        opened.goto(f"{sandbox.base_url}/docs/reference/tokens")
        article = opened.locator("#revoke_token")
        article.get_by_text("Python", exact=True).click()
        article.get_by_role("button", name="Copy").first.click()
        article.get_by_role("button", name="Copied").wait_for()
        copied: str = opened.evaluate("navigator.clipboard.readText()")
        assert copied == article.locator(".languages pre").nth(1).text_content()
        assert copied.startswith("import requests")
        opened.goto(f"{sandbox.base_url}/docs/reference/credit-risk")
        assert opened.locator("#company_report .languages pre").nth(1).is_visible()
        opened.keyboard.press("/")
        opened.keyboard.type("portfolio")
        shown = [each for each in visible_texts(opened, "nav details details li a") if each]
        assert shown
        assert all("portfolio" in each.lower() for each in shown)


def test_a_phone_gets_pages_that_fit_with_folded_contents(sandbox: RunningServer) -> None:
    with browser_page(width=360) as opened:
        for page in ("", "/reference/credit-risk", "/reference/models/ScoringData", "/reference/search?q=report"):
            opened.goto(f"{sandbox.base_url}/docs{page}")
            assert opened.evaluate("document.documentElement.scrollWidth") <= 360, page
            assert not any(visible_texts(opened, "nav li"))
        opened.get_by_text("Contents").click()
        opened.locator("nav").get_by_text("Monitoring").click()
        assert "Create a portfolio" in visible_texts(opened, "nav li")


def test_each_page_is_small(sandbox: RunningServer) -> None:
    models = list(sandbox.client.get("/openapi.json").json()["components"]["schemas"])
    for page in ("", *(f"/reference/{each}" for each in (*SUBJECTS, "errors", "limits", "reasons", "models"))):
        reply = sandbox.client.get(f"/docs{page}", headers={"accept-encoding": "gzip"})
        assert (reply.status_code, reply.headers["content-encoding"]) == (200, "gzip")
        assert int(reply.headers["content-length"]) < MOST_COMPRESSED_BYTES, page
    for model in models:
        assert sandbox.client.get(f"/docs/reference/models/{model}").status_code == 200
    for unknown in ("none", "models/None"):
        assert sandbox.client.get(f"/docs/reference/{unknown}").status_code == 404


def test_it_follows_the_reader_into_the_dark(sandbox: RunningServer) -> None:
    colours = []
    for dark in (False, True):
        with browser_page(dark=dark) as opened:
            opened.goto(f"{sandbox.base_url}/docs")
            colours.append(opened.evaluate("getComputedStyle(document.body).backgroundColor"))
    assert colours[0] != colours[1]


def test_what_a_reader_or_the_document_says_cannot_become_markup() -> None:
    hostile = "<script>alert(1)</script>\"'"
    reference = Reference(
        {
            "info": {"title": hostile, "version": hostile, "description": hostile},
            "servers": [{"url": hostile}],
            "tags": [{"name": hostile}],
            "paths": {},
            "x-refusals": {},
            "components": {"examples": {}, "schemas": {hostile: {"properties": {hostile: {"type": hostile}}}}},
        }
    )
    pages = (reference.index(), reference.subject("models"), reference.model(hostile), reference.search(hostile))
    for page in pages:
        assert page is not None
        assert b"<script>alert" not in page


def test_a_search_takes_any_text(sandbox: RunningServer) -> None:
    for query in ("%00", "%ff", "a" * 3_000, "%3Cscript%3E", "\u202e", "q&q=2"):
        assert sandbox.client.get(f"/docs/reference/search?q={query}").status_code in (200, 400, 401, 414)
