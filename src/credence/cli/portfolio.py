"""`credence portfolio`: the portfolios of applications, and events that are held for the operator (D31)."""

import sys
from collections import Counter
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Annotated, TypeVar

import msgspec
import typer

from credence.cli.deployment import AsJson, DataDir, act_on_store, application_of, record, settings_of
from credence.cli.failure import Failure, NotFound
from credence.cli.output import instant, print_many, print_one
from credence.clock import system_clock
from credence.crypto.randomness import new_portfolio_id
from credence.errors import UnusableContent
from credence.monitoring.mark import decide_held, read_mark
from credence.monitoring.portfolios import MAX_PORTFOLIOS, checked_rules
from credence.monitoring.rows import MAX_COMPANIES, Row, read_csv, read_json, write_csv
from credence.monitoring.rules import DEFAULT_RULES
from credence.monitoring.schema import Rules
from credence.operations.audit_changes import changes
from credence.policy.installed import InstalledPolicies
from credence.refusals.refusal import Refused
from credence.settings import Settings
from credence.store.contract import Store
from credence.store.portfolios import Portfolio, RuleSetting

commands = typer.Typer(help="Portfolios of watched companies, and events that are held.")

PortfolioId = Annotated[str, typer.Argument(help="The id of the portfolio.")]
Client = Annotated[str, typer.Argument(help="The client_id of an application.")]
Companies = Annotated[Path, typer.Argument(help="File of companies: JSON (.json) or CSV; - is standard input.")]

_PIECE = 1_000

T = TypeVar("T")


@commands.command("list")
def list_portfolios(data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """List all portfolios with their owners."""

    async def find(store: Store) -> list[dict[str, object]]:
        return [await _row(store, each) for each in await store.portfolios()]

    print_many(_with(settings_of(data_dir), find), as_json=as_json)


@commands.command()
def make(
    client: Client,
    name: Annotated[str, typer.Argument(help="The name of the portfolio.")],
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Make a portfolio with the default rules for an application."""
    made, settings = (
        Portfolio(new_portfolio_id(), client, name, system_clock(), rules=DEFAULT_RULES),
        settings_of(data_dir),
    )

    async def save(store: Store) -> dict[str, object]:
        await application_of(store, client)
        if len(await store.portfolios_of(client, "", MAX_PORTFOLIOS)) >= MAX_PORTFOLIOS:
            raise Failure(f"The application {client} has {MAX_PORTFOLIOS} portfolios, the most.")
        record(settings, "portfolio make", changes(None, made), portfolio=made.id, application=client)
        await store.save_portfolio(made, MAX_PORTFOLIOS)
        return await _row(store, made)

    print_one(_with(settings, save), as_json=as_json)


@commands.command()
def rules(
    portfolio: PortfolioId,
    file: Annotated[
        Path | None, typer.Argument(help="JSON array of rules, as the API takes them.", show_default="print them only")
    ] = None,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Print the rules of a portfolio, or replace them by those of a file."""
    settings = settings_of(data_dir)
    wanted = None if file is None else _rules(file, settings)

    async def save(store: Store) -> Portfolio:
        kept = await _found(store, portfolio)
        if wanted is None:
            return kept
        return await _saved(settings, store, "portfolio rules", kept, msgspec.structs.replace(kept, rules=wanted))

    kept = _with(settings, save)
    print_many([_written(each) for each in kept.rules], as_json=as_json)


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
def share(portfolio: PortfolioId, client: Client, data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """Let a further application of the same owner use a portfolio."""
    _reshare(portfolio, client, data_dir, as_json=as_json, with_it=True)


@commands.command()
def unshare(portfolio: PortfolioId, client: Client, data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """End the sharing of a portfolio with an application."""
    _reshare(portfolio, client, data_dir, as_json=as_json, with_it=False)


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
    drop: Annotated[bool, typer.Option("--drop", help="Make no events of what is held.")] = False,
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


def _reshare(portfolio: str, client: str, data_dir: Path | None, *, as_json: bool, with_it: bool) -> None:
    settings = settings_of(data_dir)

    async def save(store: Store) -> dict[str, object]:
        kept = await _found(store, portfolio)
        if with_it:
            await application_of(store, client)
        shared = {*kept.shared_with, client} if with_it else {*kept.shared_with} - {client}
        wanted = msgspec.structs.replace(kept, shared_with=tuple(sorted(shared)))
        act = f"portfolio {'share' if with_it else 'unshare'}"
        return await _row(store, await _saved(settings, store, act, kept, wanted))

    print_one(_with(settings, save), as_json=as_json)


async def _found(store: Store, identity: str) -> Portfolio:
    found = await store.portfolio(identity)
    if found is None:
        raise NotFound(f"There is no portfolio {identity!r}.")
    return found


async def _saved(settings: Settings, store: Store, act: str, kept: Portfolio, wanted: Portfolio) -> Portfolio:
    """Record and store a change of a portfolio; one that does not change is returned as it is."""
    if wanted == kept:
        return kept
    record(settings, act, changes(kept, wanted), portfolio=kept.id, application=kept.owner)
    wanted = msgspec.structs.replace(wanted, version=kept.version + 1)
    await store.save_portfolio(wanted)
    return wanted


async def _row(store: Store, portfolio: Portfolio) -> dict[str, object]:
    return {
        "id": portfolio.id,
        "name": portfolio.name,
        "owner": portfolio.owner,
        "companies": await store.count_watched(portfolio.id),
        "rules": len(portfolio.rules),
        "shared_with": " ".join(portfolio.shared_with),
    }


def _rules(file: Path, settings: Settings) -> tuple[RuleSetting, ...]:
    try:
        found = msgspec.json.decode(file.read_bytes(), type=Rules)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise UnusableContent(f"{file} is not a list of rules: {error}.") from error
    try:
        return checked_rules(found, InstalledPolicies(settings.policy_folder).names())
    except Refused as refused:
        raise UnusableContent(refused.refusal.message) from None


def _written(rule: RuleSetting) -> dict[str, object]:
    return {
        "rule": rule.rule,
        "by": rule.by,
        "below": rule.below,
        "kinds": " ".join(rule.kinds),
        "policy": rule.policy,
    }


def _rows(file: Path) -> list[Row]:
    body = sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
    return list(read_json(body) if file.suffix == ".json" else read_csv(body.decode().splitlines()))


def _with(settings: Settings, act: Callable[[Store], Awaitable[T]]) -> T:
    """Run a function on the store of the deployment and return its result."""
    return act_on_store(settings, lambda store, _now: act(store))
