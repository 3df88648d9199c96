"""The revocation cache of a process equals the current state of the store."""

import asyncio
import gc
import itertools
from collections.abc import Awaitable, Callable

import msgspec
import pytest

import credence.store.revocation_cache
from credence.crypto import base64url
from credence.store.contract import StoreUnavailable
from credence.store.records import Account, Change
from credence.store.revocation_cache import MAX_WAIT_SECONDS, RevocationCache, StaleRevocationState
from credence.store.sqlite.store import SqliteStore
from tests.memory_store import MemoryStore
from tests.store.conftest import Opened
from tests.store.records import DAY, NOW, account, application, family, log_in


async def test_a_revocation_is_known_after_the_next_read_of_the_log() -> None:
    store = MemoryStore()
    revocation_cache = RevocationCache(store)
    await log_in(store, family())
    await revocation_cache.ensure_current()
    assert not revocation_cache.is_revoked(base64url.encode(family().id))
    await store.end_family(family().id, NOW, "revoked")
    await store.revoke_token("other.2", NOW + DAY)
    await revocation_cache.ensure_current()
    assert revocation_cache.is_revoked(base64url.encode(family().id))
    assert revocation_cache.is_revoked("other.2")


async def test_revocations_can_be_listed_and_an_unchanged_sequence_means_no_change() -> None:
    store = MemoryStore()
    revocation_cache = RevocationCache(store)
    await revocation_cache.ensure_current()
    before = revocation_cache.sequence
    await revocation_cache.ensure_current()
    assert (revocation_cache.sequence, revocation_cache.revoked()) == (before, [])
    await store.revoke_token("other.2", NOW + DAY)
    await revocation_cache.ensure_current()
    assert revocation_cache.sequence > before
    assert revocation_cache.revoked() == ["other.2"]


async def test_a_process_that_starts_late_knows_every_earlier_revocation() -> None:
    """threats L7: no decision depends on when a process started."""
    store = MemoryStore()
    await store.revoke_token("old.1", NOW + DAY)
    revocation_cache = RevocationCache(store)
    await revocation_cache.ensure_current()
    assert revocation_cache.is_revoked("old.1")


async def test_a_changed_account_is_read_again_and_an_unchanged_one_is_not() -> None:
    class CountingStore(MemoryStore):
        reads = 0

        async def account(self, username: str) -> Account | None:
            self.reads += 1
            return await super().account(username)

    store = CountingStore()
    revocation_cache = RevocationCache(store)
    await store.save_account(account(), NOW)
    await revocation_cache.ensure_current()
    assert await revocation_cache.account("ada") == await revocation_cache.account("ada") == account()
    assert store.reads == 1
    changed = msgspec.structs.replace(account(), status="suspended", version=2)
    await store.save_account(changed, NOW)
    await revocation_cache.ensure_current()
    assert await revocation_cache.account("ada") == changed
    assert store.reads == 2


async def test_unknown_names_take_no_memory() -> None:
    """threats A12: a name sent by an unauthenticated caller is not cached."""
    revocation_cache = RevocationCache(MemoryStore())
    for number in range(100):
        assert await revocation_cache.application(f"nobody-{number}") is None
    assert revocation_cache._applications == {}


async def test_an_application_that_changes_while_it_is_read_is_not_cached() -> None:
    store = MemoryStore()
    revocation_cache = RevocationCache(store)
    await store.save_application(application(), NOW)
    await revocation_cache.ensure_current()

    read = store.application

    async def slow_read(client_id: str):  # type: ignore[no-untyped-def]
        found = await read(client_id)
        await store.save_application(application(version=2, name="New"), NOW)
        await revocation_cache.ensure_current()
        return found

    store.application = slow_read  # type: ignore[method-assign]
    await revocation_cache.application("crd_sbx_app_a")
    store.application = read  # type: ignore[method-assign]
    kept = await revocation_cache.application("crd_sbx_app_a")
    assert kept is not None
    assert kept.name == "New"


async def test_expired_revocations_are_dropped_and_others_are_kept() -> None:
    store = MemoryStore()
    revocation_cache = RevocationCache(store)
    await store.revoke_token("gone.0", NOW)
    await store.revoke_token("stays.0", NOW + 1)
    await revocation_cache.ensure_current()
    revocation_cache.forget_expired(NOW)
    assert (revocation_cache.is_revoked("gone.0"), revocation_cache.is_revoked("stays.0")) == (False, True)


