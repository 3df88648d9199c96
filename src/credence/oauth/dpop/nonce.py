"""DPoP nonces (RFC 9449 §8, §9): nothing is stored, and every node accepts the nonces of every other node.

A nonce is a keyed digest of the time step in which it was issued. It is neither secret nor bound to a client: it proves that
a proof was made recently and not in advance, even when the client's clock is wrong.
"""

from functools import lru_cache

from credence.clock import Milliseconds
from credence.clock_tolerances import NODE_TOLERANCE_MS
from credence.crypto import base64url
from credence.crypto.digest import keyed_digest

STEP_MS = 15_000
"""The interval in which a new nonce is issued."""

STEPS = 20
"""The number of steps for which a nonce is valid, including its own: five minutes."""

_MARK_BYTES = 15


def newest(key: bytes, now: Milliseconds) -> str:
    """Return the newest nonce at `now`."""
    return _nonce(key, now // STEP_MS)


def is_newest(step: int, now: Milliseconds) -> bool:
    """Return whether the nonce of this step is still the newest; a client with an older one gets a newer one (§8.2)."""
    return step >= now // STEP_MS


def step_of(key: bytes, nonce: str, now: Milliseconds) -> int | None:
    """Return the step in which this nonce was issued; None when it is unknown or no longer valid."""
    newest_step = (now + NODE_TOLERANCE_MS) // STEP_MS
    for step in range(newest_step, latest_refused(now), -1):
        if nonce == _nonce(key, step):
            return step
    return None


def latest_refused(now: Milliseconds) -> int:
    """Return the newest step of which all nonces are refused at `now`."""
    return now // STEP_MS - STEPS


def useless_from(step: int) -> Milliseconds:
    """Return the instant from which every node refuses the nonce of this step."""
    return (step + STEPS) * STEP_MS + NODE_TOLERANCE_MS


@lru_cache(maxsize=2 * STEPS)
def _nonce(key: bytes, step: int) -> str:
    return base64url.encode(keyed_digest(key, "dpop nonce", step.to_bytes(8, "big"))[:_MARK_BYTES])
