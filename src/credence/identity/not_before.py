"""`not_before`: tokens, logins and sessions dated before this instant are invalid (D14, threats L5, L6).

Accounts and applications have a `not_before`. Tokens have times in whole seconds (`iat`, `auth_time`), families and
sessions in milliseconds. So the limit is always a whole second, and what is made in the second of a change is dated to the
next one: then it makes no difference whether a time is compared in milliseconds or in whole seconds.
"""

from credence.clock import Milliseconds


def next_not_before(previous: Milliseconds, now: Milliseconds) -> Milliseconds:
    """Return a `not_before` that is later than everything dated since the previous one, even if the clock was set back."""
    return (max(now, first_whole_second(previous)) // 1000 + 1) * 1000


def dated(now: Milliseconds, not_before: Milliseconds) -> Milliseconds:
    """Return the date of a token, login or proof of now: at the earliest the first second that `not_before` leaves valid."""
    return now if not_before <= now - 1000 else max(now, first_whole_second(not_before))


def is_cut_off(at: Milliseconds, not_before: Milliseconds) -> bool:
    """Return whether `not_before` makes invalid what is dated `at`, in milliseconds or cut to the second.

    A `not_before` that version 0.2 stored may be within a second; it means the next whole one.
    """
    return at < first_whole_second(not_before)


def first_whole_second(instant: Milliseconds) -> Milliseconds:
    """Return the first whole second, in milliseconds, at or after this instant."""
    return -(-instant // 1000) * 1000
