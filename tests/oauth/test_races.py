"""Refreshes during the end of their tokens, on nodes over one PostgreSQL (D7, D11, D14, threats L1, L3, I2, I5).

In either order nothing works after the end is answered: tokens of an earlier refresh are invalid too.
"""

import asyncio
import random
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from typing import Literal

import psycopg
import pytest

from credence.crypto import base64url
from credence.identity import accounts, applications
from tests.deployment import Deployment, OpenDeployment, Reply, claims
from tests.sign_in.browsing import Browser
from tests.sign_in.devices import GRANT, ask, decide, poll, with_device_application
from tests.waiting import until_queries_wait

NODES = 3
INTERLEAVINGS = 40
"""Of each race: the second begins up to as late as the first takes."""


async def several(first: Deployment, running: AsyncExitStack) -> list[Deployment]:
    return [first, *[await running.enter_async_context(first.another_node()) for _ in range(NODES - 1)]]


async def everybody_hears(nodes: list[Deployment]) -> None:
    for node in nodes:
        await node.service.authority.revocation_cache.sync()


async def holds_nowhere(nodes: list[Deployment], pairs: list[dict[str, str]]) -> None:
    """No token of these is taken by any node."""
    for node in nodes:
        for pair in pairs:
            assert (await node.refresh(pair["refresh_token"])).status == 401
            assert (await node.report(pair["access_token"])).status == 401


async def race(first: Awaitable[Reply], second: Awaitable[object], delay: float) -> tuple[Reply, object]:
    """Both at once, but for a delay of either: of the second, or with a minus of the first."""

    async def late(what: Awaitable[object], seconds: float) -> object:
        await asyncio.sleep(max(seconds, 0))
        return await what

    reply, done = await asyncio.gather(late(first, -delay), late(second, delay))
    assert isinstance(reply, Reply)
    return reply, done


async def test_refresh_and_revocation_in_any_interleaving_leave_nothing_that_works(
    open_deployment: OpenDeployment, migrated_postgres: str
) -> None:
    """threats L3, I5: after the 200 of the revocation no refresh anywhere, and no use at the node that answered it."""
    chance = random.Random(20261121)

    first = await open_deployment(store=migrated_postgres)
    refreshed = 0
    async with AsyncExitStack() as running:
        nodes = await several(first, running)
        for _ in range(INTERLEAVINGS):
            one, other, third = chance.sample(nodes, NODES)
            pairs = [await one.tokens()]
            presented = pairs[0]["refresh_token"]
            delay = chance.uniform(-0.01, 0.01)
            reply, revoked = await race(one.refresh(presented), other.revoke(presented), delay)
            assert isinstance(revoked, Reply)
            assert revoked.status == 200
            if reply.status == 200:
                refreshed += 1
                pairs.append(reply.json)
                assert (await third.refresh(reply.json["refresh_token"])).status == 401
            assert reply.status in (200, 401)
            await holds_nowhere([other], pairs)
            await everybody_hears(nodes)
            await holds_nowhere(nodes, pairs)
    assert 0 < refreshed < INTERLEAVINGS  # both orders were seen


@pytest.mark.parametrize("first_come", ["refresh", "revoke"])
async def test_a_refresh_and_a_revocation_that_wait_for_one_row_take_effect_in_their_order(
    open_deployment: OpenDeployment, migrated_postgres: str, first_come: Literal["refresh", "revoke"]
) -> None:
    """threats L3: both go through the family's row, which stands still here until both are waiting for it."""
    here = await open_deployment(store=migrated_postgres)
    async with here.another_node() as there:
        pair = await here.tokens()
        family_id = base64url.decode(claims(pair["access_token"])["sid"])
        presented = pair["refresh_token"]
        asked: dict[str, Callable[[], Awaitable[Reply]]] = {
            "refresh": lambda: here.refresh(presented),
            "revoke": lambda: there.revoke(presented),
        }
        replies: dict[str, asyncio.Task[Reply]] = {}
        with (
            psycopg.connect(migrated_postgres) as holding,
            psycopg.connect(migrated_postgres, autocommit=True) as watching,
        ):
            holding.execute("SELECT 1 FROM families WHERE id = %s FOR UPDATE", (family_id,))
            for name in sorted(asked, key=lambda name: name != first_come):
                replies[name] = asyncio.create_task(_reply(asked[name]))
                await until_queries_wait(watching, len(replies))
            holding.rollback()
        refreshed, revoked = await replies["refresh"], await replies["revoke"]
        assert revoked.status == 200
        assert refreshed.status == (200 if first_come == "refresh" else 401)
        pairs = [pair, refreshed.json] if refreshed.status == 200 else [pair]
        await everybody_hears([here, there])
        await holds_nowhere([here, there], pairs)


