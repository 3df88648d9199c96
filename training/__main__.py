"""`python -m training`: fits the points of the score and measures how well they predict failure (credit §8)."""

import datetime as dt
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from credence.backtest.page import area_in_words
from credence.cli.output import print_many, print_one, say
from credence.cli.program import run
from credence.clock import system_clock
from credence.scoring.model import FILES, current_model
from training import uk_cohort, uk_fit
from training.card import folders, render
from training.filings import FILE, as_csv, kept, present
from training.fit import fit_tables
from training.level import with_levels
from training.polish import ARCHIVE, read
from training.sectors import RATES, as_toml, count_companies, read_insolvencies
from training.tables import CODES
from training.targets import targets
from training.validation import validate as measure

VERSION = "2026-11.4"
"""The version of the shipped tables of ratios."""

commands = typer.Typer(help=__doc__, no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@commands.command()
def validate(
    card: Annotated[Path | None, typer.Option(help="Folder to write the model card and its charts to.")] = None,
    as_json: AsJson = False,
) -> None:
    """Measure the score out of fold on the public data. Takes about three minutes."""
    model = current_model()
    found = measure(model.ratios, kept(), model.sectors.national / 10_000)
    if card is not None:
        card.mkdir(parents=True, exist_ok=True)
        for name, text in render(found, model, uk_cohort.measured(system_clock())).items():
            for folder in folders(card):
                (folder / name).write_text(text, encoding="utf-8")
    if as_json:
        say(_json(found).decode())
    else:
        print_many(list(targets(found)), as_json=False)


@commands.command()
def train(
    folder: Annotated[Path, typer.Argument(help="Folder to write the tables of points to.")],
    version: Annotated[str, typer.Option(help="Version written into the tables.")] = VERSION,
) -> None:
    """Fit the points of the ratios on the public data. The service keeps the tables it ships."""
    sample, filings = read(ARCHIVE, horizon_years=1), kept()
    tables = fit_tables(sample.inputs(CODES), sample.failed, filings.typical, version)
    folder.mkdir(parents=True, exist_ok=True)
    for table in with_levels(tables, filings, current_model().sectors.national / 10_000):
        file = folder / FILES[table.name].replace(VERSION, version)
        file.write_bytes(_json(table) + b"\n")
        say(str(file))


@commands.command()
def filings() -> None:
    """Write the ratios of the UK filings that the sandbox ships, for the next fit."""
    FILE.write_text(as_csv(present()), encoding="utf-8")
    say(str(FILE))


@commands.command("sectors")
def load_sectors(
    insolvencies: Annotated[Path, typer.Argument(help="CSV of section and insolvencies in twelve months.")],
    snapshot: Annotated[Path, typer.Argument(help="Snapshot of the register, CSV or ZIP.")],
    as_of: Annotated[dt.datetime, typer.Option(formats=["%Y-%m-%d"], help="Last day of the twelve months.")],
    into: Annotated[Path, typer.Option(help="Data file to write the counts into.")] = RATES,
) -> None:
    """Write the industry tables of the Insolvency Service into the rates of the sectors."""
    counted = count_companies(snapshot, current_model().sectors.section_of_division)
    text = as_toml(into.read_text(encoding="utf-8"), read_insolvencies(insolvencies), counted, as_of.date())
    into.write_text(text, encoding="utf-8")
    say(str(into))


@commands.command()
def cohort(folder: Annotated[Path, typer.Argument(help="Folder to write the two snapshots to.")]) -> None:
    """Write the companies of January 2024 as snapshots of the register, for `credence score backtest`."""
    for file in uk_cohort.write_snapshots(folder):
        say(str(file))


@commands.command("fit")
def fit_uk(
    first: Annotated[Path, typer.Argument(help="Folder of the backtest to fit on.")],
    second: Annotated[Path, typer.Argument(help="Folder of a later backtest, which judges.")],
    into: Annotated[Path, typer.Option(help="Folder to write the measures and, if they are better, the tables to.")],
    version: Annotated[str, typer.Option(help="Version written into the tables.")] = "candidate",
    as_json: AsJson = False,
) -> None:
    """Fit the points on one backtest, and write tables only if they are better on a later one."""
    found = uk_fit.fit(first, second, version)
    files = uk_fit.write(found, into, version)
    summary = {
        "fitted": found.fitted,
        "judged": found.judged,
        "auc, present": area_in_words(found.verdict.present.area),
        "auc, candidate": area_in_words(found.verdict.candidate.area),
        "difference": [
            found.verdict.difference.difference,
            found.verdict.difference.low,
            found.verdict.difference.high,
        ],
        "difference, if unknown survived, failed": [found.verdict.if_unknown_survived, found.verdict.if_unknown_failed],
        "log score, present, candidate": [found.verdict.present.log_score, found.verdict.candidate.log_score],
        "better": found.better,
        "files": list(map(str, files)),
    }
    print_one(summary, as_json=as_json)


def _json(value: object) -> bytes:
    return msgspec.json.format(msgspec.json.encode(value), indent=2)


if __name__ == "__main__":
    run(commands)
