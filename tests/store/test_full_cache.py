"""The accounts and applications that a process caches are bounded: a full cache drops those that it read first."""

import msgspec
import pytest

import credence.store.revocation_cache
from credence.store.revocation_cache import RevocationCache
from tests.memory_store import MemoryStore
from tests.store.records import NOW, account


async def test_a_full_cache_drops_the_tenth_that_it_read_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(credence.store.revocation_cache, "MAX_ENTRIES", 20)
    store = MemoryStore()
    names = [f"user-{number:02}" for number in range(21)]
    for name in names:
        await store.save_account(msgspec.structs.replace(account(), username=name), NOW)
    revocation_cache = RevocationCache(store)
    for name in names:
        await revocation_cache.account(name)
    assert [name for name in names if revocation_cache.cached_account(name) is None] == ["user-00", "user-01"]


async def test_an_account_that_a_full_cache_has_is_read_again_without_dropping_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(credence.store.revocation_cache, "MAX_ENTRIES", 20)
    store = MemoryStore()
    names = [f"user-{number:02}" for number in range(20)]
    for name in names:
        await store.save_account(msgspec.structs.replace(account(), username=name), NOW)
    revocation_cache = RevocationCache(store)
    await revocation_cache.ensure_current()
    for name in (*names, "user-19"):
        await revocation_cache.read_account(name)
    assert all(revocation_cache.cached_account(name) for name in names)
