"""`credence data`: loads, shows and removes the data behind the credit reports (credit §2 to §4, §10)."""

from collections.abc import Callable
from pathlib import Path
from threading import Event
from typing import Annotated

import msgspec
import typer

from credence.cli import data_find, data_publish
from credence.cli.data_publish import publish_of
from credence.cli.deployment import AsJson, DataDir, settings_of
from credence.cli.failure import Failure, NotFound, WrongUsage
from credence.cli.operation_commands import add_to
from credence.cli.output import print_many, print_one, progress_bar, say
from credence.clock import Milliseconds, london_day, system_clock
from credence.companies.number import normalise
from credence.datasets import catalogue
from credence.datasets.fact_kinds import FACT_KINDS, REGISTER
from credence.datasets.holds import SourceHeld
from credence.datasets.score_reader import SCORES
from credence.operations.table import commands_of
from credence.settings import Settings, setting


def fetch(
    numbers: Annotated[list[str], typer.Argument(help="Company numbers.")],
    into: Annotated[
        Path | None, typer.Option(help="Folder to save to.", show_default="DATA_DIR/credit/downloads")
    ] = None,
    base: Annotated[str | None, typer.Option(hidden=True)] = None,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Download profile, officers, charges, insolvency and filings of companies from the public register's API.

    Needs a key (CREDENCE_COMPANIES_HOUSE_KEY) and sends two requests per second. `credence data refresh` loads the files.
    """
    # Imported late: other commands start sooner without TLS and HTTP.
    from credence.datasets.sources.public_register.fetching import BASE_URL, FetchFailed, PublicRegister
    from credence.datasets.sources.public_register.fetching import fetch as fetch_all

    settings = settings_of(data_dir)
    if not settings.companies_house_key:
        raise WrongUsage("The register's API needs a key: set CREDENCE_COMPANIES_HOUSE_KEY.")
    chosen = list(dict.fromkeys(normalise(number) for number in numbers))
    saved = []
    try:
        register = PublicRegister(settings.companies_house_key, base or BASE_URL, system_clock, Event().wait)
        for each in fetch_all(register, chosen, into or settings.credit_folder / "downloads"):
            saved.append(each)  # noqa: PERF402 - a failure reports what was saved before
    except FetchFailed as error:
        raise Failure(str(error), *([f"Saved before that: {len(saved)} of {len(chosen)}."] if saved else ())) from error
    print_many(
        [{"company": each.company, "known": each.known, "files": len(each.files)} for each in saved], as_json=as_json
    )


def check(data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """Check that the figures of the loaded accounts do not contradict each other; list the years that are not scored."""
    from credence.datasets.check import check_accounts  # imported late: other commands start sooner

    found = check_accounts(settings_of(data_dir).credit_folder)
    if found is None:
        raise NotFound("No accounts are loaded: load them with `credence data load accounts`.")
    said = msgspec.to_builtins(found, enc_hook=str)
    if as_json:
        print_one(said, as_json=True)
        return
    say(f"{found.years} years in {found.filings} filings; {len(found.failing)} failures.\n")
    print_many(said["invariants"], as_json=False)
    if found.failing:
        say("")
        print_many(said["failing"], as_json=False)


commands = typer.Typer(help="Credit data.")
loads = typer.Typer(help="Load the files of a source. The old data set serves until the new one is complete.")
commands.add_typer(loads, name="load")
commands.command()(check)
commands.command()(data_find.find)
commands.command()(data_find.show)
commands.command()(fetch)
commands.command()(data_publish.publish)
add_to(commands, *commands_of("data"))

_HELP = {
    REGISTER: "Replace the company register by a snapshot: CSV or zip, in one or more parts.",
    "accounts": "Add filed accounts: daily or monthly zips, or single iXBRL and XBRL documents.",
    "psc": "Replace the persons with significant control by a snapshot: zip or JSON lines, all of its parts.",
    "gazette": "Add notices of corporate insolvency: pages of the Gazette's feed as JSON.",
    "payment-practices": "Replace the reports on payment practices by the CSV file of all of them.",
    "officers": "Add the officers of companies: responses of the public register's API as JSON.",
    "charges": "Add the charges of companies: responses of the public register's API as JSON.",
    "insolvency": "Add the insolvency cases of companies: responses of the public register's API as JSON, each in a file "
    "named after its company, such as 01234567-insolvency.json, because the response does not name it.",
    "filing-history": "Add the filing history of companies: responses of the public register's API as JSON.",
    "profile": "Add the profiles of companies: responses of the public register's API as JSON, or events of its stream.",
}
"""Source -> help of its load command, in the order in which a deployment is filled."""

_SNAPSHOTS = (REGISTER, "psc", "payment-practices")
"""The sources whose newest files replace everything before them."""

AcceptFewer = Annotated[
    bool, typer.Option("--accept-fewer", help="Accept a snapshot with far fewer companies than the last one.")
]
Older = Annotated[bool, typer.Option("--older", help="Go back to a snapshot of an earlier day than the last one.")]
Files = Annotated[list[Path], typer.Argument(help="Files as they were downloaded.")]
SourceName = Annotated[str, typer.Argument(help=f"One of {', '.join((*_HELP, SCORES))}.")]


def _loader(source: str) -> Callable[..., None]:
    def load(files: Files, data_dir: DataDir = None, as_json: AsJson = False) -> None:
        print_one(_load(source, files, settings_of(data_dir), system_clock()), as_json=as_json)

    def load_snapshot(
        files: Files,
        accept_fewer: AcceptFewer = False,
        older: Older = False,
        data_dir: DataDir = None,
        as_json: AsJson = False,
    ) -> None:
        settings, now = settings_of(data_dir), system_clock()
        loaded = _load(source, files, settings, now, accept_fewer=accept_fewer, accept_older=older)
        print_one(loaded, as_json=as_json)

    return load_snapshot if source in _SNAPSHOTS else load


for _source, _help in _HELP.items():
    loads.command(_source, help=_help)(_loader(_source))


@commands.command()
def refresh(
    downloads: Annotated[
        Path | None,
        typer.Argument(help="Folder of downloads, files named as published.", show_default="DATA_DIR/credit/downloads"),
    ] = None,
    accept_fewer: AcceptFewer = False,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Load the files of a folder that are newer than the loaded data; files are recognised by their published names."""
    from credence.datasets.loading.refresh import due_files

    settings, now = settings_of(data_dir), system_clock()
    folder = downloads or settings.credit_folder / "downloads"
    if not folder.is_dir():
        raise NotFound(f"There is no folder {folder}: name the folder of the downloads.")
    found = due_files(folder, catalogue.read(settings.credit_folder), london_day(now))
    rows: list[dict[str, object]] = [
        {"source": each.source, "files": each.description, "outcome": each.problem} for each in found if each.problem
    ]
    for each in found:
        if not each.problem:
            try:
                summary = _load(each.source, list(each.files), settings, now, accept_fewer=accept_fewer)
                outcome = f"loaded {summary['kept']}"
            except SourceHeld as error:
                outcome = str(error)
            rows.append({"source": each.source, "files": each.description, "outcome": outcome})
    print_many(rows, as_json=as_json)


@commands.command()
def remove(source: SourceName, data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """Stop serving a source and delete its data, personal data included."""
    from credence.datasets.loading.retention import remove as remove_source

    _require_known(source)
    settings = settings_of(data_dir)
    removed = remove_source(source, settings.credit_folder, publish_of(settings, [source]))
    print_one({"source": source, "removed": removed}, as_json=as_json)


@commands.command()
def forget(
    years: Annotated[
        int | None, typer.Option(min=1, max=100, help="Years to keep.", show_default=setting("retention_years"))
    ] = None,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Delete officers who resigned and owners who ceased longer ago than the retention."""
    from credence.datasets.loading.retention import forget as forget_part
    from credence.datasets.loading.retention import retention_start

    settings, now = settings_of(data_dir), system_clock()
    since = retention_start(london_day(now), settings.retention_years if years is None else years)
    if since is None:
        raise WrongUsage("The retention has no limit (CREDENCE_RETENTION_YEARS is 0): name the years with --years.")
    parts = [part for part in FACT_KINDS if part.ended]
    publish = publish_of(settings, [part.source for part in parts])
    gone = {part.source: forget_part(part, settings.credit_folder, since, publish) for part in parts}
    print_one({"kept_from": since.isoformat(), **gone}, as_json=as_json)


def _load(
    source: str,
    files: list[Path],
    settings: Settings,
    now: Milliseconds,
    *,
    accept_fewer: bool = False,
    accept_older: bool = False,
) -> dict[str, object]:
    for file in files:
        if not file.exists():
            raise NotFound(f"There is no file {file}.")
    # Imported late: without the readers of all sources, other commands start sooner.
    from credence.datasets.loading.load import load, load_register
    from credence.datasets.loading.refresh import SOURCES
    from credence.datasets.loading.retention import retention_start

    folder, publish = settings.credit_folder, publish_of(settings, [source])
    with progress_bar(f"Loading {source}") as progress:
        if source == REGISTER:
            summary: object = load_register(
                files, folder, now, progress, accept_fewer=accept_fewer, accept_older=accept_older, publish=publish
            )
        else:
            since = retention_start(london_day(now), settings.retention_years)
            summary = load(
                SOURCES[source],
                files,
                folder,
                now,
                keep_from=since,
                accept_fewer=accept_fewer,
                accept_older=accept_older,
                progress=progress,
                publish=publish,
            )
    fields: dict[str, object] = msgspec.to_builtins(summary, enc_hook=str)
    return fields


def _require_known(source: str) -> None:
    if source not in (*_HELP, SCORES):
        raise WrongUsage(f"There is no source {source[:40]!r}: it is one of {', '.join((*_HELP, SCORES))}.")
