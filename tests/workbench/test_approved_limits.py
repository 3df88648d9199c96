"""Approved limits: people decide in the workbench, a second one above their authority; programs read who, what and why."""

import csv
import datetime as dt
import io
import json
import re
import shutil

import pytest

from credence import paths
from credence.sandbox.provision import POLICY
from credence.store.portfolios import Portfolio, WatchedCompany
from credence.telemetry.audit_files import DEEDS, newest, read_file
from tests.deployment import NOW
from tests.monitoring_calls import call
from tests.workbench.conftest import HOSTILE, HOSTILE_COMPANY, OTHER, PLAIN, Desk, text_of

COMPANY = f"/workbench/companies/{PLAIN}"
CHOICE = {"amount": "£5,000", "terms": "30 days", "why": "Pays on time", "review_on": "2024-06-01"}


def install(desk: Desk, authority: str, name: str = "trade-credit") -> None:
    folder = desk.deployment.service.settings.policy_folder
    folder.mkdir(exist_ok=True)
    shutil.copy(POLICY, folder / f"{name}.toml")
    with (folder / f"{name}.toml").open("a") as file:
        file.write(f"\n[authority]\n{authority}\n")


async def test_a_limit_within_the_authority_holds_at_once_with_what_was_known(desk: Desk) -> None:
    reader = await desk.reader()
    done = await reader.do(COMPANY, "decide", **CHOICE)
    assert "A limit of £5,000 is approved." in text_of(done)
    page = text_of(await reader.get(COMPANY))
    assert "Approved limit Limit £5,000" in page
    assert "grace on 2023-11-14" in page
    assert page.count("grace") == 3, "in the head, above the form, and once in the history: there was no second person"
    (kept,) = await desk.store.limit_history(desk.deployment.application.client_id, PLAIN)
    assert (kept.state, kept.decided_by, kept.review_on) == ("approved", "grace", dt.date(2024, 6, 1))
    report = desk.deployment.service.reports.decoded(PLAIN, NOW)
    assert report is not None
    assert report.Assessment is not None
    assert report.Assessment.Headline is not None
    assert kept.grounds.name == "PLAIN TRADING LIMITED"
    assert [each.code for each in kept.grounds.reservations] == [
        each.Code for each in report.Assessment.Headline.Reservations
    ]


async def test_a_person_decides_knowing_what_the_company_owes_in_all_lists(desk: Desk) -> None:
    reader = await desk.reader()
    assert "What it owes" not in text_of(await reader.get(COMPANY))
    owner = desk.deployment.application.client_id
    for identity, exposure in (("pf_one", 4_000), ("pf_two", 2_500)):
        await desk.store.save_portfolio(Portfolio(identity, owner, f"List {identity[3:]}", NOW), 10)
        await desk.store.watch(identity, [WatchedCompany(PLAIN, exposure=exposure, currency="GBP")], 10)
    await reader.do(COMPANY, "decide", **CHOICE)
    page = await reader.get(COMPANY)
    assert "What it owes Exposure £6,500 Overdue" in text_of(page)
    assert "Headroom \N{MINUS SIGN}£1,500 List List one List List two" in text_of(page)
    assert f'href="/workbench/lists/pf_two/{PLAIN}"' in page.body.decode()


