"""What a process holds in memory is what the store says, now."""

import asyncio
import math

import msgspec
import pytest

from credence.crypto import base64url
from credence.store.contract import StoreUnavailable
from credence.store.memory import MemoryStore
from credence.store.mirror import Mirror
from credence.store.records import Account, Change
from tests.store.records import DAY, NOW, account, application, family, log_in


def test_a_revocation_is_known_after_the_next_look_at_the_log() -> None:
    async def story() -> None:
        store = MemoryStore()
        mirror = Mirror(store)
        await log_in(store, family())
        await mirror.follow()
        assert not mirror.is_revoked(base64url.encode(family().id))
        await store.end_family(family().id, NOW, "revoked")
        await store.revoke_token("other.2", NOW + DAY)
        await mirror.follow()
        assert mirror.is_revoked(base64url.encode(family().id))
        assert mirror.is_revoked("other.2")

    asyncio.run(story())


def test_what_is_revoked_can_be_told_and_so_can_that_nothing_changed() -> None:
    async def story() -> None:
        store = MemoryStore()
        mirror = Mirror(store)
        await mirror.follow()
        before = mirror.sequence
        await mirror.follow()
        assert (mirror.sequence, mirror.revoked()) == (before, [])
        await store.revoke_token("other.2", NOW + DAY)
        await mirror.follow()
        assert mirror.sequence > before
        assert mirror.revoked() == ["other.2"]

    asyncio.run(story())


def test_a_process_that_starts_late_knows_every_earlier_revocation() -> None:
    """threats L7: no decision depends on when a process started."""

    async def story() -> None:
        store = MemoryStore()
        await store.revoke_token("old.1", NOW + DAY)
        mirror = Mirror(store)
        await mirror.follow()
        assert mirror.is_revoked("old.1")

    asyncio.run(story())


def test_a_changed_account_is_read_again_and_an_unchanged_one_is_not() -> None:
    class CountingStore(MemoryStore):
        reads = 0

        async def account(self, username: str) -> Account | None:
            self.reads += 1
            return await super().account(username)

    async def story() -> None:
        store = CountingStore()
        mirror = Mirror(store)
        await store.save_account(account(), NOW)
        await mirror.follow()
        assert await mirror.account("ada") == await mirror.account("ada") == account()
        assert store.reads == 1
        changed = msgspec.structs.replace(account(), status="suspended", version=2)
        await store.save_account(changed, NOW)
        await mirror.follow()
        assert await mirror.account("ada") == changed
        assert store.reads == 2

    asyncio.run(story())


def test_unknown_names_take_no_memory() -> None:
    """threats A12: what a stranger sends never becomes a key that is kept."""

    async def story() -> None:
        mirror = Mirror(MemoryStore())
        for number in range(100):
            assert await mirror.application(f"nobody-{number}") is None
        assert mirror._applications == {}

    asyncio.run(story())


def test_an_application_that_changes_while_it_is_read_is_not_held() -> None:
    async def story() -> None:
        store = MemoryStore()
        mirror = Mirror(store)
        await store.save_application(application(), NOW)
        await mirror.follow()

        read = store.application

        async def slow_read(client_id: str):  # type: ignore[no-untyped-def]
            found = await read(client_id)
            await store.save_application(application(version=2, name="New"), NOW)
            await mirror.follow()
            return found

        store.application = slow_read  # type: ignore[method-assign]
        await mirror.application("crd_sbx_app_a")
        store.application = read  # type: ignore[method-assign]
        kept = await mirror.application("crd_sbx_app_a")
        assert kept is not None
        assert kept.name == "New"

    asyncio.run(story())


def test_expired_revocations_are_freed_and_live_ones_are_not() -> None:
    async def story() -> None:
        store = MemoryStore()
        mirror = Mirror(store)
        await store.revoke_token("gone.0", NOW)
        await store.revoke_token("stays.0", NOW + 1)
        await mirror.follow()
        mirror.forget_expired(NOW)
        assert (mirror.is_revoked("gone.0"), mirror.is_revoked("stays.0")) == (False, True)

    asyncio.run(story())


def test_of_many_requests_at_once_one_looks_at_the_log_for_all() -> None:
    class CountingStore(MemoryStore):
        looks = 0

        async def changes(self, after: int) -> list[Change]:
            self.looks += 1
            await asyncio.sleep(0)
            return await super().changes(after)

    async def story() -> None:
        store = CountingStore()
        mirror = Mirror(store)
        await store.revoke_token("a.1", NOW + DAY)
        await asyncio.gather(*(mirror.follow() for _ in range(100)))
        assert mirror.is_revoked("a.1")
        assert store.looks == 1

    asyncio.run(story())


def test_a_request_does_not_make_do_with_a_look_that_began_before_the_revocation() -> None:
    """threats L3: what a node has answered is known to every request that comes to it later."""

    class SlowStore(MemoryStore):
        async def changes(self, after: int) -> list[Change]:
            found = await super().changes(after)
            await asyncio.sleep(0.01)
            return found

    async def story() -> None:
        store = SlowStore()
        mirror = Mirror(store)
        await store.revoke_token("a.1", NOW + DAY)
        early = asyncio.create_task(mirror.follow())
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        await store.revoke_token("b.1", NOW + DAY)
        await mirror.follow()
        assert mirror.is_revoked("b.1")
        await early

    asyncio.run(story())


def test_a_mirror_knows_how_long_it_has_not_heard_the_log() -> None:
    class LostStore(MemoryStore):
        lost = False

        async def changes(self, after: int) -> list[Change]:
            if self.lost:
                raise StoreUnavailable("lost")
            return await super().changes(after)

    async def story() -> None:
        store = LostStore()
        mirror = Mirror(store)
        assert mirror.silent_for() == math.inf
        await mirror.follow()
        heard = mirror.silent_for()
        store.lost = True
        with pytest.raises(StoreUnavailable):
            await mirror.follow(anyway=True)
        assert heard <= mirror.silent_for() < math.inf
        await asyncio.sleep(0.02)
        assert mirror.silent_for() >= 0.02
        store.lost = False
        await mirror.follow(anyway=True)
        assert mirror.silent_for() < 0.02

    asyncio.run(story())
