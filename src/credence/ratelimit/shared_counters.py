"""Reaches for the counters that nodes share (D16): under which names they count there, and what the log says of them."""

from functools import lru_cache

from credence.crypto.digest import keyed_digest
from credence.ratelimit.limiter import Counters, Key
from credence.telemetry.log import event

NAMES_HELD = 8_192


async def open_counters(url: str, digest_key: bytes) -> Counters | None:
    """Return the counters at `url`; None when it is empty. That they are away is no reason not to start."""
    if not url:
        return None
    # Imported here: it is a tenth of a second and some megabytes that most deployments need not spend.
    from credence.ratelimit.redis_counters import SharedCounters

    @lru_cache(maxsize=NAMES_HELD)
    def name_of(kind: str, key: Key) -> str:
        octets = key.encode() if isinstance(key, str) else key
        return f"credence:spike:{keyed_digest(digest_key, 'spike counter', kind.encode(), octets)[:16].hex()}"

    shared = SharedCounters(url, name_of, _told)
    await shared.open()
    return shared


def _told(fault: str | None) -> None:
    if fault is None:
        event("counters_shared_again")
    else:
        event("counters_away", fault=fault, counting="locally")
