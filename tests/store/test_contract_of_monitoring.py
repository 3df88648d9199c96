"""The contract of the store for portfolios, observations and events (D31)."""

import asyncio

import msgspec
import pytest

from credence.store.contract import Conflict, Full, Store
from credence.store.events import EventFilter, NewEvent
from credence.store.portfolios import Portfolio, RuleSetting, WatchedCompany
from credence.store.statements import Row, Statement
from tests.store.locations import opened_postgres
from tests.store.records import DAY, NOW

OWNER, SHARED, STRANGER = "crd_sbx_app_a", "crd_sbx_app_b", "crd_sbx_app_c"
EVERY = EventFilter()


def portfolio(identity: str = "p1", **changes: object) -> Portfolio:
    return msgspec.structs.replace(Portfolio(identity, OWNER, "Customers", NOW), **changes)


def event(key: str, of: str = "p1", rule: str = "band", company: str = "00000001", until: int = NOW) -> NewEvent:
    return NewEvent(key.encode(), of, rule, company, until, b"{}")


async def marked(store: Store) -> Store:
    await store.save_shared_value("comparison", 1, b"{}")
    return store


async def test_a_portfolio_is_read_by_its_owner_and_those_it_is_shared_with(store: Store) -> None:
    kept = portfolio(rules=(RuleSetting("score", by=5),), shared_with=(SHARED,))
    await store.save_portfolio(kept)
    await store.save_portfolio(portfolio("p2"))
    assert await store.portfolio("p1") == kept
    assert [each.id for each in await store.portfolios_of(OWNER, "", 10)] == ["p1", "p2"]
    assert [each.id for each in await store.portfolios_of(OWNER, "p1", 10)] == ["p2"]
    assert [each.id for each in await store.portfolios_of(OWNER, "", 1)] == ["p1"]
    assert await store.portfolios_of(SHARED, "", 10) == [kept]
    assert await store.portfolios_of(STRANGER, "", 10) == []
    await store.save_portfolio(msgspec.structs.replace(kept, version=2, shared_with=()))
    assert await store.portfolios_of(SHARED, "", 10) == []


async def test_of_portfolios_that_are_made_at_once_those_above_the_limit_are_not_stored(store: Store) -> None:
    """threats E10: one that is shared with the owner counts, a deleted one does not."""
    await store.save_portfolio(portfolio("shared", owner=STRANGER, shared_with=(OWNER,)))
    await store.save_portfolio(portfolio("deleted"))
    await store.delete_portfolio(portfolio("deleted"))
    made = [portfolio(f"p{number}") for number in range(5)]
    saved = await asyncio.gather(*(store.save_portfolio(each, 3) for each in made), return_exceptions=True)
    assert [type(each) for each in saved if each is not None] == [Full] * 3
    kept = [each for each in await store.portfolios_of(OWNER, "", 10) if each.owner == OWNER]
    assert len(kept) == 2
    await store.save_portfolio(msgspec.structs.replace(kept[0], version=2, name="Suppliers"), 3)
    await store.save_portfolio(portfolio("another", owner=STRANGER), 3)


async def test_of_two_changes_of_one_version_one_takes_effect(store: Store) -> None:
    await store.save_portfolio(portfolio())
    changes = [store.save_portfolio(portfolio(version=2, name=name)) for name in ("one", "two")]
    found = await asyncio.gather(*changes, return_exceptions=True)
    assert [type(each) for each in found if each is not None] == [Conflict]
    with pytest.raises(Conflict):
        await store.save_portfolio(portfolio())
    with pytest.raises(Conflict):
        await store.delete_portfolio(portfolio())


async def test_companies_are_added_changed_and_limited(store: Store) -> None:
    await store.save_portfolio(portfolio())
    one, two, three = (WatchedCompany(f"{number:08}") for number in (1, 2, 3))
    assert await store.watch("p1", [two, one, two], 2) == ["added", "added", "unchanged"]
    richer = msgspec.structs.replace(one, exposure=5_000, currency="GBP", note="Ask for a guarantee", reference="C-1")
    assert await store.watch("p1", [three, richer], 2) == ["full", "changed"]
    assert await store.watched("p1", "", 10) == [richer, two]
    assert await store.watched("p1", one.company, 10) == [two]
    assert await store.watched_company("p1", one.company) == richer
    assert await store.watched_company("p1", three.company) is None
    assert await store.count_watched("p1") == 2
    with pytest.raises(Conflict):
        await store.watch("p9", [one], 2)


