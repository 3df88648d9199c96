"""The contract of the store (contract.py), checked for each implementation."""

import asyncio
from typing import Any

import msgspec
import pytest

from credence.crypto import base64url
from credence.store.change_log import LogGap
from credence.store.contract import CHANGE_NOTICE_MS, Conflict, Full, Store
from credence.token_lifetime_limits import MAX_ACCESS_TOKEN_SECONDS
from tests.store.records import DAY, NOW, account, application, family, log_in, parameters, signing_key


async def test_a_saved_application_is_read_back_completely(store: Store) -> None:
    await store.save_application(application(), NOW)
    assert await store.application("crd_sbx_app_a") == application()


async def test_an_unknown_application_or_account_returns_none(store: Store) -> None:
    assert await store.application("nobody") is None
    assert await store.account("nobody") is None


@pytest.mark.parametrize("name", ["ada\0", "\0", "a\0da", "ada\ud800", "\udcff"])
async def test_a_name_with_a_nul_or_half_a_character_in_it_is_unknown(store: Store, name: str) -> None:
    """threats F3: what a database cannot hold is not there, which is no failure of the database."""
    await store.save_application(application("ada"), NOW)
    await store.save_account(account("ada"), NOW)
    assert await store.application(name) is None
    assert await store.account(name) is None
    assert [each.username for each in await store.accounts_named(["ada", name])] == ["ada"]


async def test_applications_and_accounts_are_listed_in_order(store: Store) -> None:
    for name in ("b", "a", "c"):
        await store.save_application(application(name), NOW)
        await store.save_account(account(name), NOW)
    assert [each.client_id for each in await store.applications()] == ["a", "b", "c"]
    assert [each.username for each in await store.accounts()] == ["a", "b", "c"]


async def test_the_applications_of_a_developer_are_found(store: Store) -> None:
    for name, owner in (("c", "ada"), ("a", "ada"), ("b", "bob"), ("d", "")):
        await store.save_application(msgspec.structs.replace(application(name), owner=owner), NOW)
    assert [each.client_id for each in await store.applications_owned_by("ada")] == ["a", "c"]
    assert await store.applications_owned_by("") == await store.applications_owned_by("cleo") == []


async def test_a_developer_never_has_more_applications_than_were_allowed(store: Store) -> None:
    """threats E10: of applications that are made at once, those above the limit are not stored."""
    made = [msgspec.structs.replace(application(name), owner="ada") for name in ("a", "b", "c", "d", "e")]
    made.append(msgspec.structs.replace(application("f"), owner="bob"))
    saved = await asyncio.gather(*(store.save_application(each, NOW, 2) for each in made), return_exceptions=True)
    assert [type(each) for each in saved if each is not None] == [Full] * 3
    kept = await store.applications_owned_by("ada")
    assert (len(kept), len(await store.applications()), len(await store.changes(0))) == (2, 3, 3)
    await store.save_application(msgspec.structs.replace(kept[0], version=2, name="Ledger 2"), NOW, 2)


async def test_applications_and_accounts_are_listed_in_pages(store: Store) -> None:
    for name in ("b", "a", "é", "Z", "c"):
        await store.save_application(application(name), NOW)
        await store.save_account(account(name), NOW)
    assert [each.client_id for each in await store.applications("", 2)] == ["Z", "a"]
    assert [each.client_id for each in await store.applications("a", 2)] == ["b", "c"]
    assert [each.username for each in await store.accounts("b", 5)] == ["c", "é"]
    assert await store.accounts("é", 5) == []


async def test_accounts_are_read_by_their_names_at_once(store: Store) -> None:
    for name in ("b", "a", "c"):
        await store.save_account(account(name), NOW)
    named = await store.accounts_named(["c", "nobody", "a"])
    assert {each.username for each in named} == {"a", "c"}
    assert await store.accounts_named([]) == []


async def test_a_change_is_stored_only_if_the_version_it_is_based_on_is_the_stored_one(store: Store) -> None:
    """threats E10: of two writers that read the same version, the second gets Conflict."""
    await store.save_application(application(), NOW)
    await store.save_application(application(version=2, name="Ledger 2"), NOW)
    with pytest.raises(Conflict):
        await store.save_application(application(version=2, name="Lost"), NOW)
    kept = await store.application("crd_sbx_app_a")
    assert kept is not None
    assert kept.name == "Ledger 2"


async def test_a_name_can_be_registered_once(store: Store) -> None:
    await store.save_account(account(), NOW)
    with pytest.raises(Conflict):
        await store.save_account(account(email="other@example.com"), NOW)
    kept = await store.account("ada")
    assert kept is not None
    assert kept.email is None


async def test_a_new_family_is_read_back_completely(store: Store) -> None:
    await log_in(store, family())
    assert await store.family(family().id) == family()
    assert await store.family(family(2).id) is None


