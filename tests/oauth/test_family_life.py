"""The table of a family's life cycle is complete, and time moves a family only along it (spec §3.3, D7, threats L1)."""

import itertools

import pytest

from credence.oauth.family_life import (
    TRANSITIONS,
    WITHOUT_TOKEN,
    Action,
    Arrival,
    FamilyState,
    family_state,
    transition,
)
from credence.store.records import TokenFamily

OPENED = 1_700_000_000_000
WINDOW = 30
LIFETIME = 3_600_000


def family(generation: int, issued_at: int, ended_at: int | None = None, because: str | None = None) -> TokenFamily:
    return TokenFamily(
        id=b"family",
        client_id="client",
        username="ada",
        scope="",
        created_at=OPENED,
        expires_at=OPENED + LIFETIME,
        issued_at=issued_at,
        expires_in=600,
        kid="key",
        generation=generation,
        ended_at=ended_at,
        ended_because=because,
    )


def test_the_table_answers_every_refresh_token_in_every_state() -> None:
    assert set(TRANSITIONS) == set(itertools.product(FamilyState, Arrival))


def test_only_the_newest_token_rotates_and_a_closed_family_stays_closed() -> None:
    closed = {FamilyState.ENDED, FamilyState.CUT_OFF, FamilyState.EXPIRED}
    for (state, token), step in TRANSITIONS.items():
        if step.action is Action.ROTATE:
            assert token is Arrival.NEWEST
        if state in closed:
            assert (step.action, step.next) == (Action.REFUSE, state)


@pytest.mark.parametrize(
    ("generation", "after_ms", "action", "reason"),
    [
        (3, 0, Action.ROTATE, None),
        (2, 29_999, Action.REPEAT, None),
        (2, 30_000, Action.END, "already_used"),
        (1, 0, Action.END, "already_used"),
        (4, 0, Action.REFUSE, "unissued"),
        (3, LIFETIME - 1_000, Action.REFUSE, "expired"),
    ],
)
def test_a_token_gets_the_action_that_the_decision_names(
    generation: int, after_ms: int, action: Action, reason: str | None
) -> None:
    """D7: a retry is the previous token within thirty seconds; every other earlier token is a reuse."""
    third = family(3, OPENED + 1_000)
    found = transition(
        third, generation, third.issued_at + after_ms, retry_window_seconds=WINDOW, before_not_before=False
    )
    assert (found.action, found.reason) == (action, reason)


def test_an_ended_family_keeps_its_own_reason_and_one_that_is_not_stored_has_expired() -> None:
    ended = family(1, OPENED, OPENED + 5, "reused")
    assert transition(ended, 1, OPENED + 10, retry_window_seconds=WINDOW, before_not_before=True).reason == "reused"
    assert transition(None, 1, OPENED, retry_window_seconds=WINDOW, before_not_before=False).reason == "expired"


def test_time_revocation_and_not_before_change_the_state_only_as_in_the_table() -> None:
    """The diagram of docs/tokens-life.md is generated from this table."""
    instants = [OPENED + seconds * 1_000 for seconds in (1, 15, 31, 40, 60, 3_599, 3_601)]
    rotated_at = (OPENED, OPENED + LIFETIME - 10_000)
    seen = set()
    for cut_off_at, ended_at, issued_at in itertools.product([*instants, None], [*instants, None], rotated_at):
        states = [
            family_state(
                family(1, issued_at, ended_at if ended_at and ended_at <= now else None, "revoked"),
                now,
                retry_window_seconds=WINDOW,
                before_not_before=cut_off_at is not None and cut_off_at <= now,
            )
            for now in instants
            if now >= issued_at
        ]
        seen |= {(before, after) for before, after in itertools.pairwise(states) if before is not after}
    assert seen == set(WITHOUT_TOKEN)
