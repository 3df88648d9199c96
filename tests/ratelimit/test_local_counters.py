"""Spike arrest (D16): one request per 60/N seconds, and a small burst."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from credence.ratelimit.limits import LimitKey, RateLimit, decide_spike_arrest, rate_limit
from credence.ratelimit.local_counters import LocalCounters

NOW = 1_800_000_000_000


class Counters:
    """Counters of applications, each request under a limit of its own."""

    def __init__(self, capacity: int = 100_000) -> None:
        self.counters = LocalCounters(capacity)

    def admit(self, key: str, now: int, per_minute: int, burst: int) -> int | None:
        """None when it was admitted, else the milliseconds to wait, rounded up."""
        limit = rate_limit("application", per_minute, burst)
        decision = self.counters.admit([(limit, key)] if limit else [], [], now)
        return None if decision is None or decision.admitted else -(-decision.wait_ns // 1_000_000)

    def __len__(self) -> int:
        return len(self.counters)


def test_one_a_second_means_every_1000_milliseconds() -> None:
    counters = Counters()
    assert counters.admit("a", NOW, 60, 1) is None
    assert counters.admit("a", NOW, 60, 1) == 1_000
    assert counters.admit("a", NOW + 999, 60, 1) == 1
    assert counters.admit("a", NOW + 1_000, 60, 1) is None
    assert counters.admit("a", NOW + 1_001, 60, 1) == 999


def test_a_burst_is_restored_after_a_pause_and_one_more_is_refused() -> None:
    counters = Counters()
    assert [counters.admit("a", NOW, 60, 3) for _ in range(4)] == [None, None, None, 1_000]
    assert [counters.admit("a", NOW + 1_000, 60, 3) for _ in range(2)] == [None, 1_000]
    assert [counters.admit("a", NOW + 3_999, 60, 3) for _ in range(3)] == [None, None, 1]
    assert [counters.admit("a", NOW + 9_000, 60, 3) for _ in range(4)] == [None, None, None, 1_000]


def test_a_wait_is_rounded_up_so_that_it_suffices() -> None:
    """Seven a minute: one per 8,571.43 ms."""
    counters = Counters()
    assert counters.admit("a", NOW, 7, 1) is None
    assert counters.admit("a", NOW, 7, 1) == 8_572
    assert counters.admit("a", NOW + 8_571, 7, 1) == 1
    assert counters.admit("a", NOW + 8_572, 7, 1) is None


def test_refused_requests_do_not_count() -> None:
    counters = Counters()
    counters.admit("a", NOW, 60, 1)
    assert all(counters.admit("a", NOW + ms, 60, 1) == 1_000 - ms for ms in range(1_000))
    assert counters.admit("a", NOW + 1_000, 60, 1) is None


def test_zero_per_minute_is_no_limit_and_stores_nothing() -> None:
    counters = Counters()
    assert {counters.admit("a", NOW, 0, 1) for _ in range(1_000)} == {None}
    assert len(counters) == 0


def test_keys_are_counted_separately() -> None:
    counters = Counters()
    assert counters.admit("a", NOW, 60, 1) is None
    assert counters.admit("b", NOW, 60, 1) is None


def test_a_clock_set_back_costs_one_interval_at_most() -> None:
    counters = Counters()
    assert counters.admit("a", NOW, 60, 2) is None
    assert counters.admit("a", NOW - 3_600_000, 60, 2) == 1_000
    assert counters.admit("a", NOW - 3_599_000, 60, 2) is None
    assert counters.admit("b", NOW, 60, 2) is None


def test_a_raised_limit_counts_at_once() -> None:
    counters = Counters()
    assert counters.admit("a", NOW, 1, 1) is None
    assert counters.admit("a", NOW, 1, 1) == 60_000
    assert counters.admit("a", NOW, 600, 1) == 100


@pytest.mark.parametrize("per_minute", [1, 7, 60, 700, 6_000])
def test_over_a_day_the_rate_is_exactly_n_a_minute_and_one_burst(per_minute: int) -> None:
    """No drift: ten requests per interval for a day, or for 100,000 requests. The burst is a minute's worth at most."""
    counters = Counters()
    minutes = min(24 * 60, 10_000 // per_minute)
    step = max(60_000 // per_minute // 10, 1)
    end = NOW + minutes * 60_000
    admitted = sum(counters.admit("a", now, per_minute, 2) is None for now in range(NOW, end, step))
    assert admitted == minutes * per_minute + min(2, per_minute) - 1


@given(st.integers(1, 100_000), st.integers(1, 50), st.lists(st.integers(0, 5_000), max_size=60))
def test_the_wait_is_positive_suffices_and_is_one_interval_at_most(
    per_minute: int, burst: int, gaps: list[int]
) -> None:
    counters = Counters()
    now = NOW
    for gap in gaps:
        now += gap
        wait = counters.admit("a", now, per_minute, burst)
        if wait is not None:
            assert 1 <= wait <= -(-60_000 // per_minute)
            assert counters.admit("a", now + wait - 1, per_minute, burst) == 1
            now += wait
            assert counters.admit("a", now, per_minute, burst) is None


@given(st.integers(1, 6_000), st.integers(1, 20), st.lists(st.integers(0, 2_000), max_size=100))
def test_no_stretch_of_time_admits_more_than_its_share_and_one_burst(
    per_minute: int, burst: int, gaps: list[int]
) -> None:
    counters = Counters()
    now = NOW
    admitted = []
    for gap in gaps:
        now += gap
        if counters.admit("a", now, per_minute, burst) is None:
            admitted.append(now)
    for first, start in enumerate(admitted):
        for last in range(first, len(admitted)):
            # requests * interval <= time + burst * interval, in whole numbers
            assert (last - first + 1 - burst) * 60_000 <= (admitted[last] - start) * per_minute + per_minute


@pytest.mark.parametrize(("keys", "stored"), [(2, 2), (3, 3), (4, 3), (1_000, 3)])
def test_no_more_keys_are_stored_than_the_capacity(keys: int, stored: int) -> None:
    counters = Counters(capacity=3)
    for n in range(keys):
        counters.admit(f"k{n}", NOW, 60, 1)
    assert len(counters) == stored


@pytest.mark.parametrize("after", [10, 11])
def test_a_key_whose_burst_is_restored_is_evicted_first(after: int) -> None:
    """The one of 6,000 a minute, which has its burst again after ten milliseconds."""
    counters = Counters(capacity=4)
    for key, per_minute in (("slow", 1), ("quick", 6_000), ("other", 1), ("third", 1)):
        counters.admit(key, NOW, per_minute, 1)
    counters.admit("new", NOW + after, 1, 1)
    for key in ("slow", "other", "third"):
        assert counters.admit(key, NOW + after, 1, 1) == 60_000 - after
    assert len(counters) == 4


def test_if_no_burst_is_restored_the_least_recently_counted_key_is_evicted() -> None:
    counters = Counters(capacity=8)
    for n in range(8):
        counters.admit(f"k{n}", NOW + n, 1, 2)
    counters.admit("k0", NOW + 8, 1, 2)
    counters.admit("new", NOW + 9, 1, 2)
    assert len(counters) == 8
    assert counters.admit("k0", NOW + 9, 1, 2) is not None


def limit(kind: str, per_minute: int, burst: int) -> RateLimit:
    found = rate_limit(kind, per_minute, burst)
    assert found is not None
    return found


APPLICATION, ACCOUNT, ADDRESS = limit("application", 60, 3), limit("account", 60, 2), limit("address", 60, 5)
ADA: list[LimitKey] = [(APPLICATION, "ledger"), (ACCOUNT, b"ada"), (ADDRESS, "192.0.2.7/32")]


def admitted(counters: LocalCounters, keys: list[LimitKey], now: int = NOW) -> bool:
    decision = counters.admit(keys, [], now)
    return decision is not None and decision.admitted


def test_a_request_that_one_key_refuses_is_counted_under_none() -> None:
    """D16: Ada's two are used; of the application's three one is left, because refused requests do not count."""
    counters = LocalCounters()
    assert [admitted(counters, ADA) for _ in range(10)] == [True, True, *[False] * 8]
    bob: list[LimitKey] = [ADA[0], (ACCOUNT, b"bob"), ADA[2]]
    assert [admitted(counters, bob) for _ in range(2)] == [True, False]
    elsewhere: list[LimitKey] = [(APPLICATION, "shop"), (ACCOUNT, b"cyd"), ADA[2]]
    assert [admitted(counters, elsewhere) for _ in range(3)] == [True, True, False]


def test_a_key_that_is_only_checked_can_refuse_and_is_not_counted() -> None:
    counters = LocalCounters()
    for _ in range(5):
        assert admitted(counters, [], NOW) is False
        decision = counters.admit([ADA[2]], [ADA[0]], NOW)
        assert decision is not None
        assert decision.admitted
    assert [admitted(counters, [ADA[0]]) for _ in range(4)] == [True, True, True, False]
    decision = counters.admit([(ADDRESS, "192.0.2.8/32")], [ADA[0]], NOW)
    assert decision is not None
    assert (decision.admitted, decision.limit.kind) == (False, "application")


def test_the_decision_names_the_limit_nearest_its_end() -> None:
    counters = LocalCounters()
    first = counters.admit(ADA, [], NOW)
    assert first is not None
    assert (first.limit.kind, first.remaining, first.wait_ns) == ("account", 1, 1_000_000_000)
    admitted(counters, ADA)
    refused = counters.admit(ADA, [], NOW + 400)
    assert refused is not None
    assert (refused.admitted, refused.limit.kind, refused.remaining, refused.wait_ns) == (
        False,
        "account",
        0,
        600_000_000,
    )


def test_of_two_limits_that_refuse_the_longer_wait_is_reported() -> None:
    slow, quick = limit("account", 1, 1), limit("application", 60, 1)
    both: list[LimitKey] = [(slow, b"ada"), (quick, "ledger")]
    for keys in (both, both[::-1]):
        counters = LocalCounters()
        assert admitted(counters, keys)
        refused = counters.admit(keys, [], NOW)
        assert refused is not None
        assert (refused.limit, refused.wait_ns) == (slow, 60_000_000_000)


def test_keys_of_one_kind_do_not_evict_keys_of_another() -> None:
    """threats A12: a flood of names or addresses does not free an application of its count."""
    counters = LocalCounters(capacity=2)
    assert [admitted(counters, [ADA[0]]) for _ in range(3)] == [True, True, True]
    for n in range(100):
        assert admitted(counters, [(ACCOUNT, f"a{n}".encode()), (ADDRESS, f"192.0.2.{n}/32")])
    assert not admitted(counters, [ADA[0]])
    assert len(counters) == 5


@given(st.lists(st.tuples(st.integers(1, 5_000), st.integers(1, 40), st.integers(0, 10**10)), min_size=1, max_size=4))
def test_the_quick_path_of_the_local_counters_agrees_with_the_rule(found: list[tuple[int, int, int]]) -> None:
    """The shared counters use `decide_spike_arrest`; the local ones have a quicker path to the same decision."""
    counters = LocalCounters()
    keys: list[LimitKey] = [(limit("account", rate, burst), f"k{n}") for n, (rate, burst, _) in enumerate(found)]
    aheads = []
    for (each, key), (_, _, ahead) in zip(keys, found, strict=True):
        counters._arrivals["account"][key] = NOW * 1_000_000 + ahead
        aheads.append(min(ahead, each.burst_ns))
    assert counters.check(keys, [], NOW) == decide_spike_arrest(keys, [], aheads)
