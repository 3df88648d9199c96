"""Secrets and signing keys of the contract (contract.py), checked for each implementation."""

import asyncio

import pytest

from credence.store.contract import Conflict, Store
from tests.store.records import NOW, signing_key


async def test_the_first_sealed_secret_of_a_name_is_the_one_for_all_processes(store: Store) -> None:
    assert await store.sealed_secret("digest-key", b"first") == b"first"
    assert await store.sealed_secret("digest-key", b"second") == b"first"
    assert await store.sealed_secrets() == {"digest-key": b"first"}


async def test_of_concurrent_additions_of_the_next_key_the_first_succeeds(store: Store) -> None:
    """D13, threats K4: a key is added after the newest one its proposer saw, or not at all."""
    await asyncio.gather(*(store.add_signing_key(signing_key(f"k{n}"), b"s", None, NOW) for n in range(8)))
    (first,) = await store.signing_keys()
    await store.add_signing_key(signing_key("late"), b"s", None, NOW)
    await store.add_signing_key(signing_key("next", signs_from=5), b"n", first.kid, NOW)
    await store.add_signing_key(signing_key("other", "RS256", signs_from=1), b"s", None, NOW)
    assert [key.kid for key in await store.signing_keys()] == [first.kid, "other", "next"]
    sealed = await store.sealed_secrets()
    assert sealed["signing-key:next"] == b"n"
    assert "signing-key:late" not in sealed
    assert [change.subject for change in await store.changes(0)] == [first.kid, "next", "other"]


async def test_a_key_can_be_advanced_but_not_delayed(store: Store) -> None:
    await store.add_signing_key(signing_key(signs_from=NOW), b"s", None, NOW)
    assert not await store.advance_signing_key("k1", NOW, NOW)
    assert not await store.advance_signing_key("unknown", 0, NOW)
    assert await store.advance_signing_key("k1", NOW - 1, NOW)
    assert [key.signs_from for key in await store.signing_keys()] == [NOW - 1]
    assert len(await store.changes(0)) == 2


async def test_a_revoked_key_keeps_its_row_and_loses_its_private_half(store: Store) -> None:
    """threats K7."""
    await store.add_signing_key(signing_key(signs_from=NOW), b"s", None, NOW)
    assert await store.revoke_signing_key("k1", NOW + 3)
    assert not await store.revoke_signing_key("k1", NOW + 4)
    assert not await store.advance_signing_key("k1", 0, NOW)
    assert [key.revoked_at for key in await store.signing_keys()] == [NOW + 3]
    assert await store.sealed_secrets() == {}
    assert len(await store.changes(0)) == 2


async def test_a_deleted_key_is_deleted_with_its_private_half(store: Store) -> None:
    await store.add_signing_key(signing_key(), b"s", None, NOW)
    await store.delete_signing_key("k1", NOW)
    await store.delete_signing_key("k1", NOW)
    assert await store.signing_keys() == []
    assert await store.sealed_secrets() == {}


async def test_a_secret_can_be_deleted(store: Store) -> None:
    await store.sealed_secret("a", b"1")
    await store.delete_sealed_secret("a")
    await store.delete_sealed_secret("a")
    assert await store.sealed_secrets() == {}


async def test_secrets_are_resealed_all_or_none(store: Store) -> None:
    """D13: what someone else changed meanwhile is not overwritten."""
    await store.sealed_secret("a", b"1")
    await store.sealed_secret("b", b"2")
    with pytest.raises(Conflict):
        await store.reseal({"a": (b"1", b"x"), "b": (b"not", b"y")}, NOW)
    assert await store.sealed_secrets() == {"a": b"1", "b": b"2"}
    await store.reseal({"a": (b"1", b"x"), "b": (b"2", b"y")}, NOW)
    assert await store.sealed_secrets() == {"a": b"x", "b": b"y"}
    assert [change.kind for change in await store.changes(0)] == ["key"]
