"""What the operator does with a stream of signals holds against its receiver (SSF 1.0)."""

from credence import paths
from credence.oauth.signals import streams
from credence.oauth.signals.events import TOKEN_CLAIMS_CHANGE
from credence.store.signals import Status
from tests.deployment import Deployment
from tests.oauth.test_shared_signals import call, make


async def test_a_receiver_does_not_start_what_the_operator_stopped(deployment: Deployment) -> None:
    """SSF 1.0 §8.1.1.5, §8.1.2.2: 403 for a receiver that may not change the stream. Another stream would be enabled."""
    stream = await make(deployment, events_requested=[TOKEN_CLAIMS_CHANGE])
    status = {"stream_id": stream["stream_id"], "status": "enabled"}

    async def stop(wanted: Status) -> None:
        kept = await deployment.store.signal_stream(stream["stream_id"])
        assert kept is not None
        await streams.change_status(deployment.store, kept, wanted, "Abuse", deployment.now, notify=True)

    async def ask(wanted: str) -> int:
        return (await call(deployment, "POST", paths.SIGNAL_STATUS, status | {"status": wanted})).status

    await stop("paused")
    assert [await ask(each) for each in ("enabled", "paused", "disabled", "paused", "enabled")] == [
        403, 403, 200, 403, 403,
    ]  # fmt: skip
    await stop("disabled")
    deleted = await call(deployment, "DELETE", f"{paths.SIGNAL_STREAMS}?stream_id={stream['stream_id']}")
    assert deleted.status == 403
    read = await call(deployment, "GET", f"{paths.SIGNAL_STATUS}?stream_id={stream['stream_id']}")
    assert read.json == status | {"status": "disabled", "reason": "Abuse"}
    await stop("enabled")
    assert [await ask(each) for each in ("paused", "enabled")] == [200, 200]
