"""`credence portfolio`: the portfolios of applications, and events that are held for the operator (D31)."""

import asyncio
import sys
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Annotated, TypeVar
from urllib.parse import quote

import typer

from credence import paths
from credence.cli.command_parameters import Values
from credence.cli.deployment import AsJson, DataDir, act_on_store, acting, settings_of
from credence.cli.failure import NotFound, WrongContent
from credence.cli.operation_commands import add_to, explained
from credence.cli.output import print_one
from credence.cli.remote_api import Remote, converted
from credence.monitoring.rows import Row, read_csv, read_json, write_csv
from credence.monitoring.schema import CompanyState, ImportResult
from credence.operations.operation import Operation
from credence.operations.table import commands_of
from credence.operations.watched_companies import apply_list, unwatch_listed, watch_listed
from credence.settings import Settings
from credence.store.contract import Store
from credence.store.portfolios import Portfolio, WatchedCompany

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
    _apply(watch_listed, portfolio, companies, settings_of(data_dir), as_json=as_json)


@commands.command("remove")
def remove_companies(
    portfolio: PortfolioId, companies: Companies, data_dir: DataDir = None, as_json: AsJson = False
) -> None:
    """Stop watching every company of a list. Rows that are refused are printed, and end the command with 1."""
    _apply(unwatch_listed, portfolio, companies, settings_of(data_dir), as_json=as_json)


def _apply(operation: Operation, portfolio: str, companies: Path, settings: Settings, *, as_json: bool) -> None:
    rows = _rows(companies)

    async def apply() -> ImportResult:
        async with acting(settings) as by:
            return await explained(f"There is no portfolio {portfolio!r}.", apply_list(operation, by, portfolio, rows))

    _print(asyncio.run(apply()), as_json=as_json)


def _apply_there(collection: str, there: Remote, values: Values) -> None:
    file = values["companies"]
    path, kind = f"{_path(values)}/{collection}", "application/json" if file.suffix == ".json" else "text/csv"
    answer = there.api(paths.MONITORING).act("POST", path, _content(file), media_type=kind)
    _print(converted(answer, ImportResult), as_json=values["as_json"])


def _print(result: ImportResult, *, as_json: bool) -> None:
    for each in result.rows:
        if each.reason:
            print(f"credence: Row {each.row}: {each.reason}", file=sys.stderr)
    print_one({"refused": 0, **result.counts}, as_json=as_json)
    if result.counts.keys() & {"refused", "full"}:
        raise typer.Exit(1)


@commands.command("export")
def export_companies(portfolio: PortfolioId, data_dir: DataDir = None) -> None:
    """Write the companies of a portfolio as CSV to standard output, in the form that `credence portfolio import` takes."""

    async def write(store: Store) -> bytes:
        await _found(store, portfolio)
        text, after = write_csv((), header=True), ""
        while found := await store.watched(portfolio, after, _PIECE):
            text, after = text + write_csv(found, header=False), found[-1].company
        return text

    sys.stdout.write(_with(settings_of(data_dir), write).decode())


def _export_there(there: Remote, values: Values) -> None:
    rows = there.api(paths.MONITORING).all_of(f"{_path(values)}/companies", "companies", page_size=_PIECE)
    found = converted(rows, list[CompanyState])
    watched = [
        WatchedCompany(each.company_number, each.reference, each.exposure, each.currency, each.note) for each in found
    ]
    sys.stdout.write(write_csv(watched, header=True).decode())


import_companies.run_there = partial(_apply_there, "companies")  # type: ignore[attr-defined]  # `remote.py` calls it
remove_companies.run_there = partial(_apply_there, "removals")  # type: ignore[attr-defined]
export_companies.run_there = _export_there  # type: ignore[attr-defined]


async def _found(store: Store, identity: str) -> Portfolio:
    found = await store.portfolio(identity)
    if found is None:
        raise NotFound(f"There is no portfolio {identity!r}.")
    return found


def _path(values: Values) -> str:
    return f"/portfolios/{quote(values['portfolio'], safe='')}"


def _content(file: Path) -> bytes:
    return sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()


def _rows(file: Path) -> list[Row]:
    body = _content(file)
    if file.suffix == ".json":
        return list(read_json(body))
    try:
        return list(read_csv(body.decode().splitlines()))
    except UnicodeDecodeError:
        raise WrongContent(f"{file} is not in UTF-8.") from None


def _with(settings: Settings, act: Callable[[Store], Awaitable[T]]) -> T:
    """Run a function on the store of the deployment and return its result."""
    return act_on_store(settings, lambda store, _now: act(store))
