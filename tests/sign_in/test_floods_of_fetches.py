"""A caller who names many clients, or connects many devices, uses up nothing of others (threats A5, A12)."""

import asyncio
from pathlib import Path

import pytest

from credence.ratelimit.limiter import DEVICES_PER_MINUTE, FETCHES_PER_MINUTE, PUSHED_PER_MINUTE
from credence.store.records import Registration
from tests.deployment import Deployment, OpenDeployment, Reply
from tests.identity.attacks import ELSEWHERE, MINUTE
from tests.sign_in.browsing import FORM, Browser, request_of, with_browser_application
from tests.sign_in.client_documents import Publisher, publishing, tokens_of
from tests.sign_in.devices import ASK, ask, with_device_application
from tests.sign_in.pushing import parameters_of, push
from tests.waiting import until

ATTACKER = "203.0.113.66"
HOUR = 60 * MINUTE


async def _page(deployment: Deployment, client_id: str, peer: str = ELSEWHERE) -> Reply:
    return await Browser(deployment, peer=peer).get(request_of(deployment.application, client_id=client_id))


def _is_page_of(page: Reply) -> bool:
    """Whether it is the sign-in page of the client, by its document."""
    return page.status == 200 and b"Ledger" in page.body


@pytest.mark.each_node
async def test_an_address_without_documents_spends_no_fetch_of_the_host(
    tmp_path: Path, open_deployment: OpenDeployment
) -> None:
    """One address named twenty clients that are not there, and nobody could begin to use a client of the host."""
    async with publishing(tmp_path, open_deployment) as (publisher, deployment):
        publisher.status = "404 Not Found"
        for number in range(FETCHES_PER_MINUTE + 5):
            page = await _page(deployment, publisher.client_id_at(f"/{number}"), ATTACKER)
        assert page.headers["x-reason"] == "spike.fetch"
        publisher.status = "200 OK"
        assert _is_page_of(await _page(deployment, publisher.client_id))
        assert not _is_page_of(await _page(deployment, publisher.client_id_at("/new"), ATTACKER))


async def _spend(publisher: Publisher, deployment: Deployment) -> None:
    """Have as many new documents of the host taken as may be in a minute, each for another address."""
    for number in range(FETCHES_PER_MINUTE):
        assert _is_page_of(await _page(deployment, publisher.client_id_at(f"/{number}"), f"203.0.113.{number}"))


@pytest.mark.each_node
async def test_a_client_that_a_person_has_allowed_keeps_its_place(
    tmp_path: Path, open_deployment: OpenDeployment
) -> None:
    """Its fetches are counted for itself, when those of its host and of the address are used up."""
    async with publishing(tmp_path, open_deployment) as (publisher, deployment):
        await tokens_of(Browser(deployment), publisher, deployment)
        deployment.now += HOUR
        await _spend(publisher, deployment)
        page = await _page(deployment, publisher.client_id_at("/late"))
        assert (page.status, page.headers["x-reason"]) == (429, "spike.fetch")
        publisher.members["client_name"] = "New Ledger"
        assert b"New Ledger" in (await _page(deployment, publisher.client_id)).body


@pytest.mark.each_node
@pytest.mark.parametrize(("later", "served"), [(23 * HOUR, True), (25 * HOUR, False)])
async def test_an_old_copy_is_served_for_a_day_while_there_is_no_room(
    tmp_path: Path, open_deployment: OpenDeployment, later: int, served: bool
) -> None:
    async with publishing(tmp_path, open_deployment) as (publisher, deployment):
        assert _is_page_of(await _page(deployment, publisher.client_id))
        deployment.now += later
        await _spend(publisher, deployment)
        fetched = publisher.fetched
        assert _is_page_of(await _page(deployment, publisher.client_id)) is served
        assert publisher.fetched == fetched


async def test_a_document_that_was_taken_away_is_not_served_from_an_old_copy(
    tmp_path: Path, open_deployment: OpenDeployment
) -> None:
    async with publishing(tmp_path, open_deployment) as (publisher, deployment):
        assert _is_page_of(await _page(deployment, publisher.client_id))
        deployment.now += HOUR
        publisher.status = "404 Not Found"
        assert (await _page(deployment, publisher.client_id)).status == 400


@pytest.mark.each_node
async def test_slow_addresses_of_a_host_keep_no_known_client_waiting(
    tmp_path: Path, open_deployment: OpenDeployment
) -> None:
    """One fetch at a time for an address, and one at a host for new clients: the host's second place is free."""
    async with publishing(tmp_path, open_deployment) as (publisher, deployment):
        await tokens_of(Browser(deployment), publisher, deployment)
        deployment.now += HOUR
        publisher.others_wait, before = asyncio.Event(), publisher.fetched
        slow = [
            asyncio.create_task(_page(deployment, publisher.client_id_at(f"/{number}"), f"203.0.113.{number % 3}"))
            for number in range(12)
        ]
        await until(lambda: publisher.fetched > before, 60)
        assert _is_page_of(await _page(deployment, publisher.client_id))
        assert publisher.fetched == before + 2
        publisher.others_wait.set()
        assert all(map(_is_page_of, await asyncio.gather(*slow)))


@pytest.mark.each_node
async def test_device_authorizations_of_a_public_client_are_limited_by_address(deployment: Deployment) -> None:
    """4,000 in five seconds made as many rows, each of them a code that a guess may find."""
    await with_device_application(deployment, authentication="none", secrets=())
    form = f"client_id={deployment.application.client_id}&scope=openid".encode()
    replies = [await deployment.send("POST", ASK, [FORM], form, ATTACKER) for _ in range(DEVICES_PER_MINUTE + 1)]
    assert [reply.status for reply in replies] == [200] * DEVICES_PER_MINUTE + [401]
    assert (replies[-1].headers["x-reason"], replies[-1].headers["retry-after"]) == ("spike.device", "2")
    assert (await deployment.send("POST", ASK, [FORM], form, ELSEWHERE)).status == 200


async def test_an_application_with_a_secret_connects_as_many_devices_as_its_rate_allows(deployment: Deployment) -> None:
    await with_device_application(deployment)
    replies = [await ask(deployment) for _ in range(DEVICES_PER_MINUTE + 5)]
    assert {reply.status for reply in replies} == {200}


@pytest.mark.each_node
@pytest.mark.parametrize(
    ("changes", "limited"),
    [
        ({"authentication": "none", "secrets": ()}, True),
        ({"registration": Registration(b"", ("authorization_code",), (), unverified=True)}, True),
        ({}, False),
    ],
    ids=["public", "registered itself", "of the operator"],
)
async def test_pushed_requests_of_clients_that_anybody_may_be_are_limited_by_address(
    deployment: Deployment, changes: dict[str, object], limited: bool
) -> None:
    """A pushed request is stored for 15 minutes and takes up to 8,000 characters; the address's rate alone would allow
    960 MB of them a minute."""
    application = await with_browser_application(deployment, **changes)
    headers, fields = [deployment.basic] if application.secrets else [], parameters_of(application)
    for _ in range(PUSHED_PER_MINUTE - 1):
        await deployment.service.rate_limiter.require_row("pushed", "192.0.2.7/32")
    replies = [await push(deployment, fields, headers) for _ in range(2)]
    assert [reply.headers.get("x-reason") for reply in replies] == [None, "spike.pushed" if limited else None]
