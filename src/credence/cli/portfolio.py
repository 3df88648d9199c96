"""`credence portfolio`: the portfolios of applications, and events that are held for the operator (D31)."""

import sys
from collections import Counter
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Annotated, TypeVar

import typer

from credence.cli.deployment import AsJson, DataDir, act_on_store, record, settings_of
from credence.cli.failure import NotFound
from credence.cli.operation_commands import add_to
from credence.cli.output import instant, print_many, print_one
from credence.monitoring.mark import decide_held, read_mark
from credence.monitoring.rows import MAX_COMPANIES, Row, read_csv, read_json, write_csv
from credence.operations.table import commands_of
from credence.settings import Settings
from credence.store.contract import Store
from credence.store.portfolios import Portfolio

commands = typer.Typer(help="Portfolios of watched companies, and their events.")
add_to(commands, *commands_of("portfolio"))

PortfolioId = Annotated[str, typer.Argument(help="The id of the portfolio.")]
Companies = Annotated[Path, typer.Argument(help="File of companies: JSON (.json) or CSV; - is standard input.")]

_PIECE = 1_000

T = TypeVar("T")


@commands.command("import")
def import_companies(
    portfolio: PortfolioId, companies: Companies, data_dir: DataDir = None, as_json: AsJson = False
) -> None:
    """Watch every company of a list. Rows that are refused are printed, and end the command with 1."""
    rows, settings = _rows(companies), settings_of(data_dir)

    async def add(store: Store) -> Counter[str]:
        await _found(store, portfolio)
        record(settings, "portfolio import", portfolio=portfolio, rows=str(len(rows)))
        counts: Counter[str] = Counter()
        for start in range(0, len(rows), _PIECE):
            wanted = [each.company for each in rows[start : start + _PIECE] if each.company]
            counts.update(await store.watch(portfolio, wanted, MAX_COMPANIES))
        return counts

    counts = _with(settings, add)
    refused = [(place, each) for place, each in enumerate(rows, start=1) if each.company is None]
    for place, each in refused:
        print(f"credence: Row {place}: {each.fault}", file=sys.stderr)
    print_one({**counts, "refused": len(refused)}, as_json=as_json)
    if refused or counts["full"]:
        raise typer.Exit(1)


@commands.command("export")
def export_companies(portfolio: PortfolioId, data_dir: DataDir = None) -> None:
    """Write the companies of a portfolio as CSV to standard output."""

    async def write(store: Store) -> bytes:
        await _found(store, portfolio)
        text, after = write_csv((), header=True), ""
        while found := await store.watched(portfolio, after, _PIECE):
            text, after = text + write_csv(found, header=False), found[-1].company
        return text

    sys.stdout.write(_with(settings_of(data_dir), write).decode())


@commands.command()
def held(data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """List the rules whose events are held, because a load would fire one for more than 2 % of the watched companies."""

    async def find(store: Store) -> list[dict[str, object]]:
        _, mark = await read_mark(store)
        return [
            {"rule": rule, "companies": each.companies, "observed": each.observed, "since": instant(each.since)}
            for rule, each in mark.held.items()
        ]

    print_many(_with(settings_of(data_dir), find), as_json=as_json)


@commands.command()
def release(
    rule: Annotated[str, typer.Argument(help="The code of a held rule.")],
    drop: Annotated[bool, typer.Option("--drop", help="Create no events for what is already on record.")] = False,
    data_dir: DataDir = None,
) -> None:
    """Release the events of a held rule, or drop them; a running server does so within seconds."""
    settings = settings_of(data_dir)

    async def decide(store: Store) -> None:
        _, mark = await read_mark(store)
        if rule not in mark.held:
            raise NotFound(f"The rule {rule!r} is not held.")
        record(settings, "portfolio release", rule=rule, events="dropped" if drop else "released")
        await decide_held(store, rule, release=not drop)

    _with(settings, decide)


async def _found(store: Store, identity: str) -> Portfolio:
    found = await store.portfolio(identity)
    if found is None:
        raise NotFound(f"There is no portfolio {identity!r}.")
    return found


def _rows(file: Path) -> list[Row]:
    body = sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
    return list(read_json(body) if file.suffix == ".json" else read_csv(body.decode().splitlines()))


def _with(settings: Settings, act: Callable[[Store], Awaitable[T]]) -> T:
    """Run a function on the store of the deployment and return its result."""
    return act_on_store(settings, lambda store, _now: act(store))
