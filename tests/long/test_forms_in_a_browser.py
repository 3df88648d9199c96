"""The forms of console, portal and workbench in a real Chromium: each is filled in, sent, and says what it did."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page

from credence.sites.console.table import CONSOLE
from credence.sites.developers.site import DEVELOPERS
from credence.sites.workbench.site import WORKBENCH
from tests.browser import browsing, needs_chromium, sign_in_by_keyboard
from tests.ports import free_port
from tests.running import RunningServer, start

pytestmark = [pytest.mark.long, needs_chromium]

COMPANY = "99999901"
LEDGER = Path(__file__).parents[1] / "monitoring" / "ledgers" / "sage.csv"

Step = tuple[str, str, dict[str, str], str]
"""Path, act, what is typed by name of the field, and words of the page that follows."""

IN_CONSOLE: tuple[Step, ...] = (
    ("tokens", "inspect", {"token-text": "ACCESS_TOKEN"}, "valid"),
    ("tokens", "token-revoke", {"token_value": "ACCESS_TOKEN"}, "is revoked"),
    ("tokens", "account-end-login", {}, "has ended with all its tokens"),
    ("applications/CLIENT", "app-rules", {"networks": "127.0.0.0/8"}, "is changed"),
    ("applications/CLIENT", "clock-advance", {"to": "3h"}, "now."),
    ("applications/CLIENT", "clock-reset", {}, "real time again"),
    ("applications/CLIENT", "app-rotate-secret", {}, "has another secret"),
    ("applications/CLIENT", "app-end-secret", {}, "The secret has ended."),
    ("applications/CLIENT", "app-end-logins", {}, "Every token of"),
    ("applications/CLIENT", "app-disable", {}, "is disabled"),
    ("applications/CLIENT", "app-enable", {}, "is enabled"),
    ("applications/CLIENT", "app-end-everything-effect", {}, "This is a preview"),
    ("applications/CLIENT", "app-end-everything", {}, "every token and login of it has ended"),
    ("registrations", "app-host", {"host": "client.example.com"}, "blocked by an operator"),
    ("registrations", "app-invite", {}, "It is valid until"),
    ("accounts", "account-invite", {"username": "grace", "email": "grace@example.com"}, "grace is invited"),
    ("accounts", "account-create", {"username": "nightly"}, "nightly has an account"),
    ("accounts/USER", "account-unlock", {}, "no longer count"),
    ("accounts/USER", "account-end-session", {}, "The session has ended"),
    ("accounts/USER", "account-profile", {"email": "ada@example.com"}, "is changed"),
    ("accounts/USER", "account-sign-in", {}, "Nothing was changed"),
    ("accounts/USER", "account-rules", {"networks": "127.0.0.0/8"}, "is changed"),
    ("accounts/USER", "account-developer", {"invited": "on"}, "done"),
    ("accounts/USER", "account-reset-link", {}, "Send the person this link."),
    ("accounts/USER", "account-remove-factors", {}, "no factor"),
    ("accounts/USER", "account-end-all", {}, "Every session and login of the account has ended."),
    ("accounts/USER", "account-end-everything-effect", {}, "This is a preview"),
    ("accounts/USER", "account-end-everything", {}, "is suspended"),
    ("accounts/USER", "account-status", {"status": "active"}, "is active."),
    ("accounts/grace", "account-close", {}, "grace is closed."),
    ("issuers", "issuer-add", {"id": "corp", "issuer": "https://login.example.test"}, "is trusted"),
    ("issuers", "issuer-link", {"username": "USER", "issuer": "corp", "subject": "s1"}, "signs in at corp"),
    ("issuers", "issuer-unlink", {}, "no longer signs in at corp"),
    ("issuers/corp", "issuer-test", {}, "Its metadata cannot be fetched"),
    ("issuers/corp", "issuer-set", {"name": "Corporate"}, "corp is changed."),
    ("issuers/corp", "issuer-remove", {}, "is no longer trusted"),
    ("limits", "preview", {"client_id": "CLIENT", "per_minute": "600"}, "600"),
    ("limits", "app-rate", {"client_id": "CLIENT", "per_minute": "600"}, "is changed"),
    ("data", "data-hold-effect", {"reason": "Wrong dates"}, "This is a preview"),
    ("data", "data-hold", {"reason": "Wrong dates"}, "is held."),
    ("data", "data-release-effect", {}, "This is a preview"),
    ("data", "data-release", {}, "is released."),
    ("keys", "keys-revoke", {}, "is revoked."),
    ("tokens", "app-end-every-login", {}, "Every token of"),
    ("health", "doctor", {}, "checks"),
)

IN_PORTAL: tuple[Step, ...] = (
    ("new", "app-create", {"name": "Nightly ledger"}, "Nightly ledger created."),
    ("applications/CLIENT", "app-rotate-secret", {}, "has another secret"),
    ("applications/CLIENT", "app-end-secret", {}, "The secret has ended."),
    ("applications/CLIENT", "clock-advance", {"to": "3h"}, "now."),
    ("applications/CLIENT", "clock-reset", {}, "real time again"),
    ("applications/CLIENT/webhooks", "webhook-make", {"url": "https://ledger.example.test/"}, "is made"),
    ("applications/CLIENT/webhooks/HOOK", "webhook-verify", {}, "Verification message sent."),
    ("applications/CLIENT/webhooks/HOOK", "webhook-set", {"description": "Ledger"}, "done"),
    ("applications/CLIENT/webhooks/HOOK", "webhook-keys", {}, "has a new key"),
    ("applications/CLIENT/webhooks/HOOK", "webhook-disable", {}, "receives no events"),
    ("applications/CLIENT/webhooks/HOOK", "webhook-delete", {}, "The webhook is deleted."),
    ("sandbox", "play", {}, "401"),
    ("try/company_report", "send", {}, "200"),
    ("applications/CLIENT", "app-disable", {}, "is disabled"),
)

IN_WORKBENCH: tuple[Step, ...] = (
    ("lists", "make", {"name": "North"}, "List created."),
    ("lists/LIST", "add", {"number": "99999903", "exposure": "1200"}, "99999903"),
    ("lists/LIST", "import", {"rows": "99999905, 800"}, "1"),
    ("lists/LIST/rules", "preview", {}, "This is a preview."),
    ("lists/LIST/rules", "change", {"name": "South"}, "List updated."),
    ("lists/LIST/99999903", "change", {"note": "Ring them"}, "Company updated."),
    ("lists/LIST/99999903", "remove", {"sure": "on"}, "Removed."),
    (f"companies/{COMPANY}", "watch", {"list": "LIST"}, "2 companies"),
    (f"companies/{COMPANY}", "decide", {"amount": "900", "why": "A good payer"}, "A limit of £900 is approved."),
    ("decisions", "many", {"rows": f"{COMPANY}, 500"}, "1"),
    ("book?band=A", "save-view", {"name": "Best"}, "View saved."),
    ("book?band=A", "delete-view", {}, "View deleted."),
    ("", "acknowledge", {}, "Acknowledged."),
    ("alerts", "read", {}, "is read."),
    ("alerts/2", "change", {"note": "Seen"}, "Alert updated."),
    ("company-alerts/99999907", "assign", {"to": "Ada"}, "Assigned to Ada."),
    ("company-alerts/99999907", "snooze", {}, "Hidden until"),
    ("lists/LIST/ledger", "upload", {"file": str(LEDGER)}, "Ledger uploaded."),
    ("lists/LIST/ledger/UPLOAD", "take", {}, "customers"),
    ("lists/BOOK/matching", "choose", {}, "Choose a company for at least one customer."),
    ("lists/BOOK/matching", "accept-all", {}, "accepted"),
    ("lists/BOOK/matching", "again", {}, "searched again"),
    ("lists/LIST/rules", "delete", {"sure": "on"}, "deleted"),
)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[RunningServer, str]]:
    """A sandbox with its console, and the address of the console."""
    folder, port = tmp_path_factory.mktemp("forms"), free_port()
    server = start(folder / "data", folder / "output.txt", CREDENCE_MANAGE_PORT=str(port), CREDENCE_CALLS_OUT="on")
    yield server, f"https://localhost:{port}"
    server.stop()


def fill(form: Locator, typed: dict[str, str]) -> None:
    """Type into the fields of a form by their names, and the word that confirms it."""
    for name, text in typed.items():
        field = form.locator(f"[name='{name}']:not([type=hidden])").first
        match field.evaluate("e => e.type"):
            case "checkbox":
                field.check()
            case "file":
                field.set_input_files(text)
            case "select-one":
                field.select_option(text)
            case _:
                field.fill(text)
    confirm = form.locator("[name=confirm]")
    if confirm.count():
        confirm.fill(re.findall(r"Type (.+) to confirm", form.inner_text())[0])


def send(page: Page, address: str, act: str, typed: dict[str, str]) -> str:
    """Send the first form of a page that does this act, and return what the next page says."""
    page.goto(address)
    form = page.locator(f"form:has([name=act][value='{act}'])").first
    form.evaluate("e => { for (; e; e = e.parentElement) if (e.tagName === 'DETAILS') e.open = true; }")
    fill(form, typed)
    button = form.locator(f"button[name=act][value='{act}']")
    with page.expect_navigation():
        (button if button.count() else form.locator("button").first).click()
    return page.inner_text("main")


def walk(page: Page, base: str, steps: tuple[Step, ...], names: dict[str, str]) -> dict[str, str]:
    """Send the forms in order and return those that did not say what they should, with what they said."""
    wrong: dict[str, str] = {}

    def named(text: str) -> str:
        for name, value in names.items():
            text = text.replace(name, value)
        return text

    for path, act, typed, words in steps:
        text = send(page, named(f"{base}/{path}".rstrip("/")), act, {name: named(each) for name, each in typed.items()})
        if act == "app-create":
            names["CLIENT"] = re.findall(r"crd_sbx_app_\w+", text)[0]
        if act == "webhook-make":
            names["HOOK"] = re.findall(r"wh_\w+", text)[0]
        if act in {"make", "upload"}:
            names[{"make": "LIST", "upload": "UPLOAD"}[act]] = page.url.rpartition("/")[2]
        if words not in text:
            wrong[f"{path} {act}"] = text[:300]
    return wrong


def test_every_form_of_portal_and_workbench_does_what_it_says(served: tuple[RunningServer, str]) -> None:
    server, _ = served
    with browsing() as context:
        page = context.new_page()
        page.goto(f"{server.base_url}/developers/new")
        sign_in_by_keyboard(page, server.username, server.password)
        page.get_by_role("heading", name="Create an application").wait_for()
        assert walk(page, f"{server.base_url}/developers", IN_PORTAL, {}) == {}
        page.goto(f"{server.base_url}/workbench")
        page.get_by_role("heading", name="Today").wait_for()
        page.goto(f"{server.base_url}/workbench/lists")
        lists = page.locator("main a[href*='/workbench/lists/pf_']").first.get_attribute("href")
        names = {"BOOK": str(lists).rpartition("/")[2]}
        assert walk(page, f"{server.base_url}/workbench", IN_WORKBENCH, names) == {}


def test_every_form_of_the_console_does_what_it_says(served: tuple[RunningServer, str]) -> None:
    server, console = served
    server.command("account", "create", "boss", "--type", "user", "--password-stdin", stdin=server.password)
    assert server.command("account", "role", "boss", "owner").returncode == 0
    names = {"CLIENT": server.client_id, "USER": server.username, "ACCESS_TOKEN": server.tokens()["access_token"]}
    server.tokens()
    with browsing() as context:
        page = context.new_page()
        page.goto(f"{server.base_url}/workbench")
        sign_in_by_keyboard(page, server.username, server.password)
        page.get_by_role("heading", name="Today").wait_for()
        context.clear_cookies()
        page.goto(f"{console}/console")
        sign_in_by_keyboard(page, "boss", server.password)
        page.get_by_role("heading", name="Overview").wait_for()
        assert walk(page, f"{console}/console", IN_CONSOLE, names) == {}


NOT_HERE = {
    "account-withdraw-consent": "a consent",
    "confirm": "a decision of someone else",
    "refuse": "a decision of someone else",
    "dispute": "a decision that was refused",
    "review": "a dispute about a decision of someone else",
    "data-dispute": "a dispute that was received",
    "keys-roll": "a key that is published for an hour",
    "portfolio-release": "a rule of which too many events were found at once",
    "start-mail": "an email address that was confirmed",
    "stop-mail": "the mail of alerts",
    "webhook-test": "an endpoint that answers",
    "webhook-replay": "an endpoint that answers",
}
"""Acts whose forms a new sandbox does not show, and what it lacks for them; the tests of the sites send these."""


def test_no_act_of_a_screen_is_left_out() -> None:
    sent = {act for steps in (IN_CONSOLE, IN_PORTAL, IN_WORKBENCH) for _, act, _, _ in steps}
    acts = {act.name for site in (CONSOLE, DEVELOPERS, WORKBENCH) for screen in site.screens for act in screen.acts}
    assert sorted(acts - sent) == sorted(NOT_HERE)
