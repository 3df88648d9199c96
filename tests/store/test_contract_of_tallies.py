"""The tallies of the contract (contract.py, threats A4, A5), checked for each implementation."""

import asyncio

import pytest

from credence.clock import DAY_MS
from credence.clock_tolerances import NODE_TOLERANCE_MS
from credence.store.contract import Store
from credence.store.tallies import Tally, TallyIncrement
from tests.store.records import NOW, family, log_in

ADA, GRACE = b"a" * 16, b"g" * 16
ADA_AT_HOME = ADA + b"h" * 16


def increment(key: bytes = ADA, step: int = 10, max_ahead: int = 50) -> TallyIncrement:
    return TallyIncrement(key, step, max_ahead)


async def test_the_tally_of_an_unused_key_is_empty_and_not_trusted(store: Store) -> None:
    assert await store.tallies([ADA, GRACE]) == [Tally(0, 0), Tally(0, 0)]


async def test_tallies_are_returned_in_the_order_of_the_keys(store: Store) -> None:
    await store.count_failure([increment(GRACE, step=1), increment(ADA, step=2)], NOW)
    assert await store.tallies([ADA, b"?", GRACE]) == [Tally(NOW + 2), Tally(), Tally(NOW + 1)]


@pytest.mark.parametrize(
    ("failures", "drains_at"),
    [
        ([0], 10),
        ([0, 0, 0], 30),
        ([0, 4], 20),  # the first one still counts until 10
        ([0, 10], 20),
        ([0, 25], 35),  # it has drained meanwhile
        ([0] * 9, 50),  # never further ahead than `max_ahead`
        ([40, 0], 50),  # a clock set back
    ],
)
async def test_each_failure_moves_the_instant_on_by_one_step(store: Store, failures: list[int], drains_at: int) -> None:
    """threats A4: a smoothed count in one number. Times are relative to NOW; step 10, max_ahead 50."""
    for at in failures:
        await store.count_failure([increment()], NOW + at)
    assert await store.tallies([ADA]) == [Tally(NOW + drains_at)]


async def test_a_failure_moves_the_instant_to_max_ahead_at_most(store: Store) -> None:
    """The first against its key, too (contract.py, `TallyIncrement.max_ahead`)."""
    await store.count_failure([increment(step=60, max_ahead=50)], NOW)
    assert await store.tallies([ADA]) == [Tally(NOW + 50)]


async def test_concurrent_failures_are_all_counted(store: Store) -> None:
    """threats A4, L1: no reading before writing."""
    await asyncio.gather(*(store.count_failure([increment(max_ahead=10_000)], NOW) for _ in range(64)))
    assert await store.tallies([ADA]) == [Tally(NOW + 640)]


async def test_only_what_has_room_is_counted_within_a_limit(store: Store) -> None:
    """Step 10, max_ahead 50: five at once, then one whenever ten have passed; what was refused does not count."""
    assert [await store.count_within([increment()], NOW) for _ in range(7)] == [True] * 5 + [False] * 2
    assert await store.tallies([ADA]) == [Tally(NOW + 50)]
    assert [await store.count_within([increment()], NOW + at) for at in (9, 10, 10)] == [False, True, False]
    assert await store.count_within([increment(GRACE)], NOW + 10)
    assert not await store.count_within([increment(b"?", step=60)], NOW)
    assert await store.tallies([b"?"]) == [Tally()]


async def test_what_a_clock_that_was_ahead_has_counted_leaves_room_for_one(store: Store) -> None:
    """threats T11: it would have been full until that clock's time. Nodes may be ten seconds apart, so that counts."""
    beyond = NODE_TOLERANCE_MS + 1
    for ahead, counted in ((365 * DAY_MS, [True, False]), (beyond, [True, False]), (beyond - 1, [False, False])):
        key = ahead.to_bytes(16, "big")
        assert [await store.count_within([increment(key)], NOW + ahead) for _ in range(6)] == [True] * 5 + [False]
        assert [await store.count_within([increment(key)], NOW) for _ in range(2)] == counted


async def test_of_concurrent_counts_within_a_limit_only_those_with_room_succeed(store: Store) -> None:
    """threats A12: no reading before writing."""
    counted = await asyncio.gather(*(store.count_within([increment()], NOW) for _ in range(32)))
    assert counted.count(True) == 5
    assert await store.tallies([ADA]) == [Tally(NOW + 50)]


