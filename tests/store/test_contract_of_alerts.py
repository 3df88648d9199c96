"""The contract of the store for alerts and digests (D31)."""

import pytest

from credence.store.alerts import AlertFilter, AlertState, DigestLine
from credence.store.contract import Conflict, Store
from credence.store.events import KEPT_MS, EventFilter, NewEvent
from credence.store.portfolios import Portfolio
from tests.store.records import DAY, NOW

OWNER, SHARED, STRANGER = "crd_sbx_app_a", "crd_sbx_app_b", "crd_sbx_app_c"
EVERY = AlertFilter()


def event(key: str, of: str = "p1", rule: str = "band", company: str = "00000001", at: int = NOW) -> NewEvent:
    return NewEvent(key.encode(), of, rule, company, at + KEPT_MS, b"{}")


async def with_events(store: Store, *events: NewEvent) -> Store:
    await store.save_shared_value("comparison", 1, b"{}")
    await store.save_portfolio(Portfolio("p1", OWNER, "North", NOW, shared_with=(SHARED,)))
    await store.save_portfolio(Portfolio("p2", STRANGER, "South", NOW))
    await store.record(1, [], events)
    return store


async def numbers(store: Store, client_id: str, only: AlertFilter = EVERY, after: int = 0, limit: int = 9) -> list[int]:
    return [each.event.number for each in await store.alerts(client_id, after, limit, only)]


async def test_the_state_of_an_event_is_shared_by_those_who_may_read_it(store: Store) -> None:
    await with_events(store, event("a"), event("b", of="p2"), event("c", rule="score"))
    assert [each.state for each in await store.alerts(OWNER, 0, 9, EVERY)] == [AlertState(1), AlertState(3)]
    state = AlertState(1, 1, NOW, "Ada", "Call them")
    await store.save_alert(state)
    for reader in (OWNER, SHARED):
        assert (await store.alerts(reader, 0, 1, EVERY))[0].state == state
    assert await numbers(store, STRANGER) == [2]


async def test_alerts_are_chosen_by_event_and_state(store: Store) -> None:
    await with_events(store, event("a"), event("b"), event("c", rule="score", company="00000002"))
    await store.save_alert(AlertState(1, 1, NOW, "Ada"))
    await store.save_alert(AlertState(2, 1, 0, "Ada"))
    for only, expected in (
        (EVERY, [1, 2, 3]),
        (AlertFilter(unread=True), [2, 3]),
        (AlertFilter(assigned_to="Ada"), [1, 2]),
        (AlertFilter(assigned_to="A\0"), []),
        (AlertFilter(EventFilter(rule="score")), [3]),
        (AlertFilter(EventFilter(company="00000001"), unread=True), [2]),
        (AlertFilter(EventFilter(portfolio="p2")), []),
    ):
        assert await numbers(store, OWNER, only) == expected, only
    assert await numbers(store, OWNER, after=1, limit=1) == [2]


async def test_the_newest_events_about_a_company_come_first(store: Store) -> None:
    other = event("d", company="00000002")
    await with_events(store, event("a"), event("b", of="p2"), event("c", rule="score"), other, event("e"))
    assert [each.number for each in await store.newest_about(SHARED, "00000001", 9)] == [5, 3, 1]
    assert [each.number for each in await store.newest_about(OWNER, "00000001", 2)] == [5, 3]
    assert await store.newest_about(STRANGER, "00000002", 9) == []


async def test_of_two_writers_of_a_state_one_conflicts(store: Store) -> None:
    await with_events(store, event("a"))
    for impossible in (AlertState(1, 2), AlertState(9, 1), AlertState(0, 1)):
        with pytest.raises(Conflict):
            await store.save_alert(impossible)
    await store.save_alert(AlertState(1, 1, note="one"))
    with pytest.raises(Conflict):
        await store.save_alert(AlertState(1, 1, note="two"))
    await store.save_alert(AlertState(1, 2, note="two"))
    assert (await store.alerts(OWNER, 0, 1, EVERY))[0].state == AlertState(1, 2, note="two")


async def test_a_digest_counts_what_was_made_in_a_time_for_those_who_may_read_it(store: Store) -> None:
    await with_events(
        store,
        event("a"),
        event("b", company="00000002"),
        event("c", rule="score"),
        event("d", of="p2"),
        event("e", at=NOW + DAY),
        event("f", at=NOW - 1),
    )
    expected = [DigestLine("p1", "band", 2, 2, 1, 2), DigestLine("p1", "score", 1, 1, 3, 3)]
    for reader in (OWNER, SHARED):
        assert await store.digest(reader, NOW, NOW + DAY) == expected
    assert await store.digest(STRANGER, NOW, NOW + DAY) == [DigestLine("p2", "band", 1, 1, 4, 4)]
    assert await store.readers_of_events(NOW, NOW + DAY) == [OWNER, SHARED, STRANGER]
    assert await store.readers_of_events(NOW + DAY, NOW + 2 * DAY) == [OWNER, SHARED]
    assert await store.readers_of_events(NOW + 2 * DAY, NOW + 3 * DAY) == []


async def test_the_newest_event_of_each_company_of_a_portfolio_is_found(store: Store) -> None:
    await with_events(
        store,
        event("a"),
        event("b", company="00000002"),
        event("c", rule="score"),
        event("d", of="p2"),
        event("e", company="00000003"),
    )
    found = await store.newest_events("p1", ["00000001", "00000002", "00000009"])
    assert {company: (each.number, each.rule) for company, each in found.items()} == {
        "00000001": (3, "score"),
        "00000002": (2, "band"),
    }
    assert await store.newest_events("p1", []) == {}
