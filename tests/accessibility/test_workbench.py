"""The credit workbench in a real Chromium: an analyst by keyboard, suggestions while typing, and axe-core on each screen."""

import asyncio
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from playwright.sync_api import Page

from credence.app import open_store
from credence.monitoring.comparing import event_of
from credence.monitoring.transitions import ObservedChange
from credence.settings import Settings
from credence.sites.workbench.site import SCREENS
from credence.store.portfolios import WatchedCompany
from credence.store.webhooks import WEBHOOKS, Webhook
from tests.accessibility.axe import OF_COLOURS, complaints, needs_axe
from tests.accessibility.test_console import WIDTHS, to_link
from tests.browser import browsing, needs_chromium, sign_in_by_keyboard
from tests.running import RunningServer, start

pytestmark = [needs_chromium, needs_axe]

COMPANY = "99999901"
LEDGERS = Path(__file__).parents[1] / "monitoring" / "ledgers"
NO_PAGES = ("/suggest", ".csv")
"""Parts of the paths of screens that are no pages."""

IN_THE_DARK = ("/workbench", f"/workbench/companies/{COMPANY}", "/workbench/lists/", "/workbench/alerts")

HOOK = Webhook("wh_2o6x4hk3tmy7q5c3", "", "https://ledger.example/events", 0, "ed25519", (), description="Ledger")


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    folder: Path = tmp_path_factory.mktemp("workbench")
    server = start(folder / "data", folder / "output.txt")
    yield server
    server.stop()


def test_the_workbench_is_usable_by_everyone(served: RunningServer) -> None:
    """WCAG 2.2 A and AA by axe-core on every screen, with nothing to scroll sideways, and no report of the policy.

    An analyst works by keyboard alone, without a script, and the screens are checked when they are full.
    """
    found: dict[str, list[str]] = {}
    said: list[str] = []
    with browsing(java_script_enabled=False) as context:
        page = context.new_page()
        signed_in(page, served)
        portfolio = watch_by_keyboard(page)
        cookies = context.storage_state()
    asyncio.run(fill_store(served, portfolio))
    with browsing(java_script_enabled=False, storage_state=cookies) as context:
        work_on_the_alert(context.new_page(), served)

    with browsing(java_script_enabled=False, storage_state=cookies) as context:
        upload = ledgers_of_four_programs(context.new_page(), served, portfolio)

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
            path = screen.path.format(
                company_number=COMPANY,
                company=COMPANY,
                tab="changes",
                portfolio=portfolio,
                number="1",
                webhook=HOOK.id,
                upload=upload,
            )
            page.emulate_media(color_scheme="light")
            page.set_viewport_size({"width": 1280, "height": 900})
            reply = page.goto(f"{served.base_url}{path}")
            assert reply is not None
            assert reply.status == 200, path
            found[f"light {path}"] = complaints(page)
            if path in IN_THE_DARK or path.startswith(IN_THE_DARK[2]):
                page.emulate_media(color_scheme="dark")
                found[f"dark {path}"] = complaints(page, OF_COLOURS)
            for view, width in WIDTHS.items():
                page.set_viewport_size({"width": width, "height": 500})
                if page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth"):
                    found[f"{view} {path}"] = ["scrolls sideways"]
    assert [text for text in said if "Content Security Policy" in text] == []
    assert {name: lines for name, lines in found.items() if lines} == {}


def watch_by_keyboard(page: Page) -> str:
    """Create a list, find a company, watch it from its page, and choose a rule. Return the id of the list."""
    to_link(page, "Lists")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Lists", level=1).wait_for()
    fill(page, "Name", "Buyers")
    page.get_by_role("heading", name="Buyers", level=1).wait_for()
    portfolio = page.url.rpartition("/")[2]
    to_link(page, "Today")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Today", level=1).wait_for()
    fill(page, "Name or number", "invented band a")
    follow(page, "INVENTED BAND A LIMITED")
    page.get_by_role("heading", name="INVENTED BAND A LIMITED", level=1).wait_for()
    fill(page, "Exposure", "9000")
    page.get_by_role("heading", name="Buyers", level=1).wait_for()
    follow(page, "Rules and name")
    page.get_by_role("heading", name="Rules and name", level=1).wait_for()
    rule = page.get_by_label("The name changed", exact=True)
    before = rule.is_checked()
    rule.focus()
    page.keyboard.press("Space")
    assert rule.is_checked() is not before
    page.keyboard.press("Enter")
    page.get_by_role("status").filter(has_text="List updated.").wait_for()
    assert rule.is_checked() is not before
    return portfolio