async def test_concurrent_requests_share_one_read_of_the_log() -> None:
    class CountingStore(MemoryStore):
        looks = 0

        async def changes(self, after: int) -> list[Change]:
            self.looks += 1
            await asyncio.sleep(0)
            return await super().changes(after)

    store = CountingStore()
    revocation_cache = RevocationCache(store)
    await store.revoke_token("a.1", NOW + DAY)
    await asyncio.gather(*(revocation_cache.ensure_current() for _ in range(100)))
    assert revocation_cache.is_revoked("a.1")
    assert store.looks == 1


async def test_a_request_does_not_rely_on_a_read_that_began_before_the_revocation() -> None:
    """threats L3: what a node has answered is known to every request that comes to it later."""

    class SlowStore(MemoryStore):
        async def changes(self, after: int) -> list[Change]:
            found = await super().changes(after)
            await asyncio.sleep(0.01)
            return found

    store = SlowStore()
    revocation_cache = RevocationCache(store)
    await store.revoke_token("a.1", NOW + DAY)
    early = asyncio.create_task(revocation_cache.ensure_current())
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    await store.revoke_token("b.1", NOW + DAY)
    await revocation_cache.ensure_current()
    assert revocation_cache.is_revoked("b.1")
    await early


class Elsewhere(MemoryStore):
    """A store on another machine, which may be out of reach or answer late."""

    lost = fails = False
    answers_after = 0.0
    answers: asyncio.Event | None = None
    line = 0

    async def changes(self, after: int) -> list[Change]:
        if self.lost:
            raise StoreUnavailable("lost")
        found = await super().changes(after)
        await asyncio.sleep(self.answers_after)
        if self.answers is not None:
            await self.answers.wait()
        if self.fails:
            raise StoreUnavailable("failed")
        return found

    def timeline(self) -> int:
        return self.line


async def test_a_node_with_stale_state_refuses_every_token_until_it_reads_the_log_again() -> None:
    """threats L9, §7 Staleness: at the bound it still answers, a thousandth of a second later it does not."""
    store, seconds = Elsewhere(), [1_000.0]
    revocation_cache = RevocationCache(store, 5.0, lambda: seconds[0])
    with pytest.raises(StaleRevocationState):
        await revocation_cache.ensure_current()
    await revocation_cache.sync()
    store.lost = True
    seconds[0] += 5.0
    with pytest.raises(StoreUnavailable):
        await revocation_cache.sync()
    await revocation_cache.ensure_current()
    seconds[0] += 0.001
    with pytest.raises(StaleRevocationState):
        await revocation_cache.ensure_current()
    store.lost = False
    await revocation_cache.sync()
    await revocation_cache.ensure_current()


async def test_a_read_of_announced_changes_does_not_renew_the_state() -> None:
    """threats L9: a server that was replaced still answers such reads."""
    store, seconds = Elsewhere(), [0.0]
    revocation_cache = RevocationCache(store, 5.0, lambda: seconds[0])
    await revocation_cache.sync()
    seconds[0] = 5.5
    await store.revoke_token("a.1", NOW + DAY)
    with pytest.raises(StaleRevocationState):
        await revocation_cache.ensure_current()


async def test_the_age_of_the_state_counts_from_the_start_of_the_read() -> None:
    """threats §7: the state is as old as the query, because the answer contains nothing newer."""
    store, seconds = Elsewhere(), [0.0]
    store.answers_after = 0.01
    revocation_cache = RevocationCache(store, 5.0, lambda: seconds[0])
    asked = asyncio.create_task(revocation_cache.sync())
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    seconds[0] = 3.0
    await asked
    assert revocation_cache.staleness_seconds() == 3.0


async def test_a_log_on_this_machine_that_cannot_be_read_fails_the_request_at_once() -> None:
    store = Elsewhere()
    revocation_cache = RevocationCache(store)
    await revocation_cache.sync()
    await store.revoke_token("a.1", NOW + DAY)
    store.lost = True
    with pytest.raises(StoreUnavailable):
        await revocation_cache.ensure_current()


