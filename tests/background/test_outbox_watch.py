"""The gauges of the outbox."""

import pytest

from credence.background.metrics import OutboxWatch
from credence.store.deliveries import Delivery
from tests.deployment import Deployment


@pytest.mark.settings(calls_out=True)
async def test_what_waits_and_what_was_given_up_is_counted_and_how_long_it_waits(deployment: Deployment) -> None:
    watch, now = OutboxWatch(deployment.service), deployment.now
    assert (watch.counts(), watch.lag_seconds()) == (None, None)
    await watch.look()
    assert (watch.counts(), watch.lag_seconds()) == ({"waiting": 0, "given_up": 0}, 0)
    found = [Delivery(name.encode(), "sign_out", name, b"", now, now, now + 60_000) for name in ("a", "b")]
    await deployment.store.add_deliveries(found)
    (claimed, _) = await deployment.store.claim_deliveries(now, now + 1_000, 1, 10)
    await deployment.store.postpone_delivery(claimed, now, "410", given_up_at=now)
    deployment.now += 31_000
    await watch.look()
    assert (watch.counts(), watch.lag_seconds()) == ({"waiting": 1, "given_up": 1}, 30)


async def test_without_calls_out_the_outbox_has_no_gauges(deployment: Deployment) -> None:
    watch = OutboxWatch(deployment.service)
    await watch.look()
    assert (watch.counts(), watch.lag_seconds()) == (None, None)