def work_on_the_alert(page: Page, served: RunningServer) -> None:
    """Choose the alerts of a company, open the first, write a note, and download the list."""
    page.goto(f"{served.base_url}/workbench")
    to_link(page, "Alerts")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Alerts", level=1).wait_for()
    fill(page, "Company number", COMPANY)
    follow(page, "The band of the score changed")
    page.get_by_role("heading", name="INVENTED BAND A LIMITED", level=1).wait_for()
    fill(page, "Note", "Limit halved")
    page.get_by_role("status").filter(has_text="Alert updated.").wait_for()
    follow(page, "Buyers")
    page.get_by_role("heading", name="Buyers", level=1).wait_for()
    with page.expect_download() as download:
        follow(page, "Download as CSV")
    assert COMPANY in Path(download.value.path()).read_text(encoding="utf-8")


def ledgers_of_four_programs(page: Page, served: RunningServer, portfolio: str) -> str:
    """Take the ledgers of four programs, and one of 2,000 lines, into the book and accept its companies.

    Prints how long the last takes from its file to a matched book; return the id of a ledger whose columns are to be chosen.
    """
    address = f"{served.base_url}/workbench/lists/{portfolio}"
    for name in ("sage.csv", "xero.csv", "quickbooks.csv", "sap.txt"):
        page.goto(f"{address}/ledger")
        take_ledger(page, LEDGERS / name, {"name": "Column 1"} if name == "quickbooks.csv" else {})
    names = ["Invented Band A Ltd", "Nowhere Trading Ltd"]
    lines = [f"T{n:04},{names[n % 2]},{n}.25" for n in range(2_000)]
    file = served.data_dir.parent / "two-thousand.csv"
    file.write_text("\n".join(("Account ref,Customer name,Balance", *lines)))
    began = time.monotonic()
    page.goto(f"{address}/ledger")
    take_ledger(page, file, {})
    page.goto(f"{address}/matching")
    while page.get_by_text("still being compared").count():
        page.reload()
    page.locator("select[name=confidence]").select_option("90")
    page.get_by_role("button", name="Accept", exact=True).click()
    page.get_by_role("status").filter(has_text="1,000 accepted").wait_for()
    print(f"2,000 lines from their file to a matched book: {time.monotonic() - began:.1f} s")
    page.goto(f"{address}/ledger")
    page.locator("input[name=file]").set_input_files(LEDGERS / "sage.csv")
    page.get_by_role("button", name="Upload").click()
    page.get_by_role("heading", name="sage.csv").wait_for()
    return page.url.rpartition("/")[2]


def take_ledger(page: Page, file: Path, columns: dict[str, str]) -> None:
    """Upload a ledger, choose columns that are not recognised, and take it."""
    page.locator("input[name=file]").set_input_files(file)
    page.get_by_role("button", name="Upload").click()
    page.get_by_role("heading", name=file.name).wait_for()
    for name, column in columns.items():
        page.locator(f"select[name={name}]").select_option(column)
    page.get_by_role("button", name="Take into the book").click()
    page.get_by_role("status").filter(has_text="Taken: ").wait_for()


async def fill_store(served: RunningServer, portfolio: str) -> None:
    """Put further companies into the list, with events about them, and a webhook."""
    store = await open_store(Settings(data_dir=served.data_dir))
    try:
        kept = await store.portfolio(portfolio)
        shared = await store.shared_value("comparison")
        assert kept is not None
        companies = [f"{number:08}" for number in range(99999901, 99999921)]
        await store.watch(portfolio, [WatchedCompany(each, "C-1", 9_000, "GBP", "late") for each in companies[1:]], 100)
        if shared is None:
            await store.save_shared_value("comparison", 1, b"{}")
        fell = ObservedChange("band", "fell", "B", "D", "2026-01-01", "")
        events = [event_of(each, kept, fell, kept.created_at, "1") for each in companies]
        await store.record(shared[0] if shared else 1, [], events)
        await store.save(WEBHOOKS, msgspec.structs.replace(HOOK, owner=kept.owner, created_at=kept.created_at))
    finally:
        await store.close()


def signed_in(page: Page, server: RunningServer) -> None:
    """Sign in by keyboard alone; the pages lead on by themselves."""
    page.goto(f"{server.base_url}/workbench")
    sign_in_by_keyboard(page, server.username, server.password)
    page.get_by_role("heading", name="Today", level=1).wait_for()


def fill(page: Page, label: str, text: str) -> None:
    """Type into a field and send its form."""
    field = page.get_by_label(label, exact=True)
    field.focus()
    page.keyboard.insert_text(text)
    page.keyboard.press("Enter")


def follow(page: Page, name: str) -> None:
    """Open the first link of this name by keyboard."""
    page.get_by_role("link", name=name).first.focus()
    page.keyboard.press("Enter")
