"""`credence signal`: the streams of signals, as the operator looks after them (SSF 1.0)."""

import asyncio

from credence.cli.deployment import opened, settings_of
from credence.oauth.signals.events import STREAM_UPDATED, content_of
from credence.store.deliveries import Delivery
from credence.store.signals import SignalStream
from tests.cli.deployment import Deployment

NOW = 1_700_000_000_000


def make(deployment: Deployment, owner: str) -> None:
    async def act() -> None:
        async with opened(settings_of(deployment.data_dir)) as store:
            await store.save_signal_stream(SignalStream("st_1", owner, NOW, "poll", authorization=b"sealed"))

    asyncio.run(act())


def waiting(deployment: Deployment) -> list[Delivery]:
    async def act() -> list[Delivery]:
        async with opened(settings_of(deployment.data_dir)) as store:
            return await store.deliveries_of("st_1")

    return asyncio.run(act())


def test_a_stream_is_listed_paused_and_deleted_and_its_receiver_is_notified(deployment: Deployment) -> None:
    owner = deployment.json("app", "create", "Ledger")["client_id"]
    make(deployment, owner)
    (row,) = deployment.json("signal", "list")
    assert (row["id"], row["owner"], row["method"], row["status"]) == ("st_1", owner, "poll", "enabled")
    paused = deployment.json("signal", "pause", "st_1", "--reason", "Maintenance")
    assert (paused["status"], paused["reason"]) == ("paused", "Maintenance")
    (notice,) = waiting(deployment)
    content = content_of(notice)
    assert (content.event, content.members) == (STREAM_UPDATED, {"status": "paused", "reason": "Maintenance"})
    shown = deployment.json("signal", "show", "st_1")
    assert (shown["waiting"], shown["given_up"]) == (1, 0)
    (held,) = deployment.json("outbox", "list", "st_1")
    assert held["next_attempt"] is None  # its receiver reads it when it wants
    assert deployment.json("outbox", "status")["waiting"] == 0
    assert deployment.json("signal", "enable", "st_1")["status"] == "enabled"
    assert deployment.json("signal", "disable", "st_1")["status"] == "disabled"
    assert len(waiting(deployment)) == 1  # what waited is gone, and one notice says so
    deployment.run("signal", "delete", "st_1")
    assert deployment.json("signal", "list") == []
    assert deployment.refused("signal", "show", "st_1") == "There is no stream 'st_1'."
    trail = "".join(file.read_text() for file in (deployment.data_dir / "audit").iterdir())
    assert all(f'"signal {act}"' in trail for act in ("pause", "enable", "disable", "delete"))
