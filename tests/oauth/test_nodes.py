"""Requests that meet on several nodes over one PostgreSQL (D7, threats L1, L3)."""

import asyncio
import json
from collections import Counter
from contextlib import AsyncExitStack

from credence.crypto import base64url
from tests.deployment import OpenDeployment

NODES = 3
AT_ONCE = 64


async def test_of_many_refreshes_of_one_token_over_three_nodes_all_get_one_pair(
    open_deployment: OpenDeployment, migrated_postgres: str
) -> None:
    """D7: within the retry window each of them is a retry of the one that rotated."""
    first = await open_deployment(store=migrated_postgres)
    token = (await first.tokens())["refresh_token"]
    async with AsyncExitStack() as running:
        nodes = [first, *[await running.enter_async_context(first.another_node()) for _ in range(NODES - 1)]]
        replies = await asyncio.gather(*(nodes[n % NODES].refresh(token) for n in range(AT_ONCE)))
        assert Counter(reply.status for reply in replies) == {200: AT_ONCE}
        pairs = {(reply.json["access_token"], reply.json["refresh_token"]) for reply in replies}
        assert len(pairs) == 1
        (following,) = {refresh for _, refresh in pairs}
        await nodes[1].service.authority.revocation_cache.sync()  # on a slow machine its state may be too old by now
        assert (await nodes[1].refresh(following)).status == 200


async def test_without_a_retry_window_one_of_many_refreshes_over_three_nodes_succeeds(
    open_deployment: OpenDeployment, migrated_postgres: str
) -> None:
    """D7: the second use is reuse, so the family is dead on every node."""
    first = await open_deployment(store=migrated_postgres, refresh_retry_window_seconds=0)
    token = (await first.tokens())["refresh_token"]
    async with AsyncExitStack() as running:
        nodes = [first, *[await running.enter_async_context(first.another_node()) for _ in range(NODES - 1)]]
        replies = await asyncio.gather(*(nodes[n % NODES].refresh(token) for n in range(AT_ONCE)))
        assert Counter(reply.status for reply in replies) == {200: 1, 401: AT_ONCE - 1}
        (pair,) = (reply.json for reply in replies if reply.status == 200)
        for node in nodes:
            await node.service.authority.revocation_cache.sync()
            assert (await node.refresh(pair["refresh_token"])).status == 401
            assert (await node.report(pair["access_token"])).status == 401


def headers(access_token: str) -> dict[str, str]:
    found: dict[str, str] = json.loads(base64url.decode(access_token.split(".")[0]))
    return found


async def test_nodes_that_start_one_after_the_other_sign_with_one_key(
    open_deployment: OpenDeployment, migrated_postgres: str
) -> None:
    """D13."""
    first = await open_deployment(store=migrated_postgres)
    async with first.another_node() as other:
        tokens = [await node.tokens() for node in (first, other)]
        assert len({headers(each["access_token"])["kid"] for each in tokens}) == 1
        assert (await first.report(tokens[1]["access_token"])).status == 200
        assert (await other.report(tokens[0]["access_token"])).status == 200
