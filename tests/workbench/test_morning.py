"""The start page of the workbench: what a credit controller does each morning."""

import datetime as dt
import re

import msgspec

from credence.clock import london_day
from credence.monitoring.company_alerts import alerts_by_company
from credence.monitoring.mailing import subject_of
from credence.monitoring.mailing import text_of as text_of_mail
from credence.monitoring.transitions import ObservedChange
from credence.report.outline import Outline
from credence.store.portfolios import WatchedCompany
from tests.console.test_hostile_pages import elements_of
from tests.deployment import NOW
from tests.workbench.conftest import HOSTILE, HOSTILE_COMPANY, OTHER, PLAIN, Desk, text_of
from tests.workbench.test_alerts import FELL, SCORED, with_events
from tests.workbench.test_book import observation

HOME = "/workbench"


async def test_a_company_is_one_line_with_its_causes_until_it_is_acknowledged(desk: Desk) -> None:
    reader = await desk.reader()
    portfolio = await with_events(desk, (PLAIN, FELL), (PLAIN, SCORED), (OTHER, SCORED))
    await desk.store.watch(portfolio.id, [WatchedCompany(PLAIN, exposure=9_000), WatchedCompany(OTHER)], 10)
    page = text_of(await reader.get(HOME))
    assert "Alerts: 2 companies" in page
    assert "The band of the score changed: B to D; The score changed: 70 to 40" in page.replace("  ", " ") or (
        "The score changed: 70 to 40; The band of the score changed: B to D" in page
    )
    assert "£9,000" in page
    done = await reader.do(HOME, "acknowledge", number=PLAIN, up_to="2")
    assert done.status < 400
    assert "Alerts: 1 company" in text_of(await reader.get(HOME))
    assert (await reader.do(HOME, "acknowledge", number=PLAIN, up_to="2")).status == 404


async def test_an_exposure_that_one_list_does_not_know_is_the_least_wherever_the_alert_is_told(desk: Desk) -> None:
    reader = await desk.reader()
    portfolio = await with_events(desk, (PLAIN, FELL))
    await desk.store.watch(portfolio.id, [WatchedCompany(PLAIN, exposure=9_000)], 10)
    gone = Outline("PLAIN TRADING LIMITED", "Liquidation", insolvency="proceedings", event="liquidation")
    await desk.store.record(1, [(PLAIN, observation(gone))], [])
    (whole,) = await alerts_by_company(desk.store, portfolio.owner, london_day(NOW))
    assert (whole.exposure_is_least, subject_of([whole], "Credence")) == (
        False,
        "Credence: alerts about 1 company, £9,000 at risk",
    )
    await desk.store.save_portfolio(msgspec.structs.replace(portfolio, id="pf_more", name="Watched"), 10)
    await desk.store.watch("pf_more", [WatchedCompany(PLAIN)], 10)
    (least,) = await alerts_by_company(desk.store, portfolio.owner, london_day(NOW))
    assert (least.exposure, least.exposure_is_least) == (9_000, True)
    assert least.to_do == "Stop supplies and claim at least £9,000 in the proceedings."
    page = text_of(await reader.get(HOME))
    assert "Alerts: 1 company, at least £9,000 at risk" in page
    assert page.count("at least £9,000") == 4  # title, pounds at risk, exposure, what to do
    assert text_of(await reader.get(f"{HOME}/company-alerts/{PLAIN}")).count("at least £9,000") == 3
    unknown = msgspec.structs.replace(least, exposure=None, at_risk=None)
    assert subject_of([unknown], "Credence") == "Credence: alerts about 1 company"
    mail = text_of_mail([least], "1 November 2026", "", "")
    assert "at least £9,000 at risk, exposure at least £9,000" in mail


async def test_a_petition_from_before_the_watch_is_the_first_cause_but_not_said_twice(desk: Desk) -> None:
    reader = await desk.reader()
    portfolio = await with_events(desk, (PLAIN, FELL))
    await desk.store.watch(portfolio.id, [WatchedCompany(PLAIN)], 10)
    words = "Winding-up petition of 10 October 2023"
    seen = Outline("PLAIN TRADING LIMITED", "Active", insolvency="petition", event=words)
    await desk.store.record(1, [(PLAIN, observation(seen))], [])
    assert f"{words}; The band of the score changed: B to D" in text_of(await reader.get(HOME))
    await with_events(desk, (PLAIN, ObservedChange("notice", "2450", None, "2450", "2023-10-10", "n1")))
    page = text_of(await reader.get(HOME))
    assert "Gazette notice: Petition to wind up; The band of the score changed" in page
    assert words not in page


