"""`credence app hosts` and `credence app host`: the hosts of unverified clients (D29)."""

import asyncio
from typing import Annotated

import typer

from credence.cli.deployment import AsJson, DataDir, act_on_store, opened, record, settings_of
from credence.cli.failure import WrongUsage
from credence.cli.output import print_many, print_one
from credence.clock import Milliseconds
from credence.management.client_hosts import VERDICTS, HostSeen, checked_host, decide_on, hosts_seen, verdict_change
from credence.operations.audit_changes import changes
from credence.store.contract import Store


def hosts(data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """List the hosts of clients that describe themselves by a document, and whether their clients are allowed."""
    settings = settings_of(data_dir)

    async def act() -> list[HostSeen]:
        async with opened(settings) as store:
            return await hosts_seen(store, settings)

    rows = [
        {"host": each.host, "clients": each.clients, "verdict": each.verdict, "accepted": each.accepted}
        for each in asyncio.run(act())
    ]
    print_many(rows, as_json=as_json)


def host(
    name: Annotated[str, typer.Argument(help="The host, such as app.example.")],
    verdict: Annotated[str, typer.Argument(help=f"One of {', '.join(VERDICTS)}; the last takes a verdict back.")],
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Allow or block the clients of a host; running servers follow at once. A block ends every login of its clients."""
    settings, wanted = settings_of(data_dir), next((each for each in VERDICTS if each == verdict), None)
    if wanted is None:
        raise WrongUsage(f"There is no verdict {verdict[:40]!r}: choose from {', '.join(VERDICTS)}.")
    checked = checked_host(name)

    async def act(store: Store, now: Milliseconds) -> int:
        record(settings, "app host", changes(*await verdict_change(store, checked, wanted)), host=checked)
        return await decide_on(store, checked, wanted, now)

    print_one({"host": checked, "verdict": wanted, "clients": act_on_store(settings, act)}, as_json=as_json)
