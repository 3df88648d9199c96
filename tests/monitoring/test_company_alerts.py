"""Alerts by company: the pounds at risk come first, causes of one matter are one line, and a person works on all of them."""

import datetime as dt
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from credence.clock import london_day
from credence.monitoring.book import book_of
from credence.monitoring.company_alerts import alerts_by_company, open_alerts, with_states
from credence.monitoring.rules import DEFAULT_RULES
from credence.scoring.basis.scale import probability_of
from credence.store.contract import Conflict, Store
from credence.store.limit_decisions import LIMIT_DECISIONS, Grounds, LimitDecision, decision_id
from credence.store.portfolios import Portfolio, WatchedCompany
from credence.store.sqlite.store import SqliteStore
from tests.monitoring.watching import NOW, OWNER, Watching

SOUND = {"CompanyStatus": "Active"}
FAILED = {"CompanyStatus": "Liquidation"}
ONE, TWO, THREE = "00000001", "00000002", "00000003"
TODAY = dt.date(2026, 11, 1)


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    opened = SqliteStore(tmp_path / "credence.sqlite")
    yield opened
    await opened.close()


@pytest.fixture
def watching(store: Store, tmp_path: Path) -> Watching:
    return Watching(store, tmp_path / "credit")


async def customers(watching: Watching, **exposures: int) -> None:
    """Make a list with the default rules; `n` before a number makes it a name."""
    await watching.store.save_portfolio(Portfolio("p1", OWNER, "Customers", NOW, rules=DEFAULT_RULES))
    kept = [WatchedCompany(name.removeprefix("n"), exposure=pounds) for name, pounds in exposures.items()]
    await watching.store.watch("p1", kept, 100)


async def test_what_held_when_a_company_was_added_is_told_as_a_condition_and_what_came_later_as_a_change(
    watching: Watching, store: Store
) -> None:
    late = {"Accounts_NextDueDate": "01/09/2026", "ConfStmtNextDueDate": "01/09/2026"}
    watching.register("2026-10-01", n00000001={**SOUND, **late}, n00000002=SOUND, n00000003=FAILED)
    await customers(watching, n00000001=3_000, n00000002=2_000, n00000003=900)
    await watching.compare()
    watching.register("2026-11-01", n00000001={**SOUND, **late}, n00000002={**SOUND, **late}, n00000003=FAILED)
    await watching.compare()
    words = {
        each.company_number: {cause.words for cause in each.causes}
        for each in await alerts_by_company(store, OWNER, TODAY)
    }
    assert words[ONE] >= {"Accounts are overdue", "The confirmation statement is overdue"}
    assert words[TWO] >= {"Accounts became overdue", "The confirmation statement became overdue"}
    assert "Status in the register: Liquidation" in words[THREE]


async def test_a_liquidation_loaded_at_night_is_the_first_line_with_its_pounds(
    watching: Watching, store: Store
) -> None:
    watching.register("2026-10-01", n00000001=SOUND, n00000002=SOUND, n00000003=SOUND)
    await customers(watching, n00000001=500_000, n00000002=40_000, n00000003=900)
    await watching.compare()
    late = {"Accounts_NextDueDate": "01/09/2026"}
    watching.register("2026-11-01", n00000001={**SOUND, **late}, n00000002=FAILED, n00000003=FAILED)
    await watching.compare()
    found = await alerts_by_company(store, OWNER, TODAY)
    first = found[0]
    assert first.company_number == TWO
    assert (first.severity, first.exposure, first.at_risk) == ("critical", 40_000, 40_000)
    assert "The status in the register changed: Active to Liquidation" in [each.words for each in first.causes]
    assert "£40,000" in first.to_do
    assert len({each.company_number for each in found}) == len(found)
    by_number = {each.company_number: each for each in found}
    assert by_number[THREE].at_risk == 900
    (line,) = await book_of(store, OWNER, [ONE])
    assert line.seen.score is not None
    assert line.at_risk == round(500_000 * probability_of(line.seen.score))


async def test_what_a_dissolved_company_owes_is_not_claimed_in_proceedings(watching: Watching, store: Store) -> None:
    """There are none: a creditor applies to have it restored first (Companies Act 2006, section 1029)."""
    watching.register("2026-10-01", n00000001={"CompanyStatus": "Dissolved"}, n00000002=SOUND)
    await customers(watching, n00000001=7_000, n00000002=100)
    await watching.compare()
    (alert,) = await alerts_by_company(store, OWNER, TODAY)
    assert (alert.severity, alert.at_risk) == ("critical", 7_000)
    assert alert.to_do == (
        "Stop supplies: the £7,000 owed can be claimed only once the company is restored to the register."
    )


