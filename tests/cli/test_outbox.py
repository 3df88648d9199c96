"""`credence outbox`: what waits and what was given up, and one more try."""

import asyncio

from credence.cli.deployment import opened, settings_of
from credence.store.deliveries import Delivery
from tests.cli.deployment import Deployment

NOW = 1_700_000_000_000
PAYLOAD = b"nothing of it is printed"


def with_deliveries(deployment: Deployment) -> None:
    """One that waits and one that was given up."""

    async def act() -> None:
        async with opened(settings_of(deployment.data_dir)) as store:
            await store.add_deliveries(
                [
                    Delivery(name.encode(), "sign_out", name, PAYLOAD, NOW, due_at, NOW + 60_000)
                    for name, due_at in (("broken", NOW), ("waiting", NOW + 5_000))
                ]
            )
            (claimed,) = await store.claim_deliveries(NOW, NOW + 60_000, 1, 10)
            await store.postpone_delivery(claimed, NOW, "410", given_up_at=NOW + 1_000)

    asyncio.run(act())


def test_what_was_given_up_is_listed_and_attempted_again(deployment: Deployment) -> None:
    deployment.json("app", "create", "Ledger")
    assert deployment.json("outbox", "status") == {"waiting": 0, "given_up": 0, "oldest_due": None}
    with_deliveries(deployment)
    status = deployment.json("outbox", "status")
    assert (status["waiting"], status["given_up"], status["oldest_due"]) == (1, 1, "2023-11-14T22:13:25Z")
    (row,) = deployment.json("outbox", "list")
    assert (row["receiver"], row["kind"], row["attempts"], row["outcome"]) == ("broken", "sign_out", 1, "410")
    assert (row["next_attempt"], row["given_up"]) == (None, "2023-11-14T22:13:21Z")
    assert PAYLOAD.decode() not in deployment.run("outbox", "list").stdout
    assert deployment.json("outbox", "retry", "broken") == {"receiver": "broken", "revived": 1}
    assert deployment.json("outbox", "list") == []
    (row,) = deployment.json("outbox", "list", "broken")
    assert (row["attempts"], row["given_up"]) == (0, None)
    trail = "".join(file.read_text() for file in (deployment.data_dir / "audit").iterdir())
    assert '"outbox retry"' in trail


def test_a_receiver_without_deliveries_is_said(deployment: Deployment) -> None:
    deployment.json("app", "create", "Ledger")
    assert deployment.refused("outbox", "retry", "nobody") == "There is no delivery 'nobody'."
