"""What every store promises about wrong passwords (contract.py, threats A4, A5), held against each of them."""

import asyncio

import pytest

from credence.store.contract import Store
from credence.store.records import Tally, TallyIncrement
from tests.store.records import NOW, family, log_in

ADA, GRACE = b"a" * 16, b"g" * 16
ADA_AT_HOME = ADA + b"h" * 16


def increment(key: bytes = ADA, step: int = 10, max_ahead: int = 50) -> TallyIncrement:
    return TallyIncrement(key, step, max_ahead)


async def test_a_key_never_counted_is_empty_and_familiar_to_nobody(store: Store) -> None:
    assert await store.tallies([ADA, GRACE]) == [Tally(0, 0), Tally(0, 0)]


async def test_tallies_come_in_the_order_in_which_they_were_asked_for(store: Store) -> None:
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


async def test_one_failure_is_never_further_ahead_than_the_most_that_it_may(store: Store) -> None:
    """The first against its key, too (contract.py, `TallyIncrement.max_ahead`)."""
    await store.count_failure([increment(step=60, max_ahead=50)], NOW)
    assert await store.tallies([ADA]) == [Tally(NOW + 50)]


async def test_of_many_failures_at_once_each_is_counted(store: Store) -> None:
    """threats A4, L1: no reading before writing."""
    await asyncio.gather(*(store.count_failure([increment(max_ahead=10_000)], NOW) for _ in range(64)))
    assert await store.tallies([ADA]) == [Tally(NOW + 640)]


async def test_a_success_empties_its_own_key_only_and_makes_it_familiar(store: Store) -> None:
    """threats A5: what came from elsewhere goes on counting."""
    await store.count_failure([increment(ADA), increment(ADA_AT_HOME)], NOW)
    await store.count_success(ADA_AT_HOME, NOW + 1_000)
    assert await store.tallies([ADA, ADA_AT_HOME]) == [Tally(NOW + 10), Tally(0, NOW + 1_000)]


async def test_familiar_stays_familiar_after_failures_and_is_never_shortened(store: Store) -> None:
    await store.count_success(ADA_AT_HOME, NOW + 1_000)
    await store.count_failure([increment(ADA_AT_HOME)], NOW)
    await store.count_success(ADA_AT_HOME, NOW + 500)
    assert await store.tallies([ADA_AT_HOME]) == [Tally(0, NOW + 1_000)]


async def test_clearing_empties_all_that_begins_so_and_nothing_else(store: Store) -> None:
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


async def test_sweeping_frees_the_tallies_that_count_for_nothing(store: Store) -> None:
    """threats A12, L12: what strangers made up goes by itself; a familiar place stays as long as it is one."""
    await store.count_failure([increment(ADA), increment(GRACE, step=11)], NOW)
    await store.count_success(ADA_AT_HOME, NOW + 11)
    assert await store.sweep(NOW + 10) == 1
    assert await store.sweep(NOW + 10) == 0
    assert await store.tallies([ADA, GRACE, ADA_AT_HOME]) == [Tally(), Tally(NOW + 11), Tally(0, NOW + 11)]


async def test_sweeping_takes_no_more_than_asked_of_all_kinds_together(store: Store) -> None:
    await log_in(store, family(1, expires_at=NOW))
    await store.count_failure([increment(bytes([number]) * 16, step=number + 1) for number in range(5)], NOW)
    assert await store.sweep(NOW + 50, max_rows=3) == 3
    left = await store.tallies([bytes([number]) * 16 for number in range(5)])
    assert sum(tally != Tally() for tally in left) == 3
