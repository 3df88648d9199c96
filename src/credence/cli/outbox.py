"""`credence outbox`: deliveries that wait or were given up."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Annotated, TypeVar

import typer

from credence.cli.deployment import AsJson, DataDir, opened, record, settings_of
from credence.cli.failure import NotFound
from credence.cli.output import instant, print_many, print_one
from credence.clock import system_clock
from credence.settings import Settings
from credence.store.contract import Store
from credence.store.deliveries import HELD, Delivery

commands = typer.Typer(help="Deliveries to applications and webhooks that wait or were given up.")

REVIVED_MS = 4 * 86_400_000
"""Milliseconds for which a delivery is kept after `retry`: the longest schedule takes a little more than three days."""

MOST = 100

T = TypeVar("T")


@commands.command()
def status(data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """Print how many deliveries wait and were given up, and since when the oldest is due."""

    async def find(store: Store) -> dict[str, object]:
        found = await store.backlog()
        oldest = None if found.oldest_due_at is None else instant(found.oldest_due_at)
        return {"waiting": found.waiting, "given_up": found.given_up, "oldest_due": oldest}

    print_one(_with(settings_of(data_dir), find), as_json=as_json)


@commands.command("list")
def list_deliveries(
    receiver: Annotated[
        str | None, typer.Argument(help="All deliveries of this receiver, such as a client_id. [default: given up]")
    ] = None,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """List deliveries, 100 at most: those that were given up, or all of one receiver. Contents are not printed."""

    async def find(store: Store) -> list[dict[str, object]]:
        found = store.given_up_deliveries(MOST) if receiver is None else store.deliveries_of(receiver, MOST)
        return [_row(each) for each in await found]

    print_many(_with(settings_of(data_dir), find), as_json=as_json)


@commands.command()
def retry(
    receiver: Annotated[str, typer.Argument(help="The receiver, as `outbox list` prints it.")],
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Attempt the given-up deliveries to a receiver again, from the first attempt."""
    settings = settings_of(data_dir)

    async def revive(store: Store) -> dict[str, object]:
        if not await store.deliveries_of(receiver, 1):
            raise NotFound(f"There is no delivery for {receiver!r}.")
        record(settings, "outbox retry", receiver=receiver)
        now = system_clock()
        return {"receiver": receiver, "revived": await store.revive_deliveries(receiver, now, now + REVIVED_MS)}

    print_one(_with(settings, revive), as_json=as_json)


def _row(delivery: Delivery) -> dict[str, object]:
    given_up = delivery.given_up_at > 0
    return {
        "receiver": delivery.receiver,
        "kind": delivery.kind,
        "created": instant(delivery.created_at),
        "attempts": delivery.attempts,
        "outcome": delivery.outcome,
        "next_attempt": None if delivery.due_at >= HELD else instant(delivery.due_at),
        "given_up": instant(delivery.given_up_at) if given_up else None,
    }


def _with(settings: Settings, act: Callable[[Store], Awaitable[T]]) -> T:
    """Run a function on the store of the deployment and return its result."""

    async def run() -> T:
        async with opened(settings) as store:
            return await act(store)

    return asyncio.run(run())
