"""The plan of the signing keys, from rows and the clock alone (D13, threats §5, K1 to K8)."""

import asyncio
import itertools
from pathlib import Path

import pytest

from credence.oauth.keys.ring import load_key_ring, max_age
from credence.oauth.keys.rotation import rotate_keys
from credence.oauth.keys.schedule import (
    KEY_SET_MAX_AGE_SECONDS,
    RETENTION_MS,
    SAFE_AFTER_MS,
    TRANSITIONS,
    KeyState,
    PlannedKey,
    last_change,
    next_change,
    plan,
    state,
    successor_due,
)
from credence.settings import Settings
from credence.store.signing_keys import SigningKeyRow
from tests.deployment import KEKS, NOW
from tests.memory_store import MemoryStore

DAY = 86_400_000


def row(kid: str, published_at: int, signs_from: int, revoked_at: int | None = None) -> SigningKeyRow:
    return SigningKeyRow(kid, "ES256", b"{}", published_at, signs_from, revoked_at)


def states(rows: list[SigningKeyRow], now: int) -> dict[str, str]:
    return {key.kid: str(state(key, now)) for key in plan(rows)}


FIRST = row("a", NOW, NOW)
SECOND = row("b", NOW, NOW + 90 * DAY)


def test_the_first_key_signs_at_once_and_the_second_waits() -> None:
    """threats F10: no verifier can hold an older key set of a new deployment."""
    assert states([FIRST, SECOND], NOW) == {"a": "signing", "b": "published"}


@pytest.mark.parametrize(("at", "first", "second"), [(-1, "signing", "published"), (0, "retired", "signing")])
def test_the_second_takes_over_at_the_millisecond_that_was_planned(at: int, first: str, second: str) -> None:
    assert states([FIRST, SECOND], NOW + 90 * DAY + at) == {"a": first, "b": second}


@pytest.mark.parametrize(("at", "expected"), [(-1, "retired"), (0, "removed"), (1, "removed")])
def test_a_retired_key_leaves_when_the_last_token_it_signed_has_expired(at: int, expected: str) -> None:
    """threats K3: the longest token life and a minute of skew after its last signature."""
    assert RETENTION_MS == 86_400_000 + 60_000
    assert states([FIRST, SECOND], NOW + 90 * DAY + RETENTION_MS + at)["a"] == expected


def test_a_key_never_signs_before_every_verifier_knows_it() -> None:
    """threats K1: the largest advertised max-age and a minute of skew after publication, whatever was planned."""
    assert KEY_SET_MAX_AGE_SECONDS * 1000 + 60_000 == SAFE_AFTER_MS
    late = row("b", NOW + 100 * DAY, NOW + 90 * DAY)  # a process that slept through its time
    assert states([FIRST, late], NOW + 100 * DAY + SAFE_AFTER_MS - 1) == {"a": "signing", "b": "published"}
    assert states([FIRST, late], NOW + 100 * DAY + SAFE_AFTER_MS) == {"a": "retired", "b": "signing"}


def test_a_revoked_key_is_gone_at_once_and_the_next_one_signs() -> None:
    """threats K7: sooner than planned, because there is no other."""
    rows = [row("a", NOW, NOW, revoked_at=NOW + DAY), SECOND]
    assert states(rows, NOW + DAY - 1) == {"a": "signing", "b": "published"}
    assert states(rows, NOW + DAY) == {"a": "removed", "b": "signing"}


def test_when_the_last_key_is_revoked_a_new_one_signs_from_its_publication() -> None:
    """threats K7."""
    rows = [row("a", NOW, NOW, revoked_at=NOW + DAY), row("b", NOW + DAY + 5, NOW + DAY + 5)]
    assert states(rows, NOW + DAY + 5) == {"a": "removed", "b": "signing"}


def test_a_key_revoked_before_its_time_does_not_disturb_the_one_that_signs() -> None:
    rows = [FIRST, row("b", NOW, NOW + 90 * DAY, revoked_at=NOW + DAY), row("c", NOW + DAY, NOW + 91 * DAY)]
    assert states(rows, NOW + 2 * DAY) == {"a": "signing", "b": "removed", "c": "published"}
    assert states(rows, NOW + 91 * DAY) == {"a": "retired", "b": "removed", "c": "signing"}


def test_a_retired_key_never_signs_again_when_its_successor_is_revoked() -> None:
    rows = [FIRST, row("b", NOW, NOW + 90 * DAY, revoked_at=NOW + 91 * DAY), row("c", NOW + 90 * DAY, NOW + 180 * DAY)]
    assert states(rows, NOW + 91 * DAY)["a"] != "signing"
    assert states(rows, NOW + 91 * DAY)["c"] == "signing"


def test_at_every_instant_exactly_one_key_of_an_algorithm_signs() -> None:
    """threats I6: whatever was revoked, as long as a key was published by then."""
    instants = [NOW + days * DAY for days in (0, 1, 89, 90, 91, 180, 181, 270)]
    for revoked_a, revoked_b in itertools.product([None, NOW + DAY, NOW + 91 * DAY], repeat=2):
        rows = [
            row("a", NOW, NOW, revoked_a),
            row("b", NOW, NOW + 90 * DAY, revoked_b),
            row("c", NOW, NOW + 180 * DAY),
        ]
        for instant in instants:
            found = [kid for kid, each in states(rows, instant).items() if each == "signing"]
            assert len(found) == 1, (revoked_a, revoked_b, instant)


