"""Writes the model card: purpose, composition, measured quality and limits of the score (credit §10)."""

from collections.abc import Sequence
from importlib import resources
from pathlib import Path

from credence.scoring.model import FILES, Model
from credence.scoring.points import PointsTable
from training.charts import areas_chart, calibration_chart
from training.measures import Decile
from training.validation import Artefact, Row, Validation

CALIBRATION = "model-card-calibration.svg"
AREAS = "model-card-areas.svg"

SERVED = Path(__file__).parents[1] / "src" / "credence" / "scoring" / "card"
"""The copy in the package, which the service serves."""


def folders(card: Path) -> tuple[Path, ...]:
    """Return the folders to write a card to: `card` and, if that is the `docs` of this checkout, the served copy."""
    own = card.resolve().name == "docs" and SERVED.is_relative_to(card.resolve().parent / "src")
    return (card, SERVED) if own else (card,)


def render(validations: Sequence[Validation], model: Model) -> dict[str, str]:
    """Return the files of the card by name: the page and its charts. The charts show the first validation."""
    quoted = validations[0]
    template = (resources.files("training") / "model-card.template.md").read_text(encoding="utf-8")
    page = template.format(
        name=model.name,
        version=model.version,
        hash=model.hash,
        files=", ".join(FILES.values()),
        sectors=model.sectors.source,
        points="\n\n".join(_points_table(table) for table in (*model.ratios, model.conduct)),
        figures="\n\n".join(_validation(each) for each in validations),
        deciles=_deciles(quoted.rows[0].points.deciles),
        areas=AREAS,
        calibration=CALIBRATION,
    )
    areas = [(row.name, row.points.auc, row.boosted_auc) for row in quoted.rows]
    return {
        "model-card.md": page,
        AREAS: areas_chart(areas, "Area under the curve, one year ahead"),
        CALIBRATION: calibration_chart(quoted.rows[0].points.deciles, "Expected and observed failures by decile"),
    }


def _points_table(table: PointsTable) -> str:
    title = f"Ratios, the {table.name} table" if table.name else "Register factors"
    rows = [f"### {title}\n", "| factor | range | points | failed of companies |", "|---|---|---|---|"]
    for factor in table.factors:
        lower = None
        for each in factor.bins:
            counts = f"{each.failures} of {each.companies}" if each.companies is not None else "set by experts"
            rows.append(f"| {factor.words} | {_range(lower, each.below)} | {each.points:+d} | {counts} |")
            lower = each.below
    return "\n".join(rows)


def _range(lower: float | None, upper: float | None) -> str:
    if lower is None:
        return "any" if upper is None else f"below {upper:g}"
    return f"{lower:g} and more" if upper is None else f"{lower:g} to {upper:g}"


def _validation(validation: Validation) -> str:
    years = "one year" if validation.horizon_years == 1 else f"{validation.horizon_years} years"
    lines = [
        f"### Failures within {years}: {validation.failures:,} of {validation.companies:,} companies\n",
        "Out of fold: means of five folds, split three times. Boosted trees get the same ratios in the same folds.\n",
        "| ratios | AUC | Gini | KS | Brier | calibration error | boosted trees, AUC |",
        "|---|---|---|---|---|---|---|",
        *(_row(row) for row in validation.rows),
        "",
        "Published formulas, without fitting: "
        + ", ".join(f"{formula.name} {formula.auc:.3f}" for formula in validation.formulas)
        + ".",
        "",
        _artefact(validation.artefact),
    ]
    return "\n".join(lines)


def _row(row: Row) -> str:
    points = row.points
    return (
        f"| {row.name} | {points.auc:.3f} | {points.gini:.3f} | {points.ks:.3f} | {points.brier:.4f} | "
        f"{points.calibration_error:.4f} | {row.boosted_auc:.3f} |"
    )


def _artefact(artefact: Artefact) -> str:
    return (
        f"**The artefact.** Boosted trees on all 64 ratios reach {artefact.all_ratios:.3f}.\n"
        f"The pattern of missing values alone reaches {artefact.flags_alone:.3f}.\n"
        f"With missing values filled in, the trees reach {artefact.without_flags:.3f}, and without the ratio X27 "
        f"{artefact.without_x27:.3f}.\n"
        "The score uses no pattern of missing values, so the lower figures are the ones to compare it with."
    )


def _deciles(deciles: Sequence[Decile]) -> str:
    rows = ["| decile of risk | companies | expected | observed | 95 % interval |", "|---|---|---|---|---|"]
    for number, each in enumerate(deciles, 1):
        interval = f"{each.low:.1%} to {each.high:.1%}"
        rows.append(f"| {number} | {each.companies} | {each.expected:.1%} | {each.observed:.1%} | {interval} |")
    return "\n".join(rows)
