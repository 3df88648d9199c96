"""The instant before which all that an account or application was issued is dead (D14, threats L5, L6).

Account and application keep it as `not_before`. A login is of after it or of before it, never of neither: a cut-off kills
what was issued in its own millisecond, and what a login of the same second was dated forward to.
"""

from credence.clock import Milliseconds


def next_not_before(kept: Milliseconds, now: Milliseconds) -> Milliseconds:
    """Return the cut-off of this instant for an owner whose last one was `kept`: later than all that was issued since."""
    return max(now, first_whole_second(kept)) + 1


def first_whole_second(instant: Milliseconds) -> Milliseconds:
    """Return the first instant at or after this one that a token's whole-second `iat` can express."""
    return -(-instant // 1000) * 1000