async def _reply(ask: Callable[[], Awaitable[Reply]]) -> Reply:
    return await ask()


@pytest.mark.parametrize(
    ("grant", "status", "reason"),
    [("password", 401, "account.changed_meanwhile"), ("device_code", 400, "device_code.account_changed")],
)
async def test_a_login_whose_account_changes_after_it_was_read_is_not_opened(
    open_deployment: OpenDeployment, migrated_postgres: str, grant: str, status: int, reason: str
) -> None:
    """threats L3: the account's row stands still here until the change waits for it, and the login behind the change."""
    node = await open_deployment(store=migrated_postgres)
    await with_device_application(node, grants=("password", "refresh_token", GRANT))
    codes = (await ask(node)).json
    await decide(Browser(node), codes["user_code"])
    logins: dict[str, Callable[[], Awaitable[Reply]]] = {
        "password": node.login,
        "device_code": lambda: poll(node, codes["device_code"]),
    }
    with (
        psycopg.connect(migrated_postgres) as holding,
        psycopg.connect(migrated_postgres, autocommit=True) as watching,
    ):
        holding.execute("SELECT 1 FROM accounts WHERE username = 'ada' FOR UPDATE")
        changing = asyncio.create_task(change_password(node))
        await until_queries_wait(watching, 1)
        login = asyncio.create_task(_reply(logins[grant]))
        await until_queries_wait(watching, 2)
        holding.rollback()
    await changing
    refused = await login
    assert (refused.status, refused.headers["x-reason"]) == (status, reason)


async def change_status(node: Deployment) -> None:
    await node.set_status("suspended")


async def change_password(node: Deployment) -> None:
    kept = await node.store.account("ada")
    assert kept is not None
    changed = accounts.with_password(kept, kept.password_hash, node.now)
    await node.store.save_account(changed, node.now)


async def disable_application(node: Deployment) -> None:
    await set_disabled(node, disabled=True)


async def set_disabled(node: Deployment, *, disabled: bool) -> None:
    kept = await node.store.application(node.application.client_id)
    assert kept is not None
    changed = applications.with_disabled(kept, node.now, disabled=disabled)
    if changed is not kept:
        await node.store.save_application(changed, node.now)


async def set_right(node: Deployment) -> None:
    await node.set_status("active")
    await set_disabled(node, disabled=False)


@pytest.mark.parametrize("end", [change_status, change_password, disable_application], ids=lambda end: end.__name__)
async def test_tokens_of_a_refresh_during_the_end_of_its_login_are_invalid_permanently(
    open_deployment: OpenDeployment, migrated_postgres: str, end: Callable[[Deployment], Awaitable[None]]
) -> None:
    """threats L3, L6, I2, I3: in any interleaving, once every node has heard, and when all is set right again."""
    chance = random.Random(20261121)

    first = await open_deployment(store=migrated_postgres)
    async with AsyncExitStack() as running:
        nodes = await several(first, running)
        for _ in range(INTERLEAVINGS // 4):
            one, other = chance.sample(nodes, 2)
            await time_passes(nodes)
            pair = await one.tokens()
            await time_passes(nodes)
            refreshing = one.refresh(pair["refresh_token"])
            reply, _ = await race(refreshing, end(other), chance.uniform(-0.01, 0.01))
            assert reply.status in (200, 401)
            pairs = [pair, reply.json] if reply.status == 200 else [pair]
            await everybody_hears(nodes)
            await holds_nowhere(nodes, pairs)
            await set_right(other)
            await time_passes(nodes)
            await holds_nowhere(nodes, pairs)


async def time_passes(nodes: list[Deployment]) -> None:
    """Let two seconds pass, after which every node has read the change log."""
    for node in nodes:
        node.now += 2_000
    await everybody_hears(nodes)