async def turns_of_the_loop(act: Callable[[], Awaitable[None]], times: int) -> int:
    """Return how often the event loop turned meanwhile: a few times for each act, tens of thousands in a wait."""
    turns = itertools.count()

    async def count() -> None:
        while True:
            next(turns)
            await asyncio.sleep(0)

    counting = asyncio.create_task(count())
    for _ in range(times):
        await act()
    counting.cancel()
    return next(turns)


async def test_requests_wait_briefly_for_a_slow_log_and_never_twice_for_one_read() -> None:
    """threats §7: a check needs no I/O. What was announced is applied when the answer comes."""
    store = Elsewhere()
    revocation_cache, loop = RevocationCache(store, 5.0), asyncio.get_running_loop()
    await revocation_cache.sync()
    store.answers = asyncio.Event()
    await store.revoke_token("a.1", NOW + DAY)
    began = loop.time()
    await revocation_cache.ensure_current()
    assert loop.time() - began > MAX_WAIT_SECONDS * 0.9
    assert await turns_of_the_loop(revocation_cache.ensure_current, times=1_000) < 5_000
    assert not revocation_cache.is_revoked("a.1")
    store.answers.set()
    await revocation_cache.ensure_current()
    assert revocation_cache.is_revoked("a.1")


async def test_a_slow_log_that_fails_when_nobody_waits_any_more_leaves_no_exception_behind() -> None:
    """asyncio would print its traceback into the log; the plugin of the tests fails a test that leaves one."""
    store = Elsewhere()
    revocation_cache = RevocationCache(store, 5.0)
    await revocation_cache.sync()
    await store.revoke_token("a.1", NOW + DAY)
    store.answers_after, store.fails = 1.5 * MAX_WAIT_SECONDS, True
    await revocation_cache.ensure_current()
    await asyncio.sleep(2 * MAX_WAIT_SECONDS)
    assert revocation_cache._poll is None
    gc.collect()


async def test_a_process_knows_its_own_revocations_before_the_log_returns_them() -> None:
    """D11, threats §7 own writes."""
    store = Elsewhere()
    revocation_cache = RevocationCache(store, 5.0)
    revocation_cache.mark_revoked("a.1", NOW)
    assert revocation_cache.is_revoked("a.1")
    await store.revoke_token("b.1", NOW + DAY)
    await revocation_cache.sync()
    revocation_cache.mark_revoked("b.1", NOW)
    revocation_cache.forget_expired(NOW)
    assert (revocation_cache.is_revoked("a.1"), revocation_cache.is_revoked("b.1")) == (False, True)


async def test_a_request_knows_its_own_change_while_others_keep_comparing(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    """threats §7 own writes: the others compare in every turn of the event loop, also in the one in which the write ends."""
    monkeypatch.setattr(credence.store.revocation_cache, "MAX_WAIT_SECONDS", 30.0)  # of a busy machine

    async def compare() -> None:
        while True:
            revocation_cache.is_current()
            await asyncio.sleep(0)

    async with opened() as store:
        revocation_cache = RevocationCache(store, None if isinstance(store, SqliteStore) else 60.0)
        await revocation_cache.sync()
        others = asyncio.create_task(compare())
        try:
            for number in range(20):
                await store.revoke_token(f"a.{number}", NOW + DAY)
                if not revocation_cache.is_current():
                    await revocation_cache.ensure_current()
                assert revocation_cache.is_revoked(f"a.{number}")
        finally:
            others.cancel()


async def test_after_a_fail_over_the_log_is_read_from_its_start_and_revocations_remain() -> None:
    """threats F4: the end of the log was lost with a server, and its numbers are given out again."""
    before = Elsewhere()
    revocation_cache = RevocationCache(before, 5.0)
    await before.save_account(msgspec.structs.replace(account(), status="suspended"), NOW)
    await before.revoke_token("lost.1", NOW + DAY)
    await revocation_cache.sync()
    held, keys = await revocation_cache.account("ada"), revocation_cache.keys_version
    assert held is not None
    after = Elsewhere()
    after.line = 1
    await after.save_account(account(), NOW)
    await after.revoke_token("later.1", NOW + DAY)
    revocation_cache._store = after
    await revocation_cache.sync()
    assert revocation_cache.is_revoked("lost.1")
    assert revocation_cache.is_revoked("later.1")
    assert await revocation_cache.account("ada") == account()
    assert revocation_cache.keys_version > keys
