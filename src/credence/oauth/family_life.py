"""The life cycle of a token family: what a refresh token does to it (spec §3.3, D7, threats L1, L2, §6).

The state of a family follows from its row and the time. `TRANSITIONS` gives, for each state and each refresh token that
may arrive, what to do and the next state. The refresh grant and introspection look their decisions up in it, and
`docs/tokens-life.md` is generated from it.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple

from credence.clock import Milliseconds
from credence.clock_tolerances import NODE_TOLERANCE_MS
from credence.store.records import TokenFamily


class FamilyState(StrEnum):
    """The state of a family at one instant."""

    LIVE = "live"
    """Only the newest refresh token is valid: the last answer is too old to be repeated, or there was no rotation."""
    ROTATED = "rotated"
    """Rotated within the retry window: the previous refresh token still returns the last answer again."""
    ENDED = "ended"
    """Revoked, or ended because a refresh token was reused."""
    CUT_OFF = "cut off"
    """Opened before the `not_before` of its account or application."""
    EXPIRED = "expired"
    """Past the lifetime that was fixed at login, or no longer stored."""


class Arrival(StrEnum):
    """The generation of a presented refresh token in relation to that of its family."""

    NEWEST = "newest"
    PREVIOUS = "previous"
    OLDER = "older"
    UNISSUED = "unissued"
    """Newer than the family's generation: the store was restored to an earlier state."""


class Action(StrEnum):
    """What the refresh grant does."""

    ROTATE = "rotate"
    REPEAT = "repeat the last answer"
    REFUSE = "refuse"
    END = "refuse and end the family"


class Transition(NamedTuple):
    """What to do with a refresh token, and the next state of its family: a value of `TRANSITIONS`."""

    action: Action
    next: FamilyState
    reason: str | None = None
    """The reason code of a refusal, without its prefix `refresh_token.`; an ended family keeps its own."""


_REUSED = Transition(Action.END, FamilyState.ENDED, "already_used")

TRANSITIONS: Mapping[tuple[FamilyState, Arrival], Transition] = {
    (FamilyState.LIVE, Arrival.NEWEST): Transition(Action.ROTATE, FamilyState.ROTATED),
    (FamilyState.LIVE, Arrival.PREVIOUS): _REUSED,
    (FamilyState.LIVE, Arrival.OLDER): _REUSED,
    (FamilyState.LIVE, Arrival.UNISSUED): Transition(Action.REFUSE, FamilyState.LIVE, "unissued"),
    (FamilyState.ROTATED, Arrival.NEWEST): Transition(Action.ROTATE, FamilyState.ROTATED),
    (FamilyState.ROTATED, Arrival.PREVIOUS): Transition(Action.REPEAT, FamilyState.ROTATED),
    (FamilyState.ROTATED, Arrival.OLDER): _REUSED,
    (FamilyState.ROTATED, Arrival.UNISSUED): Transition(Action.REFUSE, FamilyState.ROTATED, "unissued"),
    **{(FamilyState.ENDED, token): Transition(Action.REFUSE, FamilyState.ENDED) for token in Arrival},
    **{
        (FamilyState.CUT_OFF, token): Transition(Action.REFUSE, FamilyState.CUT_OFF, "before_not_before")
        for token in Arrival
    },
    **{(FamilyState.EXPIRED, token): Transition(Action.REFUSE, FamilyState.EXPIRED, "expired") for token in Arrival},
}
"""The action and the next state for each state of a family and each refresh token."""

WITHOUT_TOKEN: Mapping[tuple[FamilyState, FamilyState], str] = {
    (FamilyState.ROTATED, FamilyState.LIVE): "the retry window has passed",
    **{
        (state, after): cause
        for state in (FamilyState.LIVE, FamilyState.ROTATED)
        for after, cause in (
            (FamilyState.ENDED, "a refresh token is revoked"),
            (FamilyState.CUT_OFF, "the account or application changes"),
            (FamilyState.EXPIRED, "its lifetime has passed"),
        )
    },
    (FamilyState.ENDED, FamilyState.EXPIRED): "its lifetime has passed",
    (FamilyState.CUT_OFF, FamilyState.ENDED): "a refresh token is revoked",
    (FamilyState.CUT_OFF, FamilyState.EXPIRED): "its lifetime has passed",
}
"""Changes of state without a refresh token, with their cause."""


def transition(
    family: TokenFamily | None,
    generation: int,
    now: Milliseconds,
    *,
    retry_window_seconds: int,
    before_not_before: bool,
) -> Transition:
    """Return what a genuine refresh token of this generation does; `before_not_before` comes from `liveness_error`."""
    if family is None:
        return TRANSITIONS[FamilyState.EXPIRED, Arrival.NEWEST]
    state = family_state(family, now, retry_window_seconds=retry_window_seconds, before_not_before=before_not_before)
    found = TRANSITIONS[state, _arrival(family, generation)]
    return found._replace(reason=family.ended_because) if state is FamilyState.ENDED else found


def family_state(
    family: TokenFamily, now: Milliseconds, *, retry_window_seconds: int, before_not_before: bool
) -> FamilyState:
    """Return the state of a stored family at `now`."""
    if now >= family.expires_at:
        return FamilyState.EXPIRED
    if family.ended_at is not None:
        return FamilyState.ENDED
    if before_not_before:
        return FamilyState.CUT_OFF
    return FamilyState.ROTATED if is_in_retry_window(family, now, retry_window_seconds) else FamilyState.LIVE


def is_in_retry_window(family: TokenFamily, now: Milliseconds, retry_window_seconds: int) -> bool:
    """Return whether the previous refresh token of a family returns the last answer again (D7).

    If the clock was set back, the last refresh is in the future; by more than the clocks of two nodes differ, it is no
    refresh that a client repeats.
    """
    return family.generation > 0 and -NODE_TOLERANCE_MS <= now - family.issued_at < retry_window_seconds * 1000


def _arrival(family: TokenFamily, generation: int) -> Arrival:
    if generation > family.generation:
        return Arrival.UNISSUED
    if generation == family.generation:
        return Arrival.NEWEST
    return Arrival.PREVIOUS if generation == family.generation - 1 else Arrival.OLDER
