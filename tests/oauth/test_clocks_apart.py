"""Nodes and commands whose machines' clocks are apart go by one clock, that of their store (threats T11)."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from credence.app import close_service, open_service
from credence.clock import Milliseconds, system_clock
from credence.identity import accounts, applications
from credence.settings import Settings
from credence.store.postgres.store import open_postgres
from credence.web.asgi import AsgiApplication
from tests.deployment import KEKS, Deployment, _itself, ada, claims, served
from tests.waiting import until

A_BUSY_MACHINE = 1_000
"""Milliseconds."""


@dataclass(frozen=True)
class Nodes:
    """Two nodes over one store: the machine of the first is right, that of the second is ahead."""

    right: Deployment
    wrong: Deployment


@pytest.fixture
async def nodes(migrated_postgres: str, tmp_path: Path, apart: Milliseconds) -> AsyncIterator[Nodes]:
    settings = Settings(
        data_dir=tmp_path, store=migrated_postgres, password_profile="testing", algorithm="ES256", base_url="https://a"
    )
    right, wrong = await node(settings, 0), await node(settings, apart)
    wrong.application, wrong.secret = right.application, right.secret
    async with served(right.asgi), served(wrong.asgi):
        yield Nodes(right, wrong)


async def node(settings: Settings, ahead: Milliseconds) -> Deployment:
    """Open a node whose machine is ahead by so much; the one that is right brings an application and a user."""

    def clock() -> Milliseconds:
        return system_clock() + ahead

    service = await open_service(settings, await open_postgres(settings.store, clock), lambda: KEKS, clock)
    application, secret = applications.register("Ledger", "sbx", service.authority.secrets.digest, system_clock())
    if ahead == 0:
        await service.authority.store.save_application(application, system_clock())
        await service.authority.store.save_account(ada(), system_clock())
    asgi = AsgiApplication(service.settings, lambda: _itself(service), close_service)
    return Deployment(service, asgi, service.authority.store, application, secret)


@pytest.mark.parametrize("apart", [-120_000, -30_000, 30_000, 60_000, 120_000])
async def test_tokens_of_each_node_are_good_on_the_other(nodes: Nodes) -> None:
    for issuer, other in ((nodes.right, nodes.wrong), (nodes.wrong, nodes.right)):
        tokens = await issuer.tokens()
        assert (await other.report(tokens["access_token"])).status == 200
        refreshed = await other.refresh(tokens["refresh_token"])
        assert refreshed.status == 200
        assert abs(claims(refreshed.json["access_token"])["iat"] * 1_000 - system_clock()) < 2 * A_BUSY_MACHINE


@pytest.mark.parametrize("apart", [-30_000, 30_000])
async def test_not_before_applies_to_a_login_at_a_node_whose_clock_is_ahead(nodes: Nodes) -> None:
    """threats L6: a login at a node whose machine is ahead does not outlive a new password given at one that is right."""
    for issuer, changer in ((nodes.right, nodes.wrong), (nodes.wrong, nodes.right)):
        tokens = await issuer.tokens()
        account = await changer.store.account("ada")
        assert account is not None
        now = changer.service.clock()
        await changer.store.save_account(accounts.with_password(account, account.password_hash, now), now)
        for each in (nodes.right, nodes.wrong):
            await each.service.authority.revocation_cache.sync()
            assert (await each.report(tokens["access_token"])).status == 401
            assert (await each.refresh(tokens["refresh_token"])).status == 401
        await next_second()


async def next_second() -> None:
    """Wait for it: the date of a token is in whole seconds."""
    second = system_clock() // 1_000
    await until(lambda: system_clock() // 1_000 > second, 2)


async def test_a_clock_that_is_set_while_the_node_runs_is_followed_within_a_second(migrated_postgres: str) -> None:
    ahead = 0
    store = await open_postgres(migrated_postgres, lambda: system_clock() + ahead)
    try:
        assert abs(store.clock_offset()) < A_BUSY_MACHINE
        ahead = 90_000
        await until(lambda: abs(store.clock_offset() + 90_000) < A_BUSY_MACHINE, 2)
    finally:
        await store.close()