@pytest.mark.parametrize(
    "change", [{"password_version": 2}, {"status": "suspended"}, {"not_before": NOW}], ids=lambda change: str(*change)
)
async def test_a_login_verified_before_its_account_changed_creates_no_family(
    store: Store, change: dict[str, Any]
) -> None:
    """threats L3: a login in progress does not take effect after a change of the password or the state."""
    await store.save_account(account(), NOW)
    await store.save_account(msgspec.structs.replace(account(version=2), **change), NOW)
    with pytest.raises(Conflict):
        await store.open_family(family(), account())
    assert await store.family(family().id) is None


async def test_a_login_is_not_disturbed_by_another_change_of_its_account(store: Store) -> None:
    await store.save_account(account(), NOW)
    await store.save_account(account(version=2, email="new@example.com"), NOW)
    await store.open_family(family(), account())
    assert await store.family(family().id) == family()


async def test_a_change_of_an_account_ends_the_logins_that_their_application_dated_ahead_of_it(store: Store) -> None:
    """threats L5: in one second an application was changed twice, two logins were opened, and the account changed."""
    second = NOW + 1000
    changed = msgspec.structs.replace(application(), not_before=NOW + 2000)
    for each in (changed, application("other"), msgspec.structs.replace(application("third"), not_before=second)):
        await store.save_application(each, NOW)
    ahead, earlier, of_bob, unreached = (family(number) for number in range(1, 5))
    ahead = msgspec.structs.replace(ahead, created_at=NOW + 2000)
    of_bob = msgspec.structs.replace(of_bob, created_at=NOW + 2000, username="bob")
    unreached = msgspec.structs.replace(unreached, client_id="third")
    for name in ("ada", "bob"):
        await store.save_account(account(name), NOW)
    for opened in (ahead, earlier, of_bob, unreached):
        await store.open_family(opened, account(opened.username))
    first = account(version=2, email="ada@example.com")
    last = msgspec.structs.replace(account(version=3), not_before=second)
    await store.save_account(first, NOW)
    assert await store.family(ahead.id) == ahead
    with pytest.raises(Conflict):
        await store.save_account(msgspec.structs.replace(last, version=9), NOW)
    assert await store.family(ahead.id) == ahead
    await store.save_account(last, NOW)
    assert await store.family(ahead.id) == msgspec.structs.replace(
        ahead, ended_at=NOW, ended_because="before_not_before"
    )
    assert [await store.family(each.id) for each in (earlier, of_bob, unreached)] == [earlier, of_bob, unreached]
    assert [each.kind for each in await store.changes(0)][-2:] == ["family", "account"]


async def test_a_family_is_opened_once(store: Store) -> None:
    await log_in(store, family())
    with pytest.raises(Conflict):
        await log_in(store, family())


async def test_a_bound_family_is_not_rotated_to_a_bearer_token(store: Store) -> None:
    """RFC 9449 §5: by the same statement, so of a race between both kinds of request the bound one wins."""
    await log_in(store, family())
    unbound = msgspec.structs.replace(parameters(), confirmation="")
    assert await store.rotate(family().id, 0, unbound) is None
    assert await store.family(family().id) == family()
    assert await store.rotate(family().id, 0, parameters()) is not None


async def test_a_rotation_advances_the_generation_and_stores_the_new_parameters(store: Store) -> None:
    await log_in(store, family())
    rotated = await store.rotate(family().id, 0, parameters())
    newest = msgspec.structs.asdict(parameters(NOW + 1))
    expected = msgspec.structs.replace(family(), generation=1, **newest)
    assert rotated == expected
    assert await store.family(family().id) == expected


@pytest.mark.parametrize("generation", [-1, 1, 2])
async def test_a_rotation_from_another_generation_changes_nothing(store: Store, generation: int) -> None:
    await log_in(store, family())
    assert await store.rotate(family().id, generation, parameters()) is None
    assert await store.family(family().id) == family()


@pytest.mark.parametrize(("at", "rotates"), [(NOW + DAY - 1, True), (NOW + DAY, False), (NOW + DAY + 1, False)])
async def test_a_family_rotates_until_the_millisecond_of_its_expiry(store: Store, at: int, rotates: bool) -> None:
    """threats L11: each read decides on expiry, to the millisecond."""
    await log_in(store, family(expires_at=NOW + DAY))
    assert (await store.rotate(family().id, 0, parameters(at)) is not None) is rotates


async def test_of_many_rotations_from_one_generation_exactly_one_succeeds(store: Store) -> None:
    """D7, threats L1, I1."""
    await log_in(store, family())
    rotations = await asyncio.gather(*(store.rotate(family().id, 0, parameters()) for _ in range(64)))
    assert sum(rotated is not None for rotated in rotations) == 1
    kept = await store.family(family().id)
    assert kept is not None
    assert kept.generation == 1


