"""The response fields RateLimit-Policy and RateLimit (draft-ietf-httpapi-ratelimit-headers-11).

RateLimit-Policy lists every limit that the request counts against. RateLimit describes the limit with the least room: `r`
requests may come at once, and one more after `t` seconds (rounded up; after a refusal, the value of Retry-After, §6). The
draft defines no parameter for a burst, so `credence-burst` follows its form for private parameters (§3.1).
"""

from collections.abc import Sequence
from functools import lru_cache

from credence.ratelimit.limiter import Usage
from credence.ratelimit.limits import KINDS, RateLimit

FIELDS = {
    "RateLimit-Policy": "The rates this request counts against: q requests in w seconds, credence-burst of them at once.",
    "RateLimit": "Of the rate closest to its end: r requests may come at once, and one more after t seconds.",
}
"""Field names and their descriptions for the API reference."""

_POLICY, _LIMIT = map(str.lower, FIELDS)


def rate_limit_fields(usage: Usage) -> Sequence[tuple[str, str]]:
    """Return both fields; empty if no limit applies, only RateLimit if the request counts against no limit."""
    decision = usage.decision
    if decision is None:
        return ()
    limit = _limit_field(decision.limit, decision.remaining, decision.wait_seconds)
    return (_policy_field(usage.limits), limit) if usage.limits else (limit,)


@lru_cache(maxsize=4096)
def _limit_field(limit: RateLimit, remaining: int, seconds: int) -> tuple[str, str]:
    return _LIMIT, f'"{limit.kind}";r={remaining};t={seconds}'


@lru_cache(maxsize=1024)
def _policy_field(limits: Sequence[RateLimit]) -> tuple[str, str]:
    ordered = sorted(limits, key=lambda limit: KINDS.index(limit.kind))
    return _POLICY, ", ".join(f'"{each.kind}";q={each.per_minute};w=60;credence-burst={each.burst}' for each in ordered)
