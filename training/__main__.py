"""`python -m training`: fits the points of the score and measures how well they predict failure (credit §8)."""

from pathlib import Path
from typing import Annotated

import msgspec
import typer

from credence.cli.output import print_many, print_one, progress_bar, say
from credence.cli.program import run
from credence.scoring.model import FILES, current_model
from training import register_points
from training.card import folders, render
from training.outcomes import INSOLVENCY
from training.polish import ARCHIVE, read
from training.tables import DESIGNS, fit_table
from training.validation import HORIZONS_YEARS, Validation
from training.validation import validate as measure

commands = typer.Typer(help=__doc__, no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@commands.command()
def validate(
    card: Annotated[Path | None, typer.Option(help="Folder to write the model card and its charts to.")] = None,
    as_json: AsJson = False,
) -> None:
    """Measure the score out of fold on the public data. Takes about two minutes."""
    validations = [measure(years) for years in HORIZONS_YEARS]
    if card is not None:
        card.mkdir(parents=True, exist_ok=True)
        for name, text in render(validations, current_model()).items():
            for folder in folders(card):
                (folder / name).write_text(text, encoding="utf-8")
    if as_json:
        say(_json(validations).decode())
    else:
        print_many([row for each in validations for row in _rows(each)], as_json=False)


@commands.command()
def train(
    folder: Annotated[Path, typer.Argument(help="Folder to write the tables of points to.")],
    version: Annotated[str, typer.Option(help="Version written into the tables.")] = "2026-11",
) -> None:
    """Fit the points of the balance-sheet ratios on the public data. The service keeps the tables it ships."""
    sample = read(ARCHIVE, horizon_years=1)
    folder.mkdir(parents=True, exist_ok=True)
    for design in DESIGNS:
        file = folder / FILES[design.name].replace("2026-11", version)
        file.write_bytes(_json(fit_table(design, sample, version)) + b"\n")
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


def _rows(validation: Validation) -> list[dict[str, object]]:
    return [
        {
            "years": validation.horizon_years,
            "ratios": row.name,
            "auc": f"{row.points.auc:.3f}",
            "gini": f"{row.points.gini:.3f}",
            "ks": f"{row.points.ks:.3f}",
            "brier": f"{row.points.brier:.4f}",
            "calibration_error": f"{row.points.calibration_error:.4f}",
            "boosted_auc": f"{row.boosted_auc:.3f}",
        }
        for row in validation.rows
    ]


if __name__ == "__main__":
    run(commands)
