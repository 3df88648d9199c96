"""Alerts, digest, webhooks and decisions in the workbench."""

import csv
import datetime as dt
import io
import re
import shutil

import msgspec

from credence.monitoring.comparing import event_of
from credence.monitoring.transitions import ObservedChange
from credence.sandbox.provision import POLICY
from credence.store.portfolios import Portfolio
from credence.store.webhooks import WEBHOOKS, Webhook
from credence.telemetry.audit_files import DEEDS, newest, read_file
from tests.console.test_hostile_pages import elements_of
from tests.deployment import NOW
from tests.workbench.conftest import HOSTILE, OTHER, PAGE_BYTES, PLAIN, Desk, text_of

ALERTS = "/workbench/alerts"
DAY_MS = 86_400_000


async def with_events(desk: Desk, *changes: tuple[str, ObservedChange], owner: str = "", at: int = NOW) -> Portfolio:
    """Return a list of an application with these events: company and change."""
    application = owner or desk.deployment.application.client_id
    portfolio = Portfolio(f"pf_{len(await desk.store.portfolios())}", application, "North", NOW)
    await desk.store.save_portfolio(portfolio)
    if await desk.store.shared_value("comparison") is None:
        await desk.store.save_shared_value("comparison", 1, b"{}")
    events = [event_of(company, portfolio, each, at, str(place)) for place, (company, each) in enumerate(changes)]
    await desk.store.record(1, [], events)
    return portfolio


FELL = ObservedChange("band", "fell", "B", "D", "2023-11-01", "")
SCORED = ObservedChange("score", "fell", 70, 40, "2023-11-01", "")


async def test_alerts_are_read_assigned_and_noted_by_one_person_at_a_time(desk: Desk) -> None:
    reader = await desk.reader()
    await with_events(desk, (PLAIN, FELL), (OTHER, SCORED))
    inbox = text_of(await reader.get(ALERTS))
    assert "The band of the score changed" in inbox
    assert "The score changed" in inbox
    done = await reader.do(f"{ALERTS}/1", "change", read="1", assigned_to="Hedy", note="Limit halved")
    assert done.status == 200
    late = await reader.do(f"{ALERTS}/1", "change", note="mine", tag="old")
    assert late.status == 409
    assert "assigned to Hedy, with the note Limit halved" in text_of(late)
    assert 'value="mine"' in late.body.decode()
    assert f"{ALERTS}/1" not in (await reader.get(ALERTS)).body.decode()
    assert "Limit halved" in text_of(await reader.get(f"{ALERTS}?show=all&assigned=Hedy"))
    assert (await reader.do(ALERTS, "read", number="2")).status == 200
    assert "There is no such alert" in text_of(await reader.get(ALERTS))
    assert "Limit halved" in text_of(await reader.get(f"{ALERTS}?show=all"))


async def test_the_audit_trail_says_what_a_person_made_of_an_alert_and_of_a_list(desk: Desk) -> None:
    reader = await desk.reader()
    portfolio = await with_events(desk, (PLAIN, FELL))
    await reader.do(f"{ALERTS}/1", "change", read="1", assigned_to="Hedy")
    await reader.do(f"/workbench/lists/{portfolio.id}/rules", "change", name="South")
    await reader.do(f"/workbench/lists/{portfolio.id}/rules", "delete", sure="1")
    lines = read_file(newest(desk.deployment.service.settings.audit_folder, DEEDS))
    acts = {each["act"]: each for each in lines if each.get("event") == "operator" and each["through"] == "workbench"}
    assert list(acts) == ["alert set", "portfolio set", "portfolio delete"]
    assert {each["operator"] for each in acts.values()} == {"grace"}
    assert acts["alert set"]["alert"] == "1"
    assert acts["alert set"]["changes"]["assigned_to"] == {"before": "", "after": "Hedy"}
    assert acts["portfolio set"]["changes"]["name"] == {"before": "North", "after": "South"}