async def test_what_has_no_room_in_one_tally_is_counted_in_none(store: Store) -> None:
    full = [increment(GRACE, max_ahead=10)]
    assert await store.count_within([increment(), *full], NOW)
    assert not await store.count_within([increment(), *full], NOW)
    assert await store.tallies([ADA, GRACE]) == [Tally(NOW + 10), Tally(NOW + 10)]


async def test_what_was_counted_within_a_limit_is_given_back(store: Store) -> None:
    both = [increment(), increment(GRACE)]
    await store.count_success(ADA, NOW + 1_000)
    assert [await store.count_within(both, NOW) for _ in range(3)] == [True] * 3
    await store.give_back(both)
    assert await store.tallies([ADA, GRACE]) == [Tally(NOW + 20, NOW + 1_000), Tally(NOW + 20)]
    await store.clear_failures(ADA)
    await store.give_back(both)
    assert await store.tallies([ADA, GRACE]) == [Tally(0, NOW + 1_000), Tally(NOW + 10)]


async def test_what_counts_within_a_limit_leaves_the_trust_of_its_key(store: Store) -> None:
    await store.count_success(ADA, NOW + 1_000)
    assert await store.count_within([increment()], NOW)
    assert await store.tallies([ADA]) == [Tally(NOW + 10, NOW + 1_000)]


async def test_a_success_empties_its_own_key_only_and_makes_it_trusted(store: Store) -> None:
    """threats A5: what came from elsewhere goes on counting."""
    await store.count_failure([increment(ADA), increment(ADA_AT_HOME)], NOW)
    await store.count_success(ADA_AT_HOME, NOW + 1_000)
    assert await store.tallies([ADA, ADA_AT_HOME]) == [Tally(NOW + 10), Tally(0, NOW + 1_000)]


async def test_trust_survives_failures_and_is_never_shortened(store: Store) -> None:
    await store.count_success(ADA_AT_HOME, NOW + 1_000)
    await store.count_failure([increment(ADA_AT_HOME)], NOW)
    await store.count_success(ADA_AT_HOME, NOW + 500)
    assert await store.tallies([ADA_AT_HOME]) == [Tally(0, NOW + 1_000)]


@pytest.mark.parametrize(("ahead", "kept"), [(NODE_TOLERANCE_MS, NODE_TOLERANCE_MS), (NODE_TOLERANCE_MS + 1, 0)])
async def test_a_success_ends_the_trust_that_a_clock_which_was_ahead_has_left(
    store: Store, ahead: int, kept: int
) -> None:
    """threats T11: the trust counts as none, so without this it would be none until that clock's time."""
    await store.count_success(ADA_AT_HOME, NOW + 1_000 + ahead)
    await store.count_success(ADA_AT_HOME, NOW + 1_000)
    assert await store.tallies([ADA_AT_HOME]) == [Tally(0, NOW + 1_000 + kept)]


async def test_clearing_empties_the_tallies_with_the_prefix_and_no_others(store: Store) -> None:
    places = [ADA + bytes([number]) * 16 for number in (0, 1, 255)]
    await store.count_success(places[0], NOW + 1_000)
    await store.count_failure([increment(key) for key in (ADA, *places, GRACE)], NOW)
    await store.clear_failures(ADA)
    assert await store.tallies([ADA, *places, GRACE]) == [
        Tally(0),
        Tally(0, NOW + 1_000),
        Tally(0),
        Tally(0),
        Tally(NOW + 10),
    ]


async def test_a_sweep_deletes_tallies_without_effect(store: Store) -> None:
    """threats A12, L12: invented names expire by themselves; a trusted origin stays as long as it is trusted."""
    await store.count_failure([increment(ADA), increment(GRACE, step=11)], NOW)
    await store.count_success(ADA_AT_HOME, NOW + 11)
    assert await store.sweep(NOW + 10) == 1
    assert await store.sweep(NOW + 10) == 0
    assert await store.tallies([ADA, GRACE, ADA_AT_HOME]) == [Tally(), Tally(NOW + 11), Tally(0, NOW + 11)]


async def test_a_sweep_deletes_at_most_max_rows_of_all_tables_together(store: Store) -> None:
    await log_in(store, family(1, expires_at=NOW))
    await store.count_failure([increment(bytes([number]) * 16, step=number + 1) for number in range(5)], NOW)
    assert await store.sweep(NOW + 50, max_rows=3) == 3
    left = await store.tallies([bytes([number]) * 16 for number in range(5)])
    assert sum(tally != Tally() for tally in left) == 3
