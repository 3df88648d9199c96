"""`not_before`: tokens issued before this instant are invalid (D14, threats L5, L6).

Accounts and applications have one. It is one millisecond after the last possible issue time, so a login in the same
second is either before or after it, never both.
"""

from credence.clock import Milliseconds


def next_not_before(previous: Milliseconds, now: Milliseconds) -> Milliseconds:
    """Return a `not_before` that is later than every token issued since the previous one, even if the clock was set back."""
    return max(now, first_whole_second(previous)) + 1


def first_whole_second(instant: Milliseconds) -> Milliseconds:
    """Return the first instant at or after this one that `iat`, in whole seconds, can express."""
    return -(-instant // 1000) * 1000