async def test_the_page_of_a_company_has_the_newest_of_many_events_about_it(desk: Desk) -> None:
    reader = await desk.reader()
    days = [dt.date(2023, 1, 1) + dt.timedelta(days=day) for day in range(210)]
    await with_events(desk, *((PLAIN, ObservedChange("score", "fell", 70, 40, day.isoformat(), "")) for day in days))
    page = (await reader.get(f"/workbench/companies/{PLAIN}/changes")).body.decode()
    assert re.findall(rf'href="{ALERTS}/(\d+)"', page) == [str(number) for number in range(210, 190, -1)]


async def test_every_list_of_a_reader_has_its_name_however_many_there_are(desk: Desk) -> None:
    """The operator may share lists with an application that has two hundred of its own."""
    reader = await desk.reader()
    for number in range(200):
        name = f"List {number}"
        await desk.store.save_portfolio(Portfolio(f"pf_{number:03}", desk.deployment.application.client_id, name, NOW))
    shared = await with_events(desk, (PLAIN, FELL), owner="crd_sbx_app_other")
    last = msgspec.structs.replace(
        shared, version=2, name="The last", shared_with=(desk.deployment.application.client_id,)
    )
    await desk.store.save_portfolio(last)
    for path in (ALERTS, "/workbench/digest?day=2023-11-14"):
        page = text_of(await reader.get(path))
        assert page.count("The last") >= 1, path
        assert "deleted list" not in page
    chosen = (await reader.get(f"{ALERTS}?list={last.id}")).body.decode()
    assert f'<option value="{last.id}" selected>The last' in chosen
    assert chosen.count('<option value="pf_') == 51
    assert "These are 50 of your lists" in chosen
    await desk.store.save_portfolio(Portfolio("pf_secret", "crd_sbx_app_other", "Of others", NOW))
    assert "Of others" not in text_of(await reader.get(f"{ALERTS}?list=pf_secret"))


async def test_alerts_are_chosen_by_list_rule_and_company(desk: Desk) -> None:
    reader = await desk.reader()
    first = await with_events(desk, (PLAIN, FELL))
    await with_events(desk, (OTHER, SCORED))
    for query, company in ((f"list={first.id}", PLAIN), ("rule=score", OTHER), (f"company={PLAIN}", PLAIN)):
        page = (await reader.get(f"{ALERTS}?{query}")).body.decode()
        assert [each for each in (PLAIN, OTHER) if f"/companies/{each}" in page] == [company], query
    wrong = await reader.get(f"{ALERTS}?company=xyz")
    assert "Enter a company number" in text_of(wrong)
    assert 'value="xyz"' in wrong.body.decode()


async def test_the_alerts_of_another_application_do_not_exist(desk: Desk) -> None:
    reader = await desk.reader()
    await with_events(desk, (PLAIN, FELL), owner="crd_sbx_app_other")
    assert "There is no such alert" in text_of(await reader.get(ALERTS))
    assert (await reader.get(f"{ALERTS}/1")).status == 404
    assert (await reader.do(f"{ALERTS}/1", "change")).status == 404
    assert (await reader.do(ALERTS, "read", number="1")).status == 404
    assert "None of your lists" in text_of(await reader.get(f"/workbench/companies/{PLAIN}/changes"))


async def test_a_list_shows_the_newest_event_of_each_company(desk: Desk) -> None:
    reader = await desk.reader()
    portfolio = await with_events(desk, (PLAIN, FELL), (PLAIN, SCORED))
    await reader.do(f"/workbench/lists/{portfolio.id}", "add", number=PLAIN)
    page = (await reader.get(f"/workbench/lists/{portfolio.id}")).body.decode()
    assert f"{ALERTS}/2" in page
    assert f"{ALERTS}/1" not in page