async def test_an_event_after_the_page_was_opened_is_not_acknowledged_with_the_others(desk: Desk) -> None:
    reader = await desk.reader()
    portfolio = await with_events(desk, (PLAIN, FELL), (PLAIN, SCORED))
    await desk.store.watch(portfolio.id, [WatchedCompany(PLAIN)], 10)
    await reader.do(HOME, "acknowledge", number=PLAIN, up_to="1")
    page = text_of(await reader.get(HOME))
    assert "The score changed: 70 to 40" in page
    assert "The band of the score changed" not in page


async def test_alerts_of_a_company_are_assigned_and_snoozed_on_their_page(desk: Desk) -> None:
    reader = await desk.reader()
    portfolio = await with_events(desk, (PLAIN, FELL))
    await desk.store.watch(portfolio.id, [WatchedCompany(PLAIN)], 10)
    path = f"{HOME}/company-alerts/{PLAIN}"
    assert (await reader.do(path, "assign", to="Hedy")).status < 400
    assert "Hedy" in text_of(await reader.get(HOME))
    for wrong in ("", "2023-11-14", "2025-01-01", "14/11/2023", "x"):
        refused = await reader.do(path, "snooze", until=wrong)
        assert refused.status == 422, wrong
        assert "Enter a day after today" in text_of(refused)
    assert (await reader.do(path, "snooze", until="2023-11-21")).status < 400  # NOW is 14 November 2023
    assert "No alerts" in text_of(await reader.get(HOME))
    desk.deployment.now += 8 * 86_400_000
    again = await (await desk.reader("hedy")).get(HOME)
    assert "The band of the score changed" in text_of(again)


async def test_the_alerts_of_another_application_are_neither_shown_nor_acknowledged(desk: Desk) -> None:
    reader = await desk.reader()
    portfolio = await with_events(desk, (PLAIN, FELL), owner="crd_sbx_app_other")
    await desk.store.watch(portfolio.id, [WatchedCompany(PLAIN)], 10)
    assert "Create a list" in text_of(await reader.get(HOME))
    page = text_of(await reader.get(f"{HOME}/company-alerts/{PLAIN}"))
    assert "There are no open alerts about this company" in page
    assert (await reader.do(HOME, "acknowledge", number=PLAIN, up_to="0")).status == 404
    assert len(await desk.store.open_events("crd_sbx_app_other", "2023-11-14")) == 1


async def test_texts_of_the_morning_are_text_and_nothing_else(desk: Desk) -> None:
    reader = await desk.reader()
    portfolio = await with_events(desk, (HOSTILE_COMPANY, FELL))
    kept = WatchedCompany(HOSTILE_COMPANY, HOSTILE, 5, "GBP", HOSTILE)
    await desk.store.watch(portfolio.id, [kept], 10)
    path = f"{HOME}/company-alerts/{HOSTILE_COMPANY}"
    clean = [elements_of(await reader.get(each)) for each in (HOME, path)]
    day = dt.date(2023, 11, 1).isoformat()
    await with_events(desk, (HOSTILE_COMPANY, ObservedChange("status", HOSTILE, HOSTILE, HOSTILE, day, HOSTILE)))
    for each, elements in zip((HOME, path), clean, strict=True):
        page = await reader.get(each)
        assert page.status == 200
        assert elements_of(page) <= elements, each
        assert "\u202e" not in page.body.decode()


async def test_a_card_of_a_phone_names_each_text_by_its_column(desk: Desk) -> None:
    """A narrow screen has no place for the headings: a style sheet writes the name before the text."""
    reader = await desk.reader()
    portfolio = await with_events(desk, (PLAIN, FELL))
    await desk.store.watch(portfolio.id, [WatchedCompany(PLAIN, exposure=9_000)], 10)
    page = (await reader.get(HOME)).body.decode()
    names = re.findall(r'<td[^>]* data-name="([^"]+)"', page)
    assert {"At risk", "Why", "What to do", "Acknowledge"} <= set(names)
    assert "Assigned to" not in names, "no one works on an alert yet"