async def test_a_limit_above_the_authority_waits_for_another_person_with_more(desk: Desk) -> None:
    install(desk, "anyone = 1_000\npeople = { ada2 = 100_000, bob = 2_000 }")
    grace, bob, boss = await desk.reader(), await desk.reader("bob"), await desk.reader("ada2")
    proposed = await grace.do(COMPANY, "decide", **CHOICE, policy="trade-credit")
    assert "above your authority of £1,000, so it waits for a second person" in text_of(proposed)
    assert 'value="confirm"' not in (await grace.get(COMPANY)).body.decode()
    own = await grace.do(COMPANY, "confirm", place="1")
    assert own.status == 422
    assert "A second person decides" in text_of(own)
    shown = await bob.get(COMPANY)
    assert 'value="confirm"' not in shown.body.decode()
    assert "above your authority of £2,000, so a person with more authority approves it" in text_of(shown)
    assert 'value="confirm"' in (await boss.get(COMPANY)).body.decode()
    low = await bob.do(COMPANY, "confirm", place="1")
    assert "above your authority of £2,000" in text_of(low)
    assert "is approved" in text_of(await boss.do(COMPANY, "confirm", answer="Agreed"))
    (kept,) = await desk.store.limit_history(desk.deployment.application.client_id, PLAIN)
    assert (kept.state, kept.proposed_by, kept.decided_by, kept.answer) == ("approved", "grace", "ada2", "Agreed")
    assert kept.authority == 100_000
    assert (kept.grounds.policy, len(kept.grounds.policy_hash)) == ("Trade credit", 64)
    assert kept.grounds.findings
    again = await boss.do(COMPANY, "refuse", place="1")
    assert "decided already" in text_of(again)


async def test_of_several_policies_the_lowest_authority_counts(desk: Desk) -> None:
    """Otherwise a person could choose the policy that allows more."""
    install(desk, "anyone = 1_000")
    install(desk, "anyone = 9_000", "other")
    reader = await desk.reader()
    done = await reader.do(COMPANY, "decide", **CHOICE, policy="other")
    assert "above your authority of £1,000" in text_of(done)


async def test_a_refused_or_replaced_proposal_leaves_the_limit_that_holds(desk: Desk) -> None:
    install(desk, "anyone = 1_000")
    grace, bob = await desk.reader(), await desk.reader("bob")
    await grace.do(COMPANY, "decide", **{**CHOICE, "amount": "800", "policy": "trade-credit"})
    await grace.do(COMPANY, "decide", **CHOICE, policy="trade-credit")
    assert "is refused" in text_of(await bob.do(COMPANY, "refuse", answer="Too much"))
    await grace.do(COMPANY, "decide", **CHOICE, policy="trade-credit")
    await bob.do(COMPANY, "decide", **{**CHOICE, "amount": "700", "policy": "trade-credit"})
    late = await bob.do(COMPANY, "confirm", place="3")
    assert "there is a newer decision" in text_of(late)
    reply = await call(desk.deployment, "GET", f"{paths.LIMITS}/{PLAIN}")
    shown = [(each["place"], each["amount"], each["state"], each["in_force"]) for each in reply.json["limits"]]
    assert shown == [
        (4, 700, "approved", True),
        (3, 5000, "replaced", False),
        (2, 5000, "refused", False),
        (1, 800, "approved", False),
    ]


async def test_who_decides_on_something_else_than_they_saw_is_shown_what_is(desk: Desk) -> None:
    grace, bob = await desk.reader(), await desk.reader("bob")
    await grace.do(COMPANY, "decide", **CHOICE)
    late = await bob.do(COMPANY, "decide", **{**CHOICE, "amount": "9000", "seen": "x"})
    assert late.status == 409
    assert "has changed since you opened the form" in text_of(late)
    assert 'value="9000"' in late.body.decode()
    assert len(await desk.store.limit_history(desk.deployment.application.client_id, PLAIN)) == 1


async def test_a_second_person_approves_only_what_their_form_showed(desk: Desk) -> None:
    install(desk, "anyone = 1_000\npeople = { ada2 = 100_000 }")
    grace, boss = await desk.reader(), await desk.reader("ada2")
    await grace.do(COMPANY, "decide", **CHOICE, policy="trade-credit")
    late = await boss.do(COMPANY, "confirm", seen="of yesterday")
    assert late.status == 409
    assert "has changed since you opened the form" in text_of(late)
    (kept,) = await desk.store.limit_history(desk.deployment.application.client_id, PLAIN)
    assert kept.state == "waiting"


