"""The fields RateLimit-Policy and RateLimit (draft-ietf-httpapi-ratelimit-headers-11), from what spike arrest counted.

RateLimit-Policy names every pace that a request counts against. RateLimit tells of the one closest to its end how many
requests may come at once (`r`), and in how many seconds there is room for one more than that (`t`, rounded up). The
draft has no word for a burst, hence `credence-burst`, in the form it gives parameters of one's own (§3.1).
"""

from collections.abc import Sequence
from functools import lru_cache

from credence.ratelimit.limiter import KINDS, SECOND, Claim, Pace, Verdict
from credence.web.messages.answer import Headers

FIELDS = {
    "RateLimit-Policy": "The rates this request counts against: q requests in w seconds, credence-burst of them at once.",
    "RateLimit": "Of the rate closest to its end: r requests may come at once, and one more after t seconds.",
}
"""Their names and what they mean, for the reference."""

_POLICY, _LIMIT = map(str.lower, FIELDS)


def rate_limit_fields(verdict: Verdict, counted: Sequence[Claim]) -> Headers:
    """Return both fields; `t` of a refusal is its Retry-After (§6)."""
    limit = _limit(verdict.pace, verdict.room, -(-verdict.wait // SECOND))
    return (_policy(tuple([pace for pace, _ in counted])), limit) if counted else (limit,)


@lru_cache(maxsize=4096)
def _limit(pace: Pace, room: int, seconds: int) -> tuple[str, str]:
    return _LIMIT, f'"{pace.kind}";r={room};t={seconds}'


@lru_cache(maxsize=1024)
def _policy(paces: Sequence[Pace]) -> tuple[str, str]:
    ordered = sorted(paces, key=lambda each: KINDS.index(each.kind))
    return _POLICY, ", ".join(f'"{each.kind}";q={each.per_minute};w=60;credence-burst={each.burst}' for each in ordered)