def test_every_step_of_every_key_is_one_of_the_table() -> None:
    """The diagram of docs/keys.md is drawn from this table."""
    rows = [
        FIRST,
        row("b", NOW, NOW + 90 * DAY, NOW + 95 * DAY),
        row("c", NOW + 90 * DAY, NOW + 180 * DAY),
        row("d", NOW + 95 * DAY, NOW + 270 * DAY, NOW + 100 * DAY),
        row("e", NOW + 100 * DAY, NOW + 280 * DAY),
    ]
    seen = set()
    for key in plan(rows):
        life = [state(key, NOW + hours * 3_600_000) for hours in range(24 * 300)]
        seen |= {(before, after) for before, after in itertools.pairwise(life) if before is not after}
    assert seen == {(step.before, step.after) for step in TRANSITIONS}


def test_the_order_of_the_rows_does_not_matter() -> None:
    """threats K4: every process makes the same plan."""
    rows = [FIRST, SECOND, row("c", NOW + 90 * DAY, NOW + 180 * DAY, NOW + 200 * DAY)]
    assert len({plan(order) for order in itertools.permutations(rows)}) == 1


def test_the_next_change_is_the_next_instant_of_any_key() -> None:
    keys = plan([FIRST, SECOND])
    assert next_change(keys, NOW) == NOW + 90 * DAY
    assert next_change(keys, NOW + 90 * DAY) == NOW + 90 * DAY + RETENTION_MS
    assert next_change(keys, NOW + 90 * DAY + RETENTION_MS) is None


def test_the_last_change_is_the_newest_instant_of_any_key() -> None:
    keys = plan([FIRST, SECOND])
    assert last_change(keys, NOW - 1) == 0
    assert last_change(keys, NOW + 90 * DAY - 1) == NOW
    assert last_change(keys, NOW + 90 * DAY) == NOW + 90 * DAY
    assert last_change(keys, NOW + 900 * DAY) == NOW + 90 * DAY + RETENTION_MS


def test_a_successor_is_due_as_soon_as_no_key_is_published_ahead() -> None:
    """threats K6."""
    keys: tuple[PlannedKey, ...] = plan([FIRST, SECOND])
    assert not successor_due(keys, "ES256", NOW)
    assert successor_due(keys, "ES256", NOW + 90 * DAY)
    assert successor_due(keys, "RS256", NOW)


def settings(folder: Path) -> Settings:
    return Settings(data_dir=folder, algorithms=("RS256", "ES256"), algorithm="ES256")


async def test_processes_that_start_together_agree_on_the_first_keys(tmp_path: Path) -> None:
    """threats K4, issue: one row wins."""
    store = MemoryStore()
    await asyncio.gather(*(rotate_keys(store, KEKS, settings(tmp_path), (), NOW + offset) for offset in range(6)))
    rows = await store.signing_keys()
    assert sorted(each.algorithm for each in rows) == ["ES256", "ES256", "RS256", "RS256"]


async def test_a_process_that_slept_for_a_year_changes_nothing_of_the_past(tmp_path: Path) -> None:
    """threats K8: the old key signs on until a new one is known everywhere."""
    store = MemoryStore()
    await rotate_keys(store, KEKS, settings(tmp_path), (), NOW)
    later = NOW + 400 * DAY
    before = await load_key_ring(store, KEKS, "ES256", later)
    await rotate_keys(store, KEKS, settings(tmp_path), (), later)
    after = await load_key_ring(store, KEKS, "ES256", later)
    assert {name: key.kid for name, key in before.signing.items()} == {
        name: key.kid for name, key in after.signing.items()
    }


async def test_a_retired_key_loses_its_private_half_after_the_retry_window(tmp_path: Path) -> None:
    """threats §5: and its public half goes a day later."""
    store = MemoryStore()
    await rotate_keys(store, KEKS, settings(tmp_path), (), NOW)
    first = (await load_key_ring(store, KEKS, "ES256", NOW)).signing["ES256"].kid
    retired = NOW + 90 * DAY
    for at, private, public in (
        (retired + 59_999, True, True),
        (retired + 60_000, False, True),
        (retired + RETENTION_MS - 1, False, True),
        (retired + RETENTION_MS, False, False),
    ):
        await rotate_keys(store, KEKS, settings(tmp_path), (), at)
        ring = await load_key_ring(store, KEKS, "ES256", at)
        assert (first in ring.private, first in ring.verifying) == (private, public), at


@pytest.mark.parametrize(
    ("before_change", "expected"), [(2 * 3_600_000, 3_600), (3_600_000, 3_600), (1_800_999, 1_800), (999, 0)]
)
async def test_the_key_set_may_be_kept_until_the_next_change_and_at_most_an_hour(
    tmp_path: Path, before_change: int, expected: int
) -> None:
    """threats K2."""
    store = MemoryStore()
    await rotate_keys(store, KEKS, settings(tmp_path), (), NOW)
    at = NOW + 90 * DAY - before_change
    assert max_age(await load_key_ring(store, KEKS, "ES256", at), at) == expected


def test_the_states_are_those_of_the_decision() -> None:
    """D13: published, signing, retired, removed."""
    assert [str(each) for each in KeyState] == ["published", "signing", "retired", "removed"]
