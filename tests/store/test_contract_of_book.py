"""The contract of the store for the book of an application: its companies, open events and limits at once (D31)."""

import pytest

from credence.store.alerts import AlertState
from credence.store.book import WatchedRow
from credence.store.contract import Conflict, Store
from credence.store.limit_decisions import LIMIT_DECISIONS, State
from credence.store.portfolios import Portfolio, WatchedCompany
from tests.store.records import NOW, limit_decision
from tests.store.test_contract_of_alerts import OWNER, SHARED, STRANGER, event, with_events

ONE, TWO = "00000001", "00000002"


async def test_the_companies_of_all_portfolios_of_a_reader_come_with_their_observations(store: Store) -> None:
    await store.save_shared_value("comparison", 1, b"{}")
    await store.save_portfolio(Portfolio("p1", OWNER, "North", NOW, shared_with=(SHARED,)))
    await store.save_portfolio(Portfolio("p2", OWNER, "South", NOW))
    await store.watch("p1", [WatchedCompany(TWO), WatchedCompany(ONE, exposure=5)], 9)
    await store.watch("p2", [WatchedCompany(ONE, exposure=7)], 9)
    await store.record(1, [(ONE, b"seen")], [])
    first = [WatchedRow("p1", WatchedCompany(ONE, exposure=5), b"seen")]
    second = [WatchedRow("p2", WatchedCompany(ONE, exposure=7), b"seen")]
    third = [WatchedRow("p1", WatchedCompany(TWO), None)]
    assert await store.watched_by(OWNER) == first + second + third
    assert await store.watched_by(SHARED) == first + third
    assert await store.watched_by(OWNER, [TWO]) == third
    assert await store.watched_by(STRANGER) == []


async def test_open_events_are_those_that_are_neither_acknowledged_nor_snoozed(store: Store) -> None:
    await with_events(store, event("a"), event("b", of="p2"), event("c"), event("d", company=TWO))
    await store.save_alerts([AlertState(1, 1, NOW), AlertState(3, 1, 0, "Ada", snoozed_until="2026-11-08")])
    assert [each.number for each in await store.open_events(OWNER, "2026-11-07")] == [4]
    assert [each.number for each in await store.open_events(OWNER, "2026-11-08")] == [4, 3]
    (rested,) = await store.open_events(OWNER, "2026-11-08", ONE)
    assert rested.state == AlertState(3, 1, 0, "Ada", snoozed_until="2026-11-08")
    assert [each.number for each in await store.open_events(STRANGER, "2026-11-08")] == [2]


async def test_states_are_stored_all_or_none(store: Store) -> None:
    await with_events(store, event("a"), event("b"))
    await store.save_alert(AlertState(2, 1, note="theirs"))
    with pytest.raises(Conflict):
        await store.save_alerts([AlertState(1, 1, NOW), AlertState(2, 1, NOW)])
    assert [each.number for each in await store.open_events(OWNER, "2026-11-07")] == [2, 1]


async def test_pairs_of_new_companies_wait_until_they_are_observed_and_told(store: Store) -> None:
    await store.save_shared_value("comparison", 1, b"{}")
    await store.save_portfolio(Portfolio("p1", OWNER, "North", NOW))
    await store.watch("p1", [WatchedCompany(ONE), WatchedCompany(TWO)], 9)
    assert await store.newly_watched(9) == []
    await store.record(1, [(ONE, b"seen"), (TWO, b"seen")], [])
    assert await store.newly_watched(9) == [("p1", ONE), ("p1", TWO)]
    with pytest.raises(Conflict):
        await store.record_added(2, [("p1", ONE)], [event("a")])
    assert await store.record_added(1, [("p1", ONE)], [event("a")]) == 1
    assert await store.newly_watched(9) == [("p1", TWO)]
    await store.watch("p1", [WatchedCompany(ONE, note="known")], 9)
    assert await store.newly_watched(9) == [("p1", TWO)]
    await store.unwatch("p1", [TWO])
    assert await store.newly_watched(9) == []


async def test_the_limits_that_hold_are_read_at_once(store: Store) -> None:
    decisions: tuple[tuple[int, State, int], ...] = ((1, "approved", 100), (2, "approved", 200), (3, "waiting", 900))
    for place, state, amount in decisions:
        await store.save(LIMIT_DECISIONS, limit_decision(place, state, ONE, OWNER, amount))
    await store.save(LIMIT_DECISIONS, limit_decision(1, "approved", TWO, STRANGER, 300))
    held = await store.limits_held(OWNER)
    assert {company: each.amount for company, each in held.items()} == {ONE: 200}
    assert await store.limits_held(OWNER, [ONE]) == held
    assert await store.limits_held(OWNER, [TWO]) == {}
