"""When a failed delivery is attempted again (Standard Webhooks 1.0.0, "Deliverability and reliability")."""

from dataclasses import dataclass

from credence.clock import Milliseconds

JITTER = 0.2
"""The part by which a delay is longer or shorter at random, so that failed deliveries do not return in one wave."""

MAX_RETRY_AFTER_MS = 86_400_000
"""The longest wait that a receiver may request with Retry-After."""

_SECOND, _MINUTE, _HOUR = 1_000, 60_000, 3_600_000


@dataclass(frozen=True, slots=True)
class Schedule:
    """The delays between the attempts of one kind of delivery."""

    delays_ms: tuple[int, ...]
    """Before the second attempt, before the third, and so on; after one more failure the delivery is given up."""

    def next_attempt(
        self, attempts: int, now: Milliseconds, chance: float, retry_after_ms: int = 0
    ) -> Milliseconds | None:
        """Return when a delivery is due after this number of failures; None: it is given up. `chance` is in [0, 1)."""
        if attempts > len(self.delays_ms):
            return None
        delay = self.delays_ms[attempts - 1] * (1 - JITTER + 2 * JITTER * chance)
        return now + max(round(delay), min(retry_after_ms, MAX_RETRY_AFTER_MS))


WEBHOOKS = Schedule(
    (
        5 * _SECOND,
        5 * _MINUTE,
        30 * _MINUTE,
        2 * _HOUR,
        5 * _HOUR,
        10 * _HOUR,
        14 * _HOUR,
        20 * _HOUR,
        24 * _HOUR,
    )
)
"""Ten attempts in a little more than three days."""

VERIFICATIONS = Schedule((5 * _SECOND, 5 * _MINUTE, 30 * _MINUTE))
"""Four attempts in about half an hour; the owner of an endpoint can have it verified again."""

SIGN_OUTS = Schedule((5 * _SECOND, 30 * _SECOND, 5 * _MINUTE))
"""Four attempts in about six minutes: a notice of a sign-out that comes hours late helps no application."""
