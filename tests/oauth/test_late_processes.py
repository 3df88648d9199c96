"""What one process acknowledges is known to every request that another takes later, however slow store and process are.

A store may suspend each call for any time before it answers, and a process may not run for days: a laptop that sleeps, a
virtual machine that is stopped.
"""

import asyncio
from pathlib import Path
from typing import cast

import msgspec
import pytest
from hypothesis import example, given, note
from hypothesis import strategies as st

from credence.service import Service
from credence.store.contract import Store
from tests.deployment import NOW, Deployment, ada, deploy
from tests.memory_store import MemoryStore
from tests.oauth.minting import minted
from tests.oauth.test_key_changes import kid
from tests.store.records import account
from tests.suspending import Suspending
from tests.sweeps import sweep

DAY = 86_400_000
EXPIRED_KEPT_MS = 3 * DAY
KEPT_MS = DAY + EXPIRED_KEPT_MS
"""The log keeps a notice for a day, and expired rows stay for three more."""
READERS = 3


async def test_a_process_that_did_not_run_for_five_days_knows_what_was_suspended_and_revoked(
    deployment: Deployment,
) -> None:
    """threats L7, K7: the entries of the log about both are deleted by then."""
    async with deployment.another_node(deployment.store) as late:
        await deployment.store.save_account(msgspec.structs.replace(ada(), username="bob"), NOW)
        token = (await late.tokens())["access_token"]
        later = (NOW + KEPT_MS + DAY) // 1000
        stolen = minted(late, token, sub="bob", sid=None, auth_time=later, iat=later, exp=later + 600)
        await deployment.set_status("suspended")
        await deployment.store.revoke_signing_key(kid(token), deployment.now)
        late.now = deployment.now = NOW + KEPT_MS + DAY
        await deployment.store.sweep(deployment.now - EXPIRED_KEPT_MS)
        assert (await late.login()).said[2].startswith("Your account is in invalid state.")
        assert (await late.report(stolen)).status == 401


async def test_requests_that_come_at_once_after_a_change_of_the_keys_share_one_read_of_them(tmp_path: Path) -> None:
    slow = Suspending(MemoryStore(), lambda: 3)
    authority = (await deploy(tmp_path, cast("Store", slow))).service.authority
    await slow.revoke_signing_key((await slow.signing_keys())[0].kid, NOW)
    slow.calls.clear()
    await asyncio.gather(*(authority.follow(NOW) for _ in range(300)))
    # `page` reads the table of trusted issuers.
    assert slow.calls == {"changes": 1, "signing_keys": 1, "sealed_secrets": 1, "page": 1}


@sweep(100, long=1_000)
@given(
    acts=st.lists(st.sampled_from(["key", "key", "account", "application", "login"]), min_size=2, max_size=6),
    pauses=st.lists(st.integers(0, 9), min_size=20, max_size=20),
)
@example(acts=["key"] * 3, pauses=[1, 0, 2, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 2, 3, 2, 5, 1])
@example(acts=["account"] * 2, pauses=[0, 0, 1, 4, 8, 0, 0, 0, 6, 5, 0, 0, 2, 0, 0, 0, 4, 0, 0, 1])
def test_a_request_knows_each_change_that_was_acknowledged_before_it_came(
    tmp_path_factory: pytest.TempPathFactory, acts: list[str], pauses: list[int]
) -> None:
    async def run(folder: Path) -> None:
        store = MemoryStore()
        drawn = iter(pauses * 1_000)
        slow = Suspending(store, lambda: next(drawn))
        deployment = await deploy(folder, cast("Store", slow))
        known = Acknowledged()
        done = asyncio.Event()
        await store.save_account(account("bob"), NOW)
        readers = [asyncio.create_task(_read(deployment.service, slow, known, done)) for _ in range(READERS)]
        for number, act in enumerate(acts, start=1):
            for _ in range(4):
                await slow.pause()
            await _change(deployment, store, act, number, known)
        done.set()
        await asyncio.gather(*readers)

    note(f"{acts} {pauses}")
    asyncio.run(run(tmp_path_factory.mktemp("history")))


class Acknowledged(msgspec.Struct):
    """What has been acknowledged so far."""

    account: int = 1
    origin: str = ""
    ended: frozenset[str] = frozenset()
    revoked: frozenset[str] = frozenset()


async def _change(deployment: Deployment, store: Store, act: str, number: int, known: Acknowledged) -> None:
    """Change something. It is acknowledged in a later turn of the event loop, as by a thread that commits it."""
    match act:
        case "account":
            changed = msgspec.structs.replace(known, account=known.account + 1)
            await store.save_account(account("bob", changed.account), NOW)
        case "application":
            changed = msgspec.structs.replace(known, origin=f"https://{number}.example")
            kept = await store.application(deployment.application.client_id)
            assert kept is not None
            new = msgspec.structs.replace(kept, origins=(changed.origin,), version=kept.version + 1)
            await store.save_application(new, NOW)
        case "login":
            changed = msgspec.structs.replace(known, ended=known.ended | {f"token.{number}"})
            await store.revoke_token(f"token.{number}", NOW + DAY)
        case _:
            good = [each.kid for each in await store.signing_keys() if each.revoked_at is None]
            changed = msgspec.structs.replace(known, revoked=known.revoked | {*good[:1]})
            await store.revoke_signing_key(good[0], NOW) if good else None
    await asyncio.sleep(0)
    for name in Acknowledged.__struct_fields__:
        setattr(known, name, getattr(changed, name))


async def _read(service: Service, slow: Suspending, known: Acknowledged, done: asyncio.Event) -> None:
    """Take requests, each of which must find what was acknowledged when it came."""
    authority = service.authority
    cache = authority.revocation_cache
    last = False
    while not last:
        last = done.is_set()
        await slow.pause()
        await asyncio.sleep(0)
        came = msgspec.structs.replace(known)
        await authority.follow(NOW)
        assert all(map(cache.is_revoked, came.ended))
        assert not came.revoked & authority.ring.verifying.keys()
        found = await cache.account("bob")
        assert found is not None
        assert found.version >= came.account
        await authority.applications.follow(authority.store, cache)
        assert max(authority.applications.origins, default="") >= came.origin