async def test_a_policy_that_cannot_be_read_stops_decisions_and_not_the_page(desk: Desk) -> None:
    """It might limit the authority of the reader."""
    reader, folder = await desk.reader(), desk.deployment.service.settings.policy_folder
    (seen,) = re.findall('name="seen" value="([^"]+)"', (await reader.get(COMPANY)).body.decode())
    folder.mkdir(exist_ok=True)
    (folder / "broken.toml").write_text("name = ")
    page = await reader.get(COMPANY)
    assert page.status == 200
    assert "an installed policy cannot be read" in text_of(page)
    assert 'value="decide"' not in page.body.decode()
    assert (await reader.do(COMPANY, "decide", **CHOICE, policy="broken", seen=seen)).status == 500
    assert await desk.store.limit_decisions_of(desk.deployment.application.client_id) == []


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("amount", "", "Enter whole pounds"),
        ("amount", "5.50", "whole number"),
        ("amount", "10,00", "whole number"),
        ("amount", "9" * 15, "Enter whole pounds"),
        ("why", "", "Enter a reason"),
        ("why", "w" * 501, "at most 500"),
        ("terms", "t" * 101, "at most 100"),
        ("review_on", "2023-11-14", "a day after today"),
        ("review_on", "2099-01-01", "within 5 years"),
        ("review_on", "soon", "Enter a date"),
        ("note", "a\u0007", "single line"),
    ],
)
async def test_a_choice_that_cannot_be_kept_is_said_beside_its_field(
    desk: Desk, field: str, value: str, said: str
) -> None:
    reader = await desk.reader()
    reply = await reader.do(COMPANY, "decide", **{**CHOICE, field: value})
    assert reply.status == 422
    assert said in text_of(reply)
    assert await desk.store.limit_decisions_of(desk.deployment.application.client_id) == []


async def test_an_auditor_finds_who_approved_what_and_why(desk: Desk) -> None:
    """On the screen, as CSV of one company and of all, through the API and by command; nobody else does."""
    reader = await desk.reader()
    for number in (PLAIN, HOSTILE_COMPANY):
        await reader.do(f"/workbench/companies/{number}", "decide", **{**CHOICE, "why": "=1+1"})
    screen = await reader.get("/workbench/limits")
    assert text_of(screen).count("in force") == 2
    assert HOSTILE not in screen.body.decode()
    every = (await reader.get("/workbench/limits.csv")).body.decode()
    rows = list(csv.DictReader(io.StringIO(every)))
    assert [each["company_number"] for each in rows] == [PLAIN, HOSTILE_COMPANY]
    assert rows[0]["proposed_by"] == "grace"
    assert not rows[0]["why"].startswith("=")
    one = (await reader.get(f"/workbench/limits.csv?company={PLAIN}")).body.decode()
    assert len(one.splitlines()) == 2
    page = await call(desk.deployment, "GET", f"{paths.LIMITS}?page_size=1")
    assert [each["company_number"] for each in page.json["limits"]] == [PLAIN]
    following = await call(desk.deployment, "GET", f"{paths.LIMITS}?page_token={page.json['next_page_token']}")
    assert [each["why"] for each in following.json["limits"]] == ["=1+1"]
    stranger = await desk.reader("eve", "credit:report", "credit:monitor")
    assert "No limits have been approved yet" in text_of(await stranger.get("/workbench/limits"))
    assert (await call(desk.deployment, "GET", f"{paths.LIMITS}/{OTHER}")).json["limits"] == []
    assert (await call(desk.deployment, "GET", f"{paths.LIMITS}/no-number")).status == 404


async def test_a_reader_without_monitoring_neither_sees_nor_decides(desk: Desk) -> None:
    reader = await desk.reader("ken", "credit:report")
    assert "Decide on the limit" not in text_of(await reader.get(COMPANY))
    assert (await reader.do(COMPANY, "decide", **CHOICE)).status == 403


async def test_the_audit_trail_has_the_decision_and_no_free_text(desk: Desk) -> None:
    reader = await desk.reader()
    await reader.do(COMPANY, "decide", **{**CHOICE, "note": "Ask Mrs Smith"})
    folder = desk.deployment.service.settings.audit_folder
    lines = [each for each in read_file(newest(folder, DEEDS)) if each.get("act") == "limit decide"]
    assert [(each["operator"], each["changes"]["amount"]) for each in lines] == [("grace", {"after": 5000})]
    assert not any(text in json.dumps(lines) for text in ("Smith", "Pays on time"))