async def test_the_digest_counts_the_events_of_a_day(desk: Desk) -> None:
    reader = await desk.reader()
    await with_events(desk, (PLAIN, FELL), (OTHER, FELL), (PLAIN, SCORED), at=NOW - DAY_MS)
    page = text_of(await reader.get("/workbench/digest"))
    assert "3 events on 13 November 2023" in page  # NOW is 14 November 2023
    assert "The band of the score changed. 2 2" in page
    assert "Nothing was found" in text_of(await reader.get("/workbench/digest?day=2023-11-12"))
    for day in ("2023-11-31", "2030-01-01", "x"):
        assert "Enter today or an earlier date" in text_of(await reader.get(f"/workbench/digest?day={day}"))


async def test_webhooks_show_their_attempts_to_their_owner_alone(desk: Desk) -> None:
    reader = await desk.reader()
    own = desk.deployment.application.client_id
    for identity, owner in (("wh_own", own), ("wh_other", "crd_sbx_app_other")):
        hook = Webhook(identity, owner, f"https://hooks.example/{owner}", NOW, "ed25519", (), description=HOSTILE)
        await desk.store.save(WEBHOOKS, hook)
    page = await reader.get("/workbench/webhooks")
    assert "wh_own" in page.body.decode()
    assert "wh_other" not in page.body.decode()
    assert "No attempts" in text_of(await reader.get("/workbench/webhooks/wh_own"))
    assert (await reader.get("/workbench/webhooks/wh_other")).status == 404


async def test_values_and_notes_of_alerts_are_text_and_nothing_else(desk: Desk) -> None:
    reader = await desk.reader()
    await with_events(desk, (PLAIN, FELL))
    paths = (ALERTS, f"{ALERTS}/1", f"/workbench/companies/{PLAIN}/changes")
    clean = set().union(*[elements_of(await reader.get(each)) for each in paths])
    hostile = ObservedChange("name", HOSTILE, HOSTILE * 100, HOSTILE, HOSTILE, "")
    await with_events(desk, *[(PLAIN, hostile._replace(day=f"{HOSTILE}{n}")) for n in range(60)])
    for path in (*paths, f"{ALERTS}/2"):
        page = await reader.get(path)
        assert page.status == 200
        assert elements_of(page) <= clean, path
        assert "\u202e" not in page.body.decode()
        assert len(page.body) <= PAGE_BYTES


async def test_a_decision_is_that_of_the_api_and_many_are_rows(desk: Desk) -> None:
    """D42."""
    reader = await desk.reader()
    folder = desk.deployment.service.settings.policy_folder
    assert "No policy is installed" in text_of(await reader.get("/workbench/decisions"))
    folder.mkdir()
    shutil.copy(POLICY, folder)
    page = text_of(await reader.get(f"/workbench/decisions?policy=trade-credit&number={PLAIN}&amount=5%2C000"))
    assert "Outcome refer" in page or "Outcome decline" in page or "Outcome accept" in page
    for field, query, said in (
        ("number", "number=xyz", "Enter a company number"),
        ("number", "number=09999998", "No company with this number"),
        ("amount", f"number={PLAIN}&amount=much", "whole number"),
    ):
        wrong = await reader.get(f"/workbench/decisions?policy=trade-credit&{query}")
        assert said in text_of(wrong)
        assert 'aria-invalid="true"' in wrong.body.decode().partition(f'id="query-{field}"')[2].partition(">")[0]
    rows = f"{PLAIN},5000\nxyz,1\n{OTHER},much"
    many = await reader.do("/workbench/decisions", "many", policy="trade-credit", rows=rows)
    assert many.status == 200
    assert "2 not decided" in text_of(many)
    exported = await reader.do("/workbench/decisions", "many", policy="trade-credit", rows=rows, csv="1")
    table = list(csv.DictReader(io.StringIO(exported.body.decode())))
    assert [each["RegNumber"] for each in table] == [PLAIN, "", ""]
    assert table[0]["Outcome"]
    assert (await reader.do("/workbench/decisions", "many", policy="none", rows=rows)).status == 422
    assert (await reader.do("/workbench/decisions", "many", policy="trade-credit", rows="")).status == 422
