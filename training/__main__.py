"""`python -m training`: fits the points of the score, validates it, and writes the model card (credit §8).

It needs a checkout and its development environment (`make develop`); the installed package has neither these commands
nor their data.
"""

from pathlib import Path
from typing import Annotated

import msgspec
import typer

from credence.cli.deployment import AsJson
from credence.cli.output import print_many, print_one, say
from credence.cli.program import run
from credence.cli.progress import progress_bar
from credence.scoring.model import FILES, current_model
from training.card import folders, render
from training.polish import read
from training.register_layer import train as train_register
from training.tables import DESIGNS, fit_table
from training.validation import ARCHIVE, Validation
from training.validation import validate as measure

commands = typer.Typer(
    help="Fits the points of the score and validates it.", rich_markup_mode=None, pretty_exceptions_enable=False
)

HORIZONS = (1, 5)
"""Years ahead that the public data covers."""


@commands.command()
def validate(
    card: Annotated[Path | None, typer.Option(help="Folder to write the model card and its charts to.")] = None,
    as_json: AsJson = False,
) -> None:
    """Measure the score out of fold on the public data and compare it. Takes about two minutes."""
    found = [measure(horizon) for horizon in HORIZONS]
    if card is not None:
        card.mkdir(parents=True, exist_ok=True)
        for name, text in render(found, current_model()).items():
            for folder in folders(card):
                (folder / name).write_text(text, encoding="utf-8")
    if as_json:
        say(msgspec.json.format(msgspec.json.encode(found), indent=2).decode())
    else:
        print_many([row for each in found for row in _rows(each)], as_json=False)


@commands.command()
def train(
    folder: Annotated[Path, typer.Argument(help="Folder to write the tables of points to.")],
    version: Annotated[str, typer.Option(help="The version the tables carry.")] = "2026-11",
) -> None:
    """Fit the points of the ratios on the public data. The service keeps the tables it ships."""
    sample = read(ARCHIVE, horizon=1)
    folder.mkdir(parents=True, exist_ok=True)
    for design in DESIGNS:
        file = folder / FILES[design.name].replace("2026-11", version)
        table = msgspec.json.encode(fit_table(design, sample, version))
        file.write_bytes(msgspec.json.format(table, indent=2) + b"\n")
        say(str(file))


@commands.command("train-uk")
def train_uk(
    earlier: Annotated[Path, typer.Argument(help="Register snapshot, a file or the folder of its parts.")],
    later: Annotated[Path, typer.Argument(help="The snapshot twelve months later.")],
    outcomes: Annotated[
        list[Path] | None,
        typer.Option(help="CSV of number,outcome, or a page of Gazette notices as JSON; may be repeated."),
    ] = None,
    event: Annotated[
        str, typer.Option(help="The outcome that is fitted; any other one tries the mechanics only.")
    ] = "insolvency",
    into: Annotated[Path, typer.Option(help="Folder to write the candidate and its measures to.")] = Path(),
    version: Annotated[str, typer.Option(help="The version the candidate carries.")] = "candidate",
    as_json: AsJson = False,
) -> None:
    """Fit a candidate for the register points on two snapshots a year apart. The service keeps those it ships."""

    with progress_bar("Reading", "companies") as tell:
        found = train_register(_parts(earlier), _parts(later), outcomes or [], current_model(), version, event, tell)
    into.mkdir(parents=True, exist_ok=True)
    for name, content in ((f"register-points-{version}.json", found.table), (f"train-uk-{version}.json", found)):
        (into / name).write_bytes(msgspec.json.format(msgspec.json.encode(content), indent=2) + b"\n")
    summary = {
        "earlier": found.earlier.isoformat(),
        "later": found.later.isoformat(),
        "event": found.event,
        "outcomes": found.outcomes,
        "left_out": found.left_out,
        "observed_rate": round(found.observed_rate, 5),
        "official_rate": round(found.official_rate, 5),
        **{f"auc, {each.points}": round(each.measures.auc, 3) for each in found.judged},
        "caveats": found.caveats,
    }
    print_one(summary, as_json=as_json)


def _parts(path: Path) -> list[Path]:
    return sorted([*path.glob("*.zip"), *path.glob("*.csv")]) if path.is_dir() else [path]


def _rows(found: Validation) -> list[dict[str, object]]:
    return [
        {
            "years": found.horizon,
            "ratios": row.name,
            "auc": f"{row.points.auc:.3f}",
            "gini": f"{row.points.gini:.3f}",
            "ks": f"{row.points.ks:.3f}",
            "brier": f"{row.points.brier:.4f}",
            "calibration_error": f"{row.points.calibration_error:.4f}",
            "boosted_auc": f"{row.boosted_auc:.3f}",
        }
        for row in found.rows
    ]


if __name__ == "__main__":
    run(commands)
