"""Spike arrest (D16): one request per 60/N seconds, and a small burst."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from credence.guard.spike import SpikeArrest

NOW = 1_800_000_000_000


def test_one_a_second_means_every_1000_milliseconds() -> None:
    spike = SpikeArrest()
    assert spike.admit("a", NOW, 60, 1) is None
    assert spike.admit("a", NOW, 60, 1) == 1_000
    assert spike.admit("a", NOW + 999, 60, 1) == 1
    assert spike.admit("a", NOW + 1_000, 60, 1) is None
    assert spike.admit("a", NOW + 1_001, 60, 1) == 999


def test_a_burst_is_whole_after_a_rest_and_one_more_is_refused() -> None:
    spike = SpikeArrest()
    assert [spike.admit("a", NOW, 60, 3) for _ in range(4)] == [None, None, None, 1_000]
    assert [spike.admit("a", NOW + 1_000, 60, 3) for _ in range(2)] == [None, 1_000]
    assert [spike.admit("a", NOW + 3_999, 60, 3) for _ in range(3)] == [None, None, 1]
    assert [spike.admit("a", NOW + 9_000, 60, 3) for _ in range(4)] == [None, None, None, 1_000]


def test_a_wait_is_rounded_up_so_that_it_suffices() -> None:
    """Seven a minute: one per 8,571.43 ms."""
    spike = SpikeArrest()
    assert spike.admit("a", NOW, 7, 1) is None
    assert spike.admit("a", NOW, 7, 1) == 8_572
    assert spike.admit("a", NOW + 8_571, 7, 1) == 1
    assert spike.admit("a", NOW + 8_572, 7, 1) is None


def test_refused_requests_do_not_count() -> None:
    spike = SpikeArrest()
    spike.admit("a", NOW, 60, 1)
    assert all(spike.admit("a", NOW + ms, 60, 1) == 1_000 - ms for ms in range(1_000))
    assert spike.admit("a", NOW + 1_000, 60, 1) is None


def test_zero_per_minute_is_no_limit_and_remembers_nothing() -> None:
    spike = SpikeArrest()
    assert {spike.admit("a", NOW, 0, 1) for _ in range(1_000)} == {None}
    assert len(spike) == 0


def test_keys_do_not_touch_each_other() -> None:
    spike = SpikeArrest()
    assert spike.admit("a", NOW, 60, 1) is None
    assert spike.admit("b", NOW, 60, 1) is None


def test_a_clock_set_back_costs_one_interval_at_most() -> None:
    spike = SpikeArrest()
    assert spike.admit("a", NOW, 60, 2) is None
    assert spike.admit("a", NOW - 3_600_000, 60, 2) == 1_000
    assert spike.admit("a", NOW - 3_599_000, 60, 2) == 1_000
    assert spike.admit("b", NOW, 60, 2) is None


def test_a_raised_limit_counts_at_once() -> None:
    spike = SpikeArrest()
    assert spike.admit("a", NOW, 1, 1) is None
    assert spike.admit("a", NOW, 1, 1) == 60_000
    assert spike.admit("a", NOW, 600, 1) == 100


@pytest.mark.parametrize("per_minute", [1, 7, 60, 700, 6_000])
def test_over_a_day_the_rate_is_exactly_n_a_minute_and_one_burst(per_minute: int) -> None:
    """No drift: asked ten times per interval for a day, or for 100,000 requests."""
    spike = SpikeArrest()
    minutes = min(24 * 60, 10_000 // per_minute)
    step = max(60_000 // per_minute // 10, 1)
    end = NOW + minutes * 60_000
    admitted = sum(spike.admit("a", now, per_minute, 2) is None for now in range(NOW, end, step))
    assert admitted == minutes * per_minute + 1


@given(st.integers(1, 100_000), st.integers(1, 50), st.lists(st.integers(0, 5_000), max_size=60))
def test_the_wait_is_positive_suffices_and_is_one_interval_at_most(
    per_minute: int, burst: int, gaps: list[int]
) -> None:
    spike = SpikeArrest()
    now = NOW
    for gap in gaps:
        now += gap
        wait = spike.admit("a", now, per_minute, burst)
        if wait is not None:
            assert 1 <= wait <= -(-60_000 // per_minute)
            assert spike.admit("a", now + wait - 1, per_minute, burst) == 1
            now += wait
            assert spike.admit("a", now, per_minute, burst) is None


@given(st.integers(1, 6_000), st.integers(1, 20), st.lists(st.integers(0, 2_000), max_size=100))
def test_no_stretch_of_time_admits_more_than_its_share_and_one_burst(
    per_minute: int, burst: int, gaps: list[int]
) -> None:
    spike = SpikeArrest()
    now = NOW
    admitted = []
    for gap in gaps:
        now += gap
        if spike.admit("a", now, per_minute, burst) is None:
            admitted.append(now)
    for first, start in enumerate(admitted):
        for last in range(first, len(admitted)):
            # requests * interval <= time + burst * interval, in whole numbers
            assert (last - first + 1 - burst) * 60_000 <= (admitted[last] - start) * per_minute + per_minute


@pytest.mark.parametrize(("keys", "held"), [(2, 2), (3, 3), (4, 3), (1_000, 3)])
def test_no_more_keys_are_held_than_allowed(keys: int, held: int) -> None:
    spike = SpikeArrest(capacity=3)
    for n in range(keys):
        spike.admit(f"k{n}", NOW, 60, 1)
    assert len(spike) == held


def test_a_key_whose_burst_is_whole_is_forgotten_before_one_that_is_not() -> None:
    spike = SpikeArrest(capacity=3)
    spike.admit("slow", NOW, 1, 1)
    spike.admit("quick", NOW, 6_000, 1)
    spike.admit("other", NOW, 1, 1)
    spike.admit("new", NOW + 10, 1, 1)
    assert spike.admit("slow", NOW + 10, 1, 1) == 59_990
    assert spike.admit("other", NOW + 10, 1, 1) == 59_990
    assert len(spike) == 3


def test_if_none_is_whole_the_one_quiet_longest_is_forgotten() -> None:
    spike = SpikeArrest(capacity=8)
    for n in range(8):
        spike.admit(f"k{n}", NOW + n, 1, 2)
    spike.admit("k0", NOW + 8, 1, 2)
    spike.admit("new", NOW + 9, 1, 2)
    assert len(spike) == 8
    assert spike.admit("k0", NOW + 9, 1, 2) is not None
