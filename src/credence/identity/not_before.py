"""`not_before`: tokens issued before this instant are invalid (D14, threats L5, L6).

Accounts and applications have a `not_before`. It is one millisecond after the last possible issue time, so a login in the
same second is either before or after it.
"""

from credence.clock import Milliseconds


def next_not_before(previous: Milliseconds, now: Milliseconds) -> Milliseconds:
    """Return a `not_before` that is later than every token issued since the previous one, even if the clock was set back."""
    return max(now, first_whole_second(previous)) + 1


def first_whole_second(instant: Milliseconds) -> Milliseconds:
    """Return the first whole second, in milliseconds, at or after this instant; `iat` has whole seconds."""
    return -(-instant // 1000) * 1000
