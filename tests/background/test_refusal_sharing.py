"""Refusals reach the shared store in small batches, and a store that is away delays and loses no answer (threats A12)."""

import pytest

from credence.background.sharing import BATCH_ROWS, refusal_sharing
from credence.store.contract import StoreUnavailable
from credence.store.postgres.store import open_postgres
from credence.telemetry.refusal_queue import MAX_WAITING, RefusalQueue
from tests.deployment import Deployment, OpenDeployment


async def refuse(deployment: Deployment) -> str:
    """Send a request that proves who it is and is refused; return its request id."""
    reply = await deployment.login(password="wrong horse battery")
    assert reply.status == 401
    return reply.headers["x-request-id"]


async def test_refusals_wait_while_the_store_is_away_and_arrive_once_it_is_back(
    open_deployment: OpenDeployment, migrated_postgres: str
) -> None:
    deployment = await open_deployment(store=migrated_postgres)
    queue = deployment.service.audit.shared
    assert queue is not None
    request_id = await refuse(deployment)
    away, back = await open_postgres(migrated_postgres), await open_postgres(migrated_postgres)
    await away.close()
    with pytest.raises(StoreUnavailable):
        await refusal_sharing(deployment.service, queue, away.refusals)()
    assert await back.refusals.of_request(request_id) is None
    share = refusal_sharing(deployment.service, queue, back.refusals)
    await share()
    found = await back.refusals.of_request(request_id)
    assert found is not None
    assert (found.node, b'"reason":"password.mismatch"' in found.line) == (deployment.service.settings.node, True)
    assert queue.oldest(1) == []
    await share()
    await back.close()


async def test_a_flood_is_written_one_batch_at_a_time(open_deployment: OpenDeployment, migrated_postgres: str) -> None:
    deployment, queue = await open_deployment(store=migrated_postgres), RefusalQueue()
    for number in range(BATCH_ROWS + 1):
        queue.put(f"ab-{number}", b"{}\n")
    store = await open_postgres(migrated_postgres)
    await refusal_sharing(deployment.service, queue, store.refusals)()
    assert queue.oldest(2) == [(f"ab-{BATCH_ROWS}", b"{}\n")]
    await store.close()


def test_what_a_full_queue_does_not_take_is_counted() -> None:
    queue = RefusalQueue()
    for number in range(MAX_WAITING + 3):
        queue.put(f"ab-{number}", b"{}\n")
    assert (len(queue.oldest(MAX_WAITING + 3)), queue.dropped) == (MAX_WAITING, 3)


async def test_a_node_of_its_own_queues_nothing(deployment: Deployment) -> None:
    await refuse(deployment)
    assert deployment.service.audit.shared is None
