"""Nodes and commands whose machines' clocks are apart go by one clock, that of their store (threats T11)."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from credence.app import close_service, open_service
from credence.clock import Milliseconds, system_clock
from credence.identity import accounts, applications
from credence.settings import Settings
from credence.store.postgres.store import open_postgres
from credence.web.asgi import AsgiApplication
from tests.deployment import KEKS, Deployment, _itself, _served, ada, claims

Story = Callable[[Deployment, Deployment], Awaitable[None]]

A_BUSY_MACHINE = 1_000
"""Milliseconds."""


def tell(url: str, folder: Path, apart: Milliseconds, story: Story) -> None:
    """Run a story of two nodes: the first one's machine is right, the second one's is ahead by that much."""

    async def node(settings: Settings, ahead: Milliseconds) -> Deployment:
        def clock() -> Milliseconds:
            return system_clock() + ahead

        service = await open_service(settings, await open_postgres(url, clock), lambda: KEKS, clock)
        application, secret = applications.register("Ledger", "sbx", service.authority.secrets.digest, system_clock())
        if ahead == 0:
            await service.authority.store.save_application(application, system_clock())
            await service.authority.store.save_account(ada(), system_clock())
        asgi = AsgiApplication(lambda: _itself(service), close_service)
        return Deployment(service, asgi, service.authority.store, application, secret)

    async def run() -> None:
        settings = Settings(
            data_dir=folder, store=url, password_profile="testing", algorithm="ES256", base_url="https://a"
        )
        async with AsyncExitStack() as running:
            right, wrong = await node(settings, 0), await node(settings, apart)
            wrong.application, wrong.secret = right.application, right.secret
            for each in (right, wrong):
                await running.enter_async_context(_served(each.asgi))
            await story(right, wrong)

    asyncio.run(run())


@pytest.mark.parametrize("apart", [-120_000, -30_000, 30_000, 60_000, 120_000])
def test_tokens_of_each_node_are_good_on_the_other(postgres: str, tmp_path: Path, apart: int) -> None:
    async def story(right: Deployment, wrong: Deployment) -> None:
        for issuer, other in ((right, wrong), (wrong, right)):
            tokens = await issuer.tokens()
            assert (await other.report(tokens["access_token"])).status == 200
            refreshed = await other.refresh(tokens["refresh_token"])
            assert refreshed.status == 200
            assert abs(claims(refreshed.json["access_token"])["iat"] * 1_000 - system_clock()) < 2 * A_BUSY_MACHINE

    tell(postgres, tmp_path, apart, story)


@pytest.mark.parametrize("apart", [-30_000, 30_000])
def test_what_is_cut_off_by_one_clock_was_issued_by_the_same(postgres: str, tmp_path: Path, apart: int) -> None:
    """threats L6: a login at a node whose machine is ahead does not outlive a new password given at one that is right."""

    async def story(right: Deployment, wrong: Deployment) -> None:
        for issuer, changer in ((right, wrong), (wrong, right)):
            tokens = await issuer.tokens()
            account = await changer.store.account("ada")
            assert account is not None
            now = changer.service.clock()
            await changer.store.save_account(accounts.with_password(account, account.password_hash, now), now)
            for node in (right, wrong):
                await node.service.authority.mirror.hear()
                assert (await node.report(tokens["access_token"])).status == 401
                assert (await node.refresh(tokens["refresh_token"])).status == 401
            await asyncio.sleep(1)  # a token's date is in whole seconds

    tell(postgres, tmp_path, apart, story)


def test_a_clock_that_is_set_while_the_node_runs_is_followed_within_a_second(postgres: str) -> None:
    async def story() -> None:
        ahead = 0
        store = await open_postgres(postgres, lambda: system_clock() + ahead)
        try:
            assert abs(store.ahead()) < A_BUSY_MACHINE
            ahead = 90_000
            await asyncio.sleep(1)
            assert abs(store.ahead() + 90_000) < A_BUSY_MACHINE
        finally:
            await store.close()

    asyncio.run(story())
