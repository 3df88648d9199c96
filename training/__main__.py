"""`python -m training`: fits the points of the score and measures how well they predict failure (credit §8)."""

from pathlib import Path
from typing import Annotated

import msgspec
import typer

from credence.cli.output import print_many, print_one, progress_bar, say
from credence.cli.program import run
from credence.scoring.model import FILES, current_model
from training import register_points, uk_cohort
from training.card import folders, render
from training.filings import FILE, as_csv, kept, present
from training.fit import fit_tables
from training.level import with_levels
from training.outcomes import INSOLVENCY
from training.polish import ARCHIVE, read
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
        for name, text in render(found, model).items():
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


@commands.command()
def cohort(folder: Annotated[Path, typer.Argument(help="Folder to write the two snapshots to.")]) -> None:
    """Write the companies of January 2024 as snapshots of the register, for `credence score backtest`."""
    for file in uk_cohort.write_snapshots(folder):
        say(str(file))


@commands.command("train-uk")
def train_uk(
    earlier: Annotated[Path, typer.Argument(help="Register snapshot: a file, or the folder of its parts.")],
    later: Annotated[Path, typer.Argument(help="The snapshot twelve months later.")],
    outcomes: Annotated[
        list[Path] | None,
        typer.Option(help="CSV of number,outcome, or a page of Gazette notices as JSON; may be repeated."),
    ] = None,
    event: Annotated[
        str, typer.Option(help="Outcome to fit; any other than insolvency only tests the procedure.")
    ] = INSOLVENCY,
    into: Annotated[Path, typer.Option(help="Folder to write the candidate and its measures to.")] = Path(),
    version: Annotated[str, typer.Option(help="Version written into the candidate.")] = "candidate",
    as_json: AsJson = False,
) -> None:
    """Fit a candidate for the register points on two snapshots a year apart. The service keeps the points it ships."""
    with progress_bar("Reading", "companies") as report_progress:
        candidate = register_points.train(
            _parts(earlier), _parts(later), outcomes or [], current_model(), version, event, report_progress
        )
    into.mkdir(parents=True, exist_ok=True)
    (into / f"register-points-{version}.json").write_bytes(_json(candidate.table) + b"\n")
    (into / f"train-uk-{version}.json").write_bytes(_json(candidate) + b"\n")
    summary = {
        "earlier": candidate.earlier.isoformat(),
        "later": candidate.later.isoformat(),
        "event": candidate.event,
        "outcomes": candidate.outcomes,
        "excluded": candidate.excluded,
        "observed_rate": round(candidate.observed_rate, 5),
        "official_rate": round(candidate.official_rate, 5),
        **{f"auc, {each.points}": round(each.measures.auc, 3) for each in candidate.evaluations},
        "caveats": candidate.caveats,
    }
    print_one(summary, as_json=as_json)


def _parts(path: Path) -> list[Path]:
    return sorted([*path.glob("*.zip"), *path.glob("*.csv")]) if path.is_dir() else [path]


def _json(value: object) -> bytes:
    return msgspec.json.format(msgspec.json.encode(value), indent=2)


if __name__ == "__main__":
    run(commands)
