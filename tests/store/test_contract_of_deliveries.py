"""The contract of the store for the outbox (monitoring.md 7.3)."""

import asyncio

import msgspec
import pytest

from credence.store.contract import Conflict, Store
from credence.store.deliveries import HELD, NEVER, Backlog, Delivery, plausible_until
from tests.store.records import DAY, NOW

LEASE = NOW + 60_000


def delivery(number: int = 1, receiver: str = "a", due_at: int = NOW, keep_until: int = NOW + DAY) -> Delivery:
    return Delivery(number.to_bytes(16, "big"), "test", receiver, b"\x00\xff", NOW + number, due_at, keep_until)


async def claim(
    store: Store, now: int = NOW, per: int = 10, most: int = 100, busy: tuple[str, ...] = ()
) -> list[Delivery]:
    return await store.claim_deliveries(now, now + 60_000, per, most, busy)


async def test_a_delivery_is_stored_as_it_is_and_once(store: Store) -> None:
    await store.add_deliveries([delivery(1), delivery(2, "b")])
    await store.add_deliveries([msgspec.structs.replace(delivery(1), payload=b"other"), delivery(3)])
    assert await store.deliveries_of("a") == [delivery(1), delivery(3)]
    assert await store.deliveries_of("a", 1) == [delivery(1)]
    assert await store.deliveries_of("nothing") == []
    await store.add_deliveries([])


async def test_deliveries_that_one_node_added_and_sent_are_not_added_by_a_slower_one(store: Store) -> None:
    await store.add_deliveries_once([delivery(1)], "mailed", 1, b"today")
    (sent,) = await claim(store)
    assert await store.end_delivery(sent)
    with pytest.raises(Conflict):
        await store.add_deliveries_once([delivery(1)], "mailed", 1, b"today")
    assert await store.deliveries_of("a") == []
    assert await store.shared_value("mailed") == (1, b"today")


async def test_deliveries_are_found_by_their_ids_for_their_receiver_alone(store: Store) -> None:
    await store.add_deliveries([delivery(1), delivery(2), delivery(3), delivery(4, "b")])
    (leased,) = await claim(store, most=1)
    await store.postpone_delivery(leased, NOW, "503", NOW)
    ids = [number.to_bytes(16, "big") for number in (1, 2, 4, 9, 2)]
    assert await store.deliveries_named("a", ids) == [delivery(2)]
    assert await store.deliveries_named("b", ids) == [delivery(4, "b")]
    assert await store.deliveries_named("a", []) == []


async def test_a_due_delivery_is_leased_and_its_attempt_is_counted(store: Store) -> None:
    await store.add_deliveries([delivery(1), delivery(2, due_at=NOW + 1)])
    leased = msgspec.structs.replace(delivery(1), due_at=LEASE, attempts=1)
    assert await claim(store) == [leased]
    assert await claim(store) == []
    assert await store.deliveries_of("a") == [leased, delivery(2, due_at=NOW + 1)]


async def test_after_the_end_of_the_lease_it_is_due_again(store: Store) -> None:
    """threats F1: the node that claimed it may have been killed."""
    await store.add_deliveries([delivery()])
    (first,) = await claim(store)
    assert await claim(store, LEASE - 1) == []
    (second,) = await claim(store, LEASE)
    assert second.attempts == 2
    assert not await store.end_delivery(first)
    assert not await store.postpone_delivery(first, NOW, "timeout")
    assert await store.deliveries_of("a") == [second]
    assert await store.end_delivery(second)
    assert not await store.end_delivery(second)
    assert await store.deliveries_of("a") == []


async def test_a_delivery_that_waits_for_the_time_of_a_clock_that_was_ahead_is_due(store: Store) -> None:
    """threats T11. A wait that a clock which is right can have set goes on, and so do a held delivery and a given up one."""
    latest = plausible_until(NOW)
    await store.add_deliveries(
        [delivery(1, due_at=NOW + 365 * DAY), delivery(2, "b", latest + 1), delivery(3, "c", latest)]
    )
    await store.add_deliveries([delivery(4, "d", HELD), delivery(5, "e", NEVER)])
    assert [each.receiver for each in await claim(store)] == ["a", "b"]
    assert await claim(store) == []
    assert [each.receiver for each in await claim(store, latest)] == ["a", "b", "c"]


async def test_of_concurrent_claims_one_gets_each_delivery(store: Store) -> None:
    await store.add_deliveries([delivery(number, f"r{number % 7}") for number in range(50)])
    claimed = [each.id for part in await asyncio.gather(*(claim(store, most=9) for _ in range(12))) for each in part]
    assert len(claimed) == len(set(claimed))
    while part := await claim(store):
        claimed += [each.id for each in part]
    assert sorted(claimed) == [number.to_bytes(16, "big") for number in range(50)]


async def test_a_receiver_with_many_deliveries_keeps_none_from_another(store: Store) -> None:
    await store.add_deliveries([delivery(number, "a") for number in range(40)])
    await store.add_deliveries([delivery(100, "b", NOW), delivery(101, "c", NOW)])
    claimed = await claim(store, per=3)
    assert [each.receiver for each in claimed] == ["a", "a", "a", "b", "c"]
    assert [each.receiver for each in await claim(store, per=3, busy=("a", "c"))] == []
    assert [each.receiver for each in await claim(store, per=3, busy=("b",))] == ["a"] * 3


