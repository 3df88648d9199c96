"""When a failed delivery is attempted again (Standard Webhooks 1.0.0, "Deliverability and reliability")."""

from dataclasses import dataclass

from credence.clock import Milliseconds

JITTER = 0.2
"""The share by which a delay is varied at random, so that failed deliveries are not retried all at once."""

MAX_RETRY_AFTER_MS = 86_400_000
"""The longest wait that a receiver may request with Retry-After."""

_SECOND, _MINUTE, _HOUR = 1_000, 60_000, 3_600_000


@dataclass(frozen=True, slots=True)
class Schedule:
    """The delays between the attempts of one kind of delivery."""

    delays_ms: tuple[int, ...]
    """The delay before the second attempt, before the third, and so on; after one more failure the delivery is given up."""

    def next_attempt(
        self, attempts: int, now: Milliseconds, chance: float, retry_after_ms: int = 0
    ) -> Milliseconds | None:
        """Return when a delivery is due after `attempts` failures; None if it is given up.

        `chance` is a random number in [0, 1).
        """
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
"""The schedule of webhooks: ten attempts in a little more than three days."""

VERIFICATIONS = Schedule((5 * _SECOND, 5 * _MINUTE, 30 * _MINUTE))
"""The schedule of verifications: four attempts in about half an hour; the owner can request another verification."""

MESSAGES = Schedule((5 * _SECOND, 30 * _SECOND, 5 * _MINUTE, 30 * _MINUTE, 2 * _HOUR, 10 * _HOUR))
"""The schedule of messages to people: seven attempts in half a day. A link or code that has expired is not sent."""

SIGN_OUTS = Schedule((5 * _SECOND, 30 * _SECOND, 5 * _MINUTE))
"""The schedule of sign-out notices: four attempts in about six minutes, because a notice that is hours late is useless."""
