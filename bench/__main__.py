"""`python -m bench [QUESTION…]`: asks the questions, prints a table and keeps the results as JSON.

Everything happens on the loopback interface and in a temporary folder beside the results, and ends by itself.
"""

import signal
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any

import typer
from rich.console import Console

from bench.deployment import deploy
from bench.load import Spoiled
from bench.machine import machine
from bench.measurement import Measurement
from bench.peers.installed import NotInstalled
from bench.pinning import missing
from bench.questions import (
    accounts,
    agents,
    client_credentials,
    code_flow,
    cold_password,
    dpop_report,
    enumeration,
    floods,
    floor,
    introspection,
    many_nodes,
    memory,
    overload,
    parse_cost,
    peers,
    published,
    refresh,
    refresh_postgres,
    remembered_password,
    report,
    request_log,
    revocation,
    score,
    screens,
    slow_clients,
    spike_arrest,
    start,
    status_list,
)
from bench.record import RESULTS, keep
from bench.rounds import Plan
from bench.table import table

QUESTIONS: Mapping[str, Callable[[Plan], Iterator[Measurement]]] = {
    "floor": floor.ask,
    "refresh": refresh.ask,
    "refresh-postgres": refresh_postgres.ask,
    "report": report.ask,
    "dpop-report": dpop_report.ask,
    "revocation": revocation.ask,
    "many-nodes": many_nodes.ask,
    "remembered-password": remembered_password.ask,
    "client-credentials": client_credentials.ask,
    "code-flow": code_flow.ask,
    "introspection": introspection.ask,
    "agents": agents.ask,
    "cold-password": cold_password.ask,
    "password-sign-in": cold_password.sign_in,
    "published": published.ask,
    "parse-cost": parse_cost.ask,
    "spike-arrest": spike_arrest.ask,
    "overload": overload.ask,
    "slow-clients": slow_clients.ask,
    "memory": memory.ask,
    "start": start.ask,
    "accounts": accounts.ask,
    "score": score.ask,
    "status-list": status_list.ask,
    "request-log": request_log.ask,
    "screens": screens.ask,
    "enumeration": enumeration.ask,
    "floods": floods.ask,
    "peers": peers.ask,
}
"""Every question, in the order in which they are asked."""

ONLY_WHEN_NAMED = ("enumeration", "floods", "peers", "screens")
"""Too long for every day; `screens` fills 3 GB of disk, `peers` installs programs of others, too."""

console = Console(width=None if sys.stdout.isatty() else 132)


def main(
    questions: Annotated[
        list[str] | None,
        typer.Argument(help=f"Of: {', '.join(QUESTIONS)}. Default: all but {', '.join(ONLY_WHEN_NAMED)}."),
    ] = None,
    seconds: Annotated[float, typer.Option(min=1, max=60, help="Length of one run.")] = 4,
    rounds: Annotated[int, typer.Option(min=3, max=50, help="Runs of ours, each beside one of the bare server.")] = 3,
) -> None:
    """Measure speed and memory of Credence on this machine."""
    wanted = questions or [name for name in QUESTIONS if name not in ONLY_WHEN_NAMED]
    unknown = [name for name in wanted if name not in QUESTIONS]
    lacking = f"There is no question {', '.join(unknown)}." if unknown else missing()
    if lacking:
        raise SystemExit(lacking)
    RESULTS.mkdir(exist_ok=True)
    signal.signal(signal.SIGTERM, _end)
    with TemporaryDirectory(prefix="deployment-", suffix=".tmp", dir=RESULTS) as folder:
        facts: dict[str, Any] = machine(Path(folder))
        try:
            measurements = _ask(wanted, Path(folder), seconds, rounds)
        except Spoiled as spoiled:
            raise SystemExit(f"A run was spoiled: {spoiled}") from None
        except NotInstalled as lacking_peer:
            raise SystemExit(str(lacking_peer)) from None
    console.print(table(measurements))
    console.print(f"Kept in {keep(facts, {'seconds': seconds, 'rounds': rounds}, measurements)}")


def _end(_signal: int, _frame: object) -> None:
    """End as Ctrl-C does, so that the servers stop and the folder goes."""
    raise KeyboardInterrupt


def _ask(wanted: Sequence[str], folder: Path, seconds: float, rounds: int) -> list[Measurement]:
    console.print(f"Setting up a deployment on {machine(folder)['filesystem']}; spike arrest is off in it.")
    plan = Plan(deploy(folder), seconds, rounds)
    measurements = []
    for name in wanted:
        for measurement in QUESTIONS[name](plan):
            console.print(f"{measurement.name}: {measurement.median:,.4g} {measurement.unit}", highlight=False)
            measurements.append(measurement)
    return measurements


if __name__ == "__main__":
    typer.run(main)
