"""What waits for a stream of signals: held in a pause, given up, and lost with a stream that is disabled (SSF §8.1.2)."""

import pytest

from credence import paths
from credence.oauth.signals import delivering, streams
from credence.oauth.signals.events import STREAM_UPDATED, TOKEN_CLAIMS_CHANGE
from credence.store.contract import Conflict
from credence.store.deliveries import NEVER
from tests.deployment import Deployment
from tests.oauth.test_shared_signals import call, make, polled, said, settle


async def test_the_news_that_a_stream_is_paused_comes_although_more_waits_than_a_poll_returns(
    deployment: Deployment,
) -> None:
    stream = await make(deployment)
    for number in range(3):
        await deployment.change_account(email=f"{number}@b.example")
    await settle(deployment)
    kept = await deployment.store.signal_stream(stream["stream_id"])
    assert kept is not None
    await streams.change_status(deployment.store, kept, "paused", "", deployment.now, notify=True)  # the operator
    assert said(await polled(deployment, stream, maxEvents=1)) == [STREAM_UPDATED]


async def test_that_news_comes_once_although_more_waits_before_it_than_a_poll_reads(
    deployment: Deployment, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SSF §8.1.5, and RFC 8936 §2.4: what was acknowledged does not come again."""
    monkeypatch.setattr(delivering, "MAX_OPEN", 2)
    stream = await make(deployment)
    for number in range(3):
        deployment.now += 1
        await deployment.change_account(email=f"{number}@b.example")
        await settle(deployment)
    kept = await deployment.store.signal_stream(stream["stream_id"])
    assert kept is not None
    deployment.now += 1
    paused = await streams.change_status(deployment.store, kept, "paused", "", deployment.now, notify=True)
    (news,) = await polled(deployment, stream)
    assert said([news]) == [STREAM_UPDATED]
    assert await polled(deployment, stream, ack=[news["jti"], "0" * 31, "x" * 32]) == []
    deployment.now += 1
    await streams.change_status(deployment.store, paused, "enabled", "", deployment.now, notify=True)
    assert STREAM_UPDATED in said(await polled(deployment, stream))


async def test_what_was_given_up_is_not_in_the_way_of_what_waits(
    deployment: Deployment, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A receiver that was pushed to and did not answer for days polls now."""
    monkeypatch.setattr(delivering, "MAX_OPEN", 2)
    stream = await make(deployment)
    for number in range(2):
        await deployment.change_account(email=f"{number}@b.example")
    await settle(deployment)
    for each in await deployment.store.claim_deliveries(NEVER, NEVER, 9, 9):
        await deployment.store.postpone_delivery(each, 0, "503", deployment.now)
    deployment.now += 1_000
    await deployment.change_account(email="new@b.example")
    await settle(deployment)
    (found,) = await polled(deployment, stream)
    assert TOKEN_CLAIMS_CHANGE in found["events"]


async def test_what_a_node_stores_for_a_stream_that_is_disabled_meanwhile_is_lost_too(deployment: Deployment) -> None:
    """SSF §8.1.2: the node has read the stream before it was disabled."""
    stream = await make(deployment)
    await deployment.change_account(email="one@b.example")
    await settle(deployment)
    late = await deployment.store.deliveries_of(stream["stream_id"])
    for status in ("disabled", "enabled"):
        body = {"stream_id": stream["stream_id"], "status": status}
        assert (await call(deployment, "POST", paths.SIGNAL_STATUS, body)).status == 200
        if status == "disabled":
            await deployment.store.add_deliveries(late)
    assert await polled(deployment, stream) == []


async def test_what_a_disabled_stream_loses_is_lost_only_if_the_change_is_stored(deployment: Deployment) -> None:
    stream = await make(deployment)
    kept = await deployment.store.signal_stream(stream["stream_id"])
    assert kept is not None
    await deployment.change_account(email="one@b.example")
    await settle(deployment)
    change = {"stream_id": stream["stream_id"], "description": "Ledger"}
    assert (await call(deployment, "PATCH", paths.SIGNAL_STREAMS, change)).status == 200
    with pytest.raises(Conflict):  # `kept` is no longer the stored version
        await streams.change_status(deployment.store, kept, "disabled", "", deployment.now, notify=True)
    assert said(await polled(deployment, stream)) == [TOKEN_CLAIMS_CHANGE]