async def test_an_ended_family_never_rotates_again(store: Store) -> None:
    """threats I2."""
    await log_in(store, family())
    assert await store.end_family(family().id, NOW + 5, "revoked")
    assert await store.rotate(family().id, 0, parameters()) is None
    kept = await store.family(family().id)
    assert kept is not None
    assert (kept.ended_at, kept.ended_because) == (NOW + 5, "revoked")


async def test_a_family_ends_once_and_keeps_its_first_reason(store: Store) -> None:
    await log_in(store, family())
    assert await store.end_family(family().id, NOW, "reused")
    assert not await store.end_family(family().id, NOW + 1, "revoked")
    assert not await store.end_family(family(2).id, NOW, "revoked")
    kept = await store.family(family().id)
    assert kept is not None
    assert kept.ended_because == "reused"
    assert [change.kind for change in await store.changes(0)] == ["account", "family"]


async def test_every_change_that_other_nodes_need_is_logged_in_order(store: Store) -> None:
    """From the log every process learns what is revoked and what to read again."""
    await store.save_application(application(), NOW)
    await store.save_account(account(), NOW)
    await log_in(store, family())
    await store.end_family(family().id, NOW, "revoked")
    await store.revoke_token("sid.3", NOW + 7)
    await store.add_signing_key(signing_key(), b"sealed", None, NOW)
    log = await store.changes(0)
    assert [(change.kind, change.subject, change.until) for change in log] == [
        ("application", "crd_sbx_app_a", NOW + CHANGE_NOTICE_MS),
        ("account", "ada", NOW + CHANGE_NOTICE_MS),
        ("family", base64url.encode(family().id), NOW + DAY + MAX_ACCESS_TOKEN_SECONDS * 1000),
        ("token", "sid.3", NOW + 7),
        ("key", "k1", NOW + CHANGE_NOTICE_MS),
    ]
    sequences = [change.sequence for change in log]
    assert sequences == sorted(set(sequences))
    assert await store.changes(sequences[2]) == log[3:]
    assert await store.changes(sequences[-1]) == []


async def test_a_change_that_failed_is_not_logged(store: Store) -> None:
    await store.save_account(account(), NOW)
    before = await store.changes(0)
    with pytest.raises(Conflict):
        await store.save_account(account(), NOW)
    assert await store.changes(0) == before


async def test_the_change_marker_changes_with_every_logged_change(store: Store) -> None:
    markers = [store.change_marker()]
    await store.revoke_token("a.0", NOW)
    markers.append(store.change_marker())
    await store.save_account(account(), NOW)
    markers.append(store.change_marker())
    assert len(set(markers)) == 3
    assert store.change_marker() == markers[-1]


async def test_a_sweep_deletes_expired_rows_and_no_others(store: Store) -> None:
    """threats §7: whole rows go once nothing can depend on them; the rest stays as it was."""
    await log_in(store, family(1, expires_at=NOW))
    await log_in(store, family(2, expires_at=NOW + 1))
    await store.revoke_token("gone", NOW)
    await store.revoke_token("stays", NOW + 1)
    assert await store.sweep(NOW) == 2
    assert await store.sweep(NOW) == 0
    assert await store.family(family(1, expires_at=NOW).id) is None
    assert await store.family(family(2, expires_at=NOW + 1).id) is not None
    assert [change.subject for change in await store.changes(0)] == ["ada", "stays"]


async def test_a_sweep_deletes_the_oldest_rows_first_and_at_most_max_rows(store: Store) -> None:
    for number in range(5):
        await log_in(store, family(number, expires_at=NOW + number))
    assert await store.sweep(NOW + DAY, max_rows=3) == 3
    left = [await store.family(family(number, expires_at=NOW + number).id) for number in range(5)]
    assert [each is not None for each in left] == [False, False, False, True, True]


async def test_a_sequence_number_is_not_reused_after_a_sweep(store: Store) -> None:
    """threats §7, order trap: a follower that waits for higher numbers must not miss a new entry."""
    await store.revoke_token("old", NOW)
    last = (await store.changes(0))[-1].sequence
    await store.sweep(NOW)
    await store.revoke_token("new", NOW + 1)
    assert [change.subject for change in await store.changes(last)] == ["new"]


async def test_a_reader_of_the_log_is_told_that_entries_were_deleted_which_it_has_not_read(store: Store) -> None:
    """threats L7: a process that did not run for days would take an account for active that was suspended meanwhile."""
    await store.revoke_token("read", NOW)
    (read,) = await store.changes(0)
    for jti, until in (("gone", NOW), ("stays", NOW + DAY)):
        await store.revoke_token(jti, until)
    assert len(await store.changes(read.sequence)) == 2
    await store.sweep(NOW)
    with pytest.raises(LogGap):
        await store.changes(read.sequence)
    last = (await store.changes(0))[-1].sequence
    assert await store.changes(last) == []
    await store.sweep(NOW + DAY)
    assert await store.changes(last) == []
    with pytest.raises(LogGap):
        await store.changes(read.sequence)


async def test_a_healthy_store_can_be_written(store: Store) -> None:
    await store.check_writable()