async def test_what_holds_when_a_company_is_added_is_an_alert_of_that_list_once(
    watching: Watching, store: Store
) -> None:
    watching.register("2026-10-01", n00000001=FAILED, n00000002=SOUND)
    await customers(watching, n00000001=7_000, n00000002=100)
    await watching.compare()
    (alert,) = await alerts_by_company(store, OWNER, TODAY)
    assert (alert.company_number, alert.at_risk) == (ONE, 7_000)
    assert {each.rule for each in alert.causes} == {"status"}
    before = await store.last_event()
    assert await watching.compare() == 0
    assert await store.last_event() == before
    other = "crd_sbx_app_b"
    await store.save_portfolio(Portfolio("p2", other, "Theirs", NOW, rules=DEFAULT_RULES))
    await store.watch("p2", [WatchedCompany(ONE)], 100)
    await watching.compare()
    (theirs,) = await alerts_by_company(store, other, TODAY)
    assert (theirs.company_number, theirs.exposure, theirs.at_risk) == (ONE, None, None)
    assert len(await alerts_by_company(store, OWNER, TODAY)) == 1


async def test_a_company_that_leaves_before_the_comparison_makes_no_alert(watching: Watching, store: Store) -> None:
    watching.register("2026-10-01", n00000001=FAILED, n00000002=SOUND)
    await customers(watching, n00000001=7_000, n00000002=100)
    await store.unwatch("p1", [ONE])
    await watching.compare()
    assert await alerts_by_company(store, OWNER, TODAY) == []


async def test_acknowledged_and_snoozed_alerts_leave_the_list_until_something_new_or_the_day(
    watching: Watching, store: Store
) -> None:
    watching.register("2026-10-01", n00000001=FAILED)
    await customers(watching, n00000001=7_000)
    await watching.compare()
    found = await open_alerts(store, OWNER, ONE)
    assert found is not None
    rested = with_states(found, 0, snoozed_until="2026-11-08")
    await store.save_alerts([each.state for each in rested.events])
    assert await alerts_by_company(store, OWNER, dt.date(2026, 11, 7)) == []
    assert len(await alerts_by_company(store, OWNER, dt.date(2026, 11, 8))) == 1
    with pytest.raises(Conflict):
        await store.save_alerts([each.state for each in with_states(found, 0, read_at=NOW).events])
    again = await open_alerts(store, OWNER, ONE)
    assert again is not None
    await store.save_alerts([each.state for each in with_states(again, 0, read_at=NOW).events])
    assert await alerts_by_company(store, OWNER, dt.date(2026, 12, 1)) == []
    assert await open_alerts(store, OWNER, ONE) is None


async def test_the_book_knows_the_band_of_a_month_ago_and_the_approved_limit(watching: Watching, store: Store) -> None:
    watching.register("2026-10-01", n00000001=SOUND)
    await customers(watching, n00000001=7_000)
    await watching.compare()
    began = london_day(watching.now)
    (line,) = await book_of(store, OWNER)
    was = line.seen.band
    watching.now += 40 * 86_400_000
    watching.register("2026-12-01", n00000001=FAILED)
    await watching.compare()
    grounds = Grounds(TODAY, "PLACEHOLDER")
    await store.save(
        LIMIT_DECISIONS,
        LimitDecision(
            id=decision_id(OWNER, ONE, 1),
            owner=OWNER,
            company=ONE,
            place=1,
            state="approved",
            amount=5_000,
            why="Known.",
            review_on=TODAY,
            proposed_by="grace",
            proposed_at=NOW,
            grounds=grounds,
        ),
    )
    (line,) = await book_of(store, OWNER)
    today = london_day(watching.now)
    assert was
    assert line.seen.band != was
    assert line.standing.band_on(today - dt.timedelta(days=30)) == was
    assert line.standing.band_on(today) == line.seen.band
    assert line.standing.band_on(began - dt.timedelta(days=1)) is None
    assert (line.limit, line.headroom) == (5_000, -2_000)
    assert line.is_due(TODAY)
    assert not line.is_due(TODAY - dt.timedelta(days=1))