async def test_the_deliveries_that_are_due_longest_are_claimed_first(store: Store) -> None:
    await store.add_deliveries([delivery(number, f"r{number}", NOW - number) for number in range(5)])
    await store.add_deliveries([delivery(10 + number, "r9", NOW - 10 - number) for number in range(3)])
    claimed = await claim(store, per=2, most=4)
    assert {int.from_bytes(each.id, "big") for each in claimed} == {12, 11, 4, 3}


async def test_a_failed_delivery_is_due_when_it_was_postponed_to(store: Store) -> None:
    await store.add_deliveries([delivery()])
    (claimed,) = await claim(store)
    assert await store.postpone_delivery(claimed, NOW + 5_000, "503")
    assert await store.deliveries_of("a") == [
        msgspec.structs.replace(delivery(), attempts=1, due_at=NOW + 5_000, outcome="503")
    ]
    assert await claim(store, NOW + 4_999) == []
    assert [each.attempts for each in await claim(store, NOW + 5_000)] == [2]


async def test_a_delivery_that_is_returned_is_due_when_it_says_and_its_claim_is_not_counted(store: Store) -> None:
    await store.add_deliveries([delivery()])
    (claimed,) = await claim(store)
    assert await store.return_delivery(claimed, NOW + 5_000)
    assert not await store.return_delivery(claimed, NOW + 5_000)
    assert await store.deliveries_of("a") == [msgspec.structs.replace(delivery(), due_at=NOW + 5_000)]
    assert await claim(store, NOW + 4_999) == []
    assert [each.attempts for each in await claim(store, NOW + 5_000)] == [1]


async def test_a_delivery_that_was_given_up_is_attempted_again_when_it_is_revived(store: Store) -> None:
    await store.add_deliveries([delivery(1), delivery(2), delivery(3, "b")])
    for claimed in await claim(store):
        await store.postpone_delivery(claimed, NOW, "410", given_up_at=NOW + 1)
    assert await claim(store, NOW + DAY) == []
    assert {(each.due_at, each.given_up_at) for each in await store.deliveries_of("a")} == {(NEVER, NOW + 1)}
    assert await store.deliveries_of("a", waiting=True) == []
    assert not await store.end_delivery((await store.deliveries_of("b"))[0])
    assert await store.revive_deliveries("a", NOW + 2, NOW + 2 * DAY) == 2
    assert await store.revive_deliveries("a", NOW + 2, NOW + 2 * DAY) == 0
    assert len(await store.deliveries_of("a", waiting=True)) == 2
    claimed_again = await claim(store, NOW + 2)
    assert [(each.receiver, each.attempts, each.keep_until) for each in claimed_again] == [("a", 1, NOW + 2 * DAY)] * 2


async def test_deliveries_are_deleted_when_they_are_kept_no_longer(store: Store) -> None:
    await store.add_deliveries([delivery(1, keep_until=NOW), delivery(2, keep_until=NOW + 1)])
    assert await store.sweep(NOW) == 1
    assert await store.deliveries_of("a") == [delivery(2, keep_until=NOW + 1)]


async def test_the_backlog_counts_what_waits_and_what_was_given_up(store: Store) -> None:
    assert await store.backlog() == Backlog(0, 0, None)
    await store.add_deliveries([delivery(1, "a"), delivery(2, "b", NOW + 7), delivery(3, "c", NOW + 9)])
    (claimed,) = await claim(store)
    await store.postpone_delivery(claimed, NOW, "410", given_up_at=NOW)
    assert await store.backlog() == Backlog(2, 1, NOW + 7)


async def test_the_deliveries_of_one_receiver_are_counted(store: Store) -> None:
    await store.add_deliveries([delivery(), delivery(2, due_at=NOW + 1), delivery(3, "b", due_at=NOW + 1)])
    assert await store.count_deliveries("a") == (2, 0)
    (claimed,) = await store.claim_deliveries(NOW, NOW + 1, 1, 1)
    await store.postpone_delivery(claimed, NEVER, "410", given_up_at=NOW)
    assert (await store.count_deliveries("a"), await store.count_deliveries("b")) == ((1, 1), (1, 0))
    assert await store.count_deliveries("nobody") == (0, 0)


async def test_what_was_given_up_is_listed_for_all_receivers_the_newest_first(store: Store) -> None:
    assert await store.given_up_deliveries() == []
    await store.add_deliveries([delivery(1, "a"), delivery(2, "b"), delivery(3, "c")])
    for claimed in (await claim(store))[:2]:
        await store.postpone_delivery(claimed, NOW, "410", given_up_at=claimed.created_at)
    found = await store.given_up_deliveries()
    assert [(each.receiver, each.outcome, each.given_up_at) for each in found] == [
        ("b", "410", NOW + 2),
        ("a", "410", NOW + 1),
    ]
    assert await store.given_up_deliveries(1) == found[:1]


@pytest.mark.parametrize("receiver", ["", "a" * 300, "crd_sbx_app_é"])
async def test_a_receiver_has_any_name(store: Store, receiver: str) -> None:
    await store.add_deliveries([delivery(1, receiver)])
    assert [each.receiver for each in await claim(store)] == [receiver]