async def test_of_two_who_saw_the_same_of_a_company_one_replaces_it(store: Store) -> None:
    """threats E10: the other gets Conflict, whether it changes, removes or adds the company."""
    await marked(store)
    await store.save_portfolio(portfolio())
    seen = WatchedCompany("00000001")
    said = [msgspec.structs.replace(seen, note=note) for note in ("one", "two")]
    wishes = [store.exchange_watched("p1", seen.company, None, each, 1) for each in said]
    assert [type(each) for each in await asyncio.gather(*wishes, return_exceptions=True) if each] == [Conflict]
    kept = await store.watched_company("p1", seen.company)
    assert kept in said
    with pytest.raises(Full):
        await store.exchange_watched("p1", "00000002", None, WatchedCompany("00000002"), 1)
    changes = [store.exchange_watched("p1", seen.company, kept, each, 1) for each in (seen, None)]
    assert [type(each) for each in await asyncio.gather(*changes, return_exceptions=True) if each] == [Conflict]
    for before in (kept, None if await store.count_watched("p1") else seen):
        with pytest.raises(Conflict):
            await store.exchange_watched("p1", seen.company, before, None, 1)
    await store.watch("p1", [seen], 1)
    await store.exchange_watched("p1", seen.company, seen, None, 1)
    assert (await store.watched("p1", "", 9), await store.unobserved(9)) == ([], [])
    with pytest.raises(Conflict):
        await store.exchange_watched("p9", seen.company, None, seen, 1)


async def test_a_company_is_observed_as_long_as_a_portfolio_has_it(store: Store) -> None:
    await marked(store)
    for each in ("p1", "p2"):
        await store.save_portfolio(portfolio(each))
    both, single = WatchedCompany("00000001"), WatchedCompany("00000002")
    await store.watch("p1", [both, single], 10)
    await store.watch("p2", [both], 10)
    assert await store.unobserved(10) == [("00000001", 0), ("00000002", 0)]
    assert await store.unobserved(1) == [("00000001", 0)]
    await store.record(1, [("00000001", b"a"), ("00000002", b"b"), ("00000009", b"c")], [])
    assert await store.unobserved(10) == []
    assert await store.observations("", 10) == [("00000001", b"a"), ("00000002", b"b")]
    assert await store.observations("00000001", 10) == [("00000002", b"b")]
    assert await store.states(["00000002", "00000009"]) == {"00000002": b"b"}
    assert await store.watchers(["00000001", "00000002"]) == [
        ("00000001", "p1"),
        ("00000001", "p2"),
        ("00000002", "p1"),
    ]
    assert await store.unwatch("p1", ["00000001", "00000002", "00000003"]) == {"00000001", "00000002"}
    assert await store.observations("", 10) == [("00000001", b"a")]
    await store.delete_portfolio(portfolio("p2"))
    assert await store.observations("", 10) == []
    assert await store.portfolio("p2") is None


async def test_a_company_is_looked_at_again_when_a_portfolio_gets_a_rule_about_a_policy(store: Store) -> None:
    await marked(store)
    await store.save_portfolio(portfolio())
    await store.save_portfolio(portfolio("p2"))
    await store.watch("p1", [WatchedCompany("00000001"), WatchedCompany("00000002")], 10)
    await store.record(1, [("00000001", b"a")], [])
    decides = portfolio("p2", version=2, rules=(RuleSetting("decision", policy="trade-credit"),))
    await store.save_portfolio(decides)
    assert await store.incomplete(10) == []
    await store.watch("p2", [WatchedCompany("00000001"), WatchedCompany("00000002")], 10)
    await store.watch("p2", [WatchedCompany("00000001", note="again")], 10)
    assert await store.incomplete(10) == [("00000001", 1)]
    assert await store.unobserved(10) == [("00000002", 1)]
    more = (*decides.rules, RuleSetting("decision", policy="other"))
    await store.save_portfolio(msgspec.structs.replace(decides, version=3, rules=more))
    await store.save_portfolio(msgspec.structs.replace(decides, version=4))
    await store.complete(1, [("00000001", 1), ("00000002", 2)], [("00000001", b"b"), ("00000002", b"c")])
    assert await store.incomplete(10) == [("00000001", 2)]  # wished for again since it was read
    assert await store.states(["00000001", "00000002"]) == {"00000001": b"b", "00000002": b"c"}
    with pytest.raises(Conflict):
        await store.complete(2, [("00000001", 2)], [("00000001", b"d")])
    await store.complete(1, [("00000001", 2)], [("00000001", b"d")])
    assert await store.incomplete(10) == []


