"""Which limits a request counts against, and which it only meets (D16, threats A5, A6, A12)."""

from collections.abc import Awaitable, Callable

import msgspec
import pytest

from credence.ratelimit.limiter import NO_USAGE, RateLimiter, RateLimits, Usage, require_admitted
from credence.ratelimit.limits import LimitDecision, rate_limit
from credence.ratelimit.local_counters import LocalCounters
from credence.refusals.refusal import Refused
from credence.refusals.requests import SPIKE_ARREST
from tests.store.records import application

NOW = 1_000_000
LEDGER = application()
ADDRESS = "192.0.2.0/32"
UNLIMITED = (0, 1)
ONE = (1, 1)

KINDS = ("application", "account", "address")

Way = Callable[[RateLimiter], Awaitable[Usage]]

WAYS: dict[str, tuple[Way, set[str], set[str]]] = {
    "an address": (lambda limiter: limiter.limit_unauthenticated(ADDRESS), {"address"}, set()),
    "a claimed application": (
        lambda limiter: limiter.limit_unauthenticated(ADDRESS, LEDGER),
        {"address"},
        {"application"},
    ),
    "a claimed account": (
        lambda limiter: limiter.limit_unauthenticated(ADDRESS, None, "ada"),
        {"address"},
        {"account"},
    ),
    "both claimed": (
        lambda limiter: limiter.limit_unauthenticated(ADDRESS, LEDGER, "ada"),
        {"address"},
        {"application", "account"},
    ),
    "a client": (lambda limiter: limiter.limit_client(ADDRESS, LEDGER, None), {"application", "address"}, set()),
    "a client that names an account": (
        lambda limiter: limiter.limit_client(ADDRESS, LEDGER, "ada"),
        {"application", "address"},
        {"account"},
    ),
    "an account": (lambda limiter: limiter.limit_account("ada"), {"account"}, set()),
    "no account": (lambda limiter: limiter.limit_account(None), set(), set()),
    "a token": (lambda limiter: limiter.limit_authenticated(ADDRESS, LEDGER, "ada"), set(KINDS), set()),
    "a token without an account": (
        lambda limiter: limiter.limit_authenticated(ADDRESS, LEDGER, None),
        {"application", "address"},
        set(),
    ),
    "a person": (lambda limiter: limiter.limit_person(LEDGER, "ada"), {"application", "account"}, set()),
}
"""What a request shows: how it is counted, what it counts against, and what it only meets."""

ALONE: dict[str, Way] = {
    "application": lambda limiter: limiter.limit_client("198.51.100.0/32", LEDGER, None),
    "account": lambda limiter: limiter.limit_account("ada"),
    "address": lambda limiter: limiter.limit_unauthenticated(ADDRESS),
}
"""How a request counts against one kind alone, if only this kind has a limit."""


def limiter(**limits: tuple[int, int]) -> RateLimiter:
    given = [limits.get(kind, UNLIMITED) for kind in KINDS]
    return RateLimiter(RateLimits(*given), b"key", LocalCounters(), lambda: NOW)


def admitted(usage: Usage) -> bool:
    return usage.decision is None or usage.decision.admitted


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("kind", KINDS)
async def test_a_request_counts_against_what_it_proves_and_meets_what_it_claims(way: str, kind: str) -> None:
    ask, counted, met = WAYS[way]

    unused = limiter(**{kind: ONE})
    usage = await ask(unused)
    assert admitted(usage)
    assert [each.kind for each in usage.limits] == ([kind] if kind in counted else [])
    assert admitted(await ALONE[kind](unused)) is (kind not in counted)

    used = limiter(**{kind: ONE})
    assert admitted(await ALONE[kind](used))
    assert admitted(await ask(used)) is (kind not in counted | met)


@pytest.mark.parametrize("way", WAYS)
async def test_without_a_limit_nothing_is_counted_and_nothing_is_said(way: str) -> None:
    assert await WAYS[way][0](limiter()) == NO_USAGE == Usage((), None)


async def test_an_application_has_its_own_rate_or_that_of_the_deployment_and_none_at_0() -> None:
    rates = []
    for own in (None, 7, 0):
        ledger = msgspec.structs.replace(LEDGER, spike_per_minute=own)
        usage = await limiter(application=(60, 10)).limit_client(ADDRESS, ledger, None)
        rates.append([(each.per_minute, each.burst) for each in usage.limits])
    assert rates == [[(60, 10)], [(7, 7)], []]


async def test_a_refusal_names_the_kind_of_its_limit_and_the_seconds_to_wait() -> None:
    """Six a minute: one in ten seconds."""
    for kind in KINDS:
        busy = limiter(**{kind: (6, 1)})
        require_admitted(await ALONE[kind](busy))
        with pytest.raises(Refused) as refused:
            require_admitted(await ALONE[kind](busy))
        assert (refused.value.refusal, refused.value.reason, refused.value.retry_after) == (
            SPIKE_ARREST,
            f"spike.{kind}",
            10,
        )
    require_admitted(NO_USAGE)


def decided(*, remaining: int, admitted: bool = True) -> Usage:
    limit = rate_limit("account", 60, 10)
    assert limit is not None
    return Usage((limit,), LimitDecision(admitted, limit, remaining, 1))


@pytest.mark.parametrize(
    ("first", "later", "nearer"),
    [
        (decided(remaining=2), decided(remaining=1), "later"),
        (decided(remaining=1), decided(remaining=2), "first"),
        (decided(remaining=1), NO_USAGE, "first"),
        (NO_USAGE, decided(remaining=1), "later"),
        (decided(remaining=0), decided(remaining=0, admitted=False), "later"),
    ],
)
def test_of_two_decisions_on_one_request_the_one_with_less_room_is_told(
    first: Usage, later: Usage, nearer: str
) -> None:
    both = first.and_then(later)
    assert both.limits == first.limits + later.limits
    assert both.decision is {"first": first, "later": later}[nearer].decision


async def test_a_login_name_of_any_length_takes_sixteen_bytes() -> None:
    """threats A6, A12: what callers make up does not fill the memory."""
    counters = LocalCounters()
    busy = RateLimiter(RateLimits(UNLIMITED, ONE, UNLIMITED), b"key", counters, lambda: NOW)
    for name in ("a", "a" * 10_000):
        await busy.limit_account(name)
    assert [len(key) for key in counters._arrivals["account"]] == [16, 16]


async def test_the_digests_of_no_more_than_some_thousand_accounts_are_kept() -> None:
    """threats A12: they are made again when they are needed again."""
    busy = limiter(account=ONE)
    for number in range(5_000):
        await busy.limit_account(f"ada{number}")
    assert 1_000 < busy._known_account_key.cache_info().currsize < 5_000
    assert not admitted(await busy.limit_account("ada0"))


async def test_the_same_login_name_claimed_and_proved_is_one_key() -> None:
    """A login name that a request only claims has the count of the account, which its owner's requests may have used up."""
    busy = limiter(account=ONE)
    await busy.limit_account("ada")
    assert not admitted(await busy.limit_unauthenticated(ADDRESS, None, "ada"))
    assert admitted(await busy.limit_unauthenticated(ADDRESS, None, "bob"))


async def test_a_limiter_without_shared_counters_says_that_there_are_none() -> None:
    alone = limiter()
    assert alone.shared_available is None
    await alone.close()