async def test_events_are_numbered_without_gaps_and_none_twice(store: Store) -> None:
    await marked(store)
    await store.save_portfolio(portfolio())
    assert await store.last_event() == 0
    assert await store.record(1, [], [event("a"), event("b"), event("a")]) == 2
    assert await store.record(1, [], [event("b")]) == 0
    batches = [[event(f"{batch} {number}") for number in range(20)] for batch in range(8)]
    assert await asyncio.gather(*(store.record(1, [], each) for each in batches)) == [20] * 8
    found = await store.events(OWNER, 0, 1_000, EVERY)
    assert [each.number for each in found] == list(range(1, 163))
    assert await store.last_event() == 162


async def test_events_are_read_by_those_who_may_and_filtered(store: Store) -> None:
    await marked(store)
    await store.save_portfolio(portfolio(shared_with=(SHARED,)))
    await store.save_portfolio(portfolio("p2"))
    await store.record(
        1, [], [event("a"), event("b", "p2", "score"), event("c", "p1", "score", "00000002"), event("d", "p9")]
    )
    numbers = [each.number for each in await store.events(OWNER, 0, 10, EVERY)]
    assert numbers == [1, 2, 3]
    assert [each.number for each in await store.events(SHARED, 0, 10, EVERY)] == [1, 3]
    assert await store.events(STRANGER, 0, 10, EVERY) == []
    assert [each.number for each in await store.events(OWNER, 1, 1, EVERY)] == [2]
    for only, expected in (
        (EventFilter(portfolio="p2"), [2]),
        (EventFilter(rule="score"), [2, 3]),
        (EventFilter(company="00000002"), [3]),
        (EventFilter("p1", "band", "00000002"), []),
    ):
        assert [each.number for each in await store.events(OWNER, 0, 10, only)] == expected
    await store.delete_portfolio(portfolio("p2"))
    assert [each.number for each in await store.events(OWNER, 0, 10, EVERY)] == [1, 2, 3]


async def test_nothing_is_recorded_under_another_mark(store: Store) -> None:
    await store.save_portfolio(portfolio())
    with pytest.raises(Conflict):
        await store.record(1, [], [event("a")])
    await marked(store)
    await store.save_shared_value("comparison", 2, b"{}")
    with pytest.raises(Conflict):
        await store.record(1, [], [event("a")])
    assert await store.last_event() == 0


async def test_events_are_deleted_when_they_expire_and_numbers_go_on(store: Store) -> None:
    await marked(store)
    await store.save_portfolio(portfolio())
    await store.record(1, [], [event("a", until=NOW), event("b", until=NOW + DAY)])
    await store.sweep(NOW + 1)
    assert [each.number for each in await store.events(OWNER, 0, 10, EVERY)] in ([1, 2], [2])
    await store.record(1, [], [event("c", until=NOW + DAY)])
    assert (await store.events(OWNER, 0, 10, EVERY))[-1].number == 3


async def test_a_shared_value_is_changed_by_one_of_two(store: Store) -> None:
    assert await store.shared_value("held") is None
    await store.save_shared_value("held", 1, b"a")
    for version in (1, 3):
        with pytest.raises(Conflict):
            await store.save_shared_value("held", version, b"b")
    await store.save_shared_value("held", 2, b"c")
    assert await store.shared_value("held") == (2, b"c")


async def test_an_answer_is_kept_until_it_expires(store: Store) -> None:
    assert await store.reserve_answer(b"k", b"", NOW, NOW + 10) is None
    assert await store.reserve_answer(b"k", b"other", NOW + 5, NOW + 15) == b""
    await store.keep_answer(b"k", b"answer", NOW + DAY)
    assert await store.kept_answer(b"k", NOW + DAY - 1) == b"answer"
    assert await store.kept_answer(b"k", NOW + DAY) is None
    assert await store.kept_answer(b"other", NOW) is None
    assert await store.reserve_answer(b"k", b"other", NOW + 15, NOW + 25) == b"answer"
    assert await store.reserve_answer(b"k", b"new", NOW + DAY, NOW + 2 * DAY) is None


async def test_an_answer_that_another_node_deletes_while_it_is_read_is_reserved(
    migrated_postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It expires between two statements, at the node whose clock is a little ahead."""
    async with opened_postgres(migrated_postgres) as here, opened_postgres(migrated_postgres) as there:
        await here.reserve_answer(b"k", b"first", NOW, NOW + 10)
        write = here._write

        async def write_and_sweep(statement: Statement, **values: object) -> list[Row]:
            rows = await write(statement, **values)
            await there.sweep(NOW + 10)
            return rows

        monkeypatch.setattr(here, "_write", write_and_sweep)
        assert await here.reserve_answer(b"k", b"second", NOW + 9, NOW + 30) is None
        assert await there.kept_answer(b"k", NOW + 10) == b"second"
