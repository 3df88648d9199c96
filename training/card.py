"""Writes the model card: purpose, composition, measured quality and limits of the score (credit §10)."""

from collections.abc import Iterable, Iterator, Mapping
from importlib import resources
from itertools import pairwise
from pathlib import Path

from credence.backtest.answer import Answer
from credence.backtest.calibration import Part
from credence.backtest.charts import calibration_chart
from credence.backtest.outcomes import DISSOLVED
from credence.backtest.page import area_in_words, rate
from credence.scoring.basis.scale import HIGHEST, probability_of
from credence.scoring.basis.sectors import SECTIONS, SectorRates
from credence.scoring.limit import Band
from credence.scoring.model import FILES, Model
from credence.scoring.points import PointsTable, words_of
from training.areas_chart import areas_chart
from training.ceilings import Ceiling
from training.ends import Ends
from training.fit import TRANSFER
from training.stability import Gap, Group, Level, Shift
from training.targets import LEAST_AUC, MISSED, targets
from training.validation import Artefact, BandOutcome, Row, Segment, Validation

CALIBRATION = "model-card-calibration.svg"
AREAS = "model-card-areas.svg"

SERVED = Path(__file__).parents[1] / "src" / "credence" / "scoring" / "card"
"""The copy in the package, which the service serves."""


def folders(card: Path) -> tuple[Path, ...]:
    """Return the folders to write a card to: `card` and, if that is the `docs` of this checkout, the served copy."""
    own = card.resolve().name == "docs" and SERVED.is_relative_to(card.resolve().parent / "src")
    return (card, SERVED) if own else (card,)


def render(found: Validation, model: Model, uk: Answer) -> dict[str, str]:
    """Return the files of the card by name: the page and its charts."""
    template = (resources.files("training") / "model-card.template.md").read_text(encoding="utf-8")
    quoted = found.rows[1].points.deciles
    page = template.format(
        name=model.name,
        version=model.version,
        hash=model.hash,
        files=", ".join(FILES.values()),
        sectors=model.sectors.source,
        points="\n\n".join(_points_table(table) for table in (*model.ratios, model.conduct)),
        pairs="\n".join(_pairs(model)),
        rates="\n".join(_rates(model.sectors)),
        targets=_markdown(targets(found)),
        missed="\n".join(_missed()),
        companies=f"{found.companies:,}",
        failures=found.failures,
        quality=_markdown(map(_row, found.rows)),
        formulas=", ".join(f"{formula.name} {formula.auc:.3f}" for formula in found.formulas),
        ceilings=_markdown(map(_ceiling, found.ceilings)),
        ends=_markdown(_ends(*each) for each in zip(found.rows, found.ends, strict=True)),
        maps=_markdown(_maps(*each) for each in zip(found.rows, found.ends, strict=True)),
        **_uk(uk),
        bands=_markdown(_band(*each) for each in _bounded(found.bands, model)),
        segments=_markdown(map(_segment, found.segments)),
        artefacts=_markdown(map(_artefact, found.artefacts)),
        filings=found.filings.filings,
        levels=_markdown(map(_level, found.filings.levels)),
        gaps=_markdown(map(_gap, found.filings.gaps)),
        groups=_markdown(map(_group, found.filings.groups)),
        shifts=_markdown(map(_shift, found.filings.shifts)),
        transfer=f"{TRANSFER:.0%}",
        deciles=_markdown(_decile(number, each) for number, each in enumerate(quoted, 1)),
        areas=AREAS,
        calibration=CALIBRATION,
    )
    areas = [(row.name, row.points.auc, row.boosted_auc) for row in found.rows]
    return {
        "model-card.md": page,
        AREAS: areas_chart(areas, "Area under the curve, one year ahead"),
        CALIBRATION: calibration_chart(quoted, "Expected and observed failures by decile, full table"),
    }


def _rates(rates: SectorRates) -> Iterator[str]:
    yield "| section | title | insolvencies | companies in the sample | failures a year of 10,000 |\n|---|---|---|---|---|"
    for section, title in SECTIONS.items():
        published = rates.sections.get(section)
        counts = f"{rates.insolvencies[section]:,} | {rates.companies[section]:,}"
        words = f"{rates.national:g}, national rate; fewer than {rates.least} insolvencies"
        yield f"| {section} | {title} | {counts} | {words if published is None else f'{published:g}'} |"


def _missed() -> Iterator[str]:
    for measure, figure in MISSED.items():
        name, _, words = measure.partition(": ")
        yield f"- {name}, {words}: {figure} where {LEAST_AUC[name]} was the target, which is missed."


def _points_table(table: PointsTable) -> str:
    title = f"Ratios, the {table.name} table" if table.name else "Register factors"
    level = f"Level: {table.level:+d} points.\n\n" if table.name else ""
    rows = [f"### {title}\n\n{level}| factor | range | points | failed of companies |", "|---|---|---|---|"]
    for factor in table.factors:
        lower = None
        for each in factor.bins:
            counts = f"{each.failures} of {each.companies}" if each.companies is not None else "set by experts"
            rows.append(f"| {factor.words} | {_range(lower, each.below)} | {each.points:+d} | {counts} |")
            lower = each.below
    return "\n".join(rows)


def _pairs(model: Model) -> Iterator[str]:
    """Yield a small table for each pair: a row for each range of the first factor, a column for each of the second."""
    names = dict(words_of(model.ratios))
    for pair in (pair for table in model.ratios for pair in table.pairs):
        columns = [_range(*each) for each in pairwise((None, *pair.second_edges, None))]
        yield f"**{names[pair.first]}** (rows), **{names[pair.second].lower()}** (columns)\n"
        yield f"| Rows by columns | {' | '.join(columns)} |"
        yield "|---" * (len(columns) + 1) + "|"
        for bounds, row in zip(pairwise((None, *pair.first_edges, None)), pair.points, strict=True):
            yield f"| {_range(*bounds)} | {' | '.join(f'{each:+d}' for each in row)} |"
        yield ""


def _range(lower: float | None, upper: float | None) -> str:
    if lower is None:
        return "any" if upper is None else f"below {upper:g}"
    return f"{lower:g} and more" if upper is None else f"{lower:g} to {upper:g}"


def _markdown(rows: Iterable[Mapping[str, object]]) -> str:
    """Return rows of equal keys as a table."""
    cells = list(rows)
    head = list(cells[0])
    lines = [f"| {' | '.join(head)} |", "|---" * len(head) + "|"]
    return "\n".join((*lines, *(f"| {' | '.join(str(each) for each in row.values())} |" for row in cells)))


def _row(row: Row) -> dict[str, object]:
    points = row.points
    return {
        "table": row.name,
        "AUC": f"{points.auc:.3f}",
        "Gini": f"{points.gini:.3f}",
        "KS": f"{points.ks:.3f}",
        "Brier": f"{points.brier:.4f}",
        "calibration error": f"{points.calibration_error:.4f}",
        "AUC, failures within five years": f"{row.five_years_auc:.3f}",
        "AUC, boosted trees": f"{row.boosted_auc:.3f}",
        "AUC, missing values alone": f"{row.flags_auc:.3f}",
    }


def _ends(row: Row, each: Ends) -> dict[str, object]:
    return {
        "table": row.name,
        "slope (95 % interval)": f"{each.slope:.2f} ({each.slope_low:.2f} to {each.slope_high:.2f})",
        **{
            f"{part.name}: expected, observed of {part.companies:,}": (
                f"{part.expected * part.companies:.0f}, {part.failed} "
                f"({part.low * part.companies:.0f} to {part.high * part.companies:.0f})"
            )
            for part in (each.safest, each.riskiest)
        },
    }


def _maps(row: Row, each: Ends) -> dict[str, object]:
    return {
        "table": row.name,
        "log score of the points": f"{each.log_score:.4f}",
        "with a slope of its own": f"{each.with_a_line:.4f}",
        "with steps (isotonic)": f"{each.with_steps:.4f}",
    }


def _uk(found: Answer) -> dict[str, object]:
    """Return what the card says of the UK companies of January 2024."""
    if found.calibration is None:
        raise ValueError("The backtest has no companies.")
    whole, scored = found.calibration.all, sum(found.outcomes.values())
    dissolved = found.outcomes[DISSOLVED]
    rows = (
        ("scored, a month old", f"{scored:,}"),
        ("dissolved without insolvency within the year", f"{dissolved:,} ({dissolved / scored:.1%})"),
        ("insolvent", f"{whole.failed}"),
        ("others", f"{whole.companies - whole.failed:,}"),
        ("insolvencies expected", f"{rate(whole.expected)}, which is {whole.expected * whole.companies:.0f}"),
        ("insolvencies observed", f"{rate(whole.observed)} (95 % interval {rate(whole.low)} to {rate(whole.high)})"),
        ("area of dissolution, which the score does not predict", area_in_words(found.area_of_dissolution)),
    )
    return {
        "uk": _markdown({"measure": name, "companies": text} for name, text in rows),
        "uk_factor": f"{whole.expected / whole.observed:.0f}" if whole.failed else "any number of",
        "uk_at": found.at,
        "uk_until": found.until,
    }


def _ceiling(each: Ceiling) -> dict[str, object]:
    return {
        "companies with": each.words,
        "failed of companies": f"{each.failures} of {each.companies}",
        "failure rate": f"{each.failures / each.companies:.1%}",
        "95 % interval": f"{each.low:.1%} to {each.high:.1%}",
        "highest score": each.at_most,
    }


def _bounded(outcomes: Iterable[BandOutcome], model: Model) -> Iterator[tuple[BandOutcome, Band, int]]:
    """Yield the outcome of each band with the band and the first score above it."""
    above = HIGHEST + 1
    for outcome, band in zip(outcomes, model.terms.bands, strict=True):
        yield outcome, band, above
        above = band.lowest


def _band(outcome: BandOutcome, band: Band, above: int) -> dict[str, object]:
    best, worst = (_of_thousand(probability_of(score)) for score in (above - 1, band.lowest))
    return {
        "band": band.band,
        "words": band.words,
        "scores": f"{band.lowest} to {above - 1}",
        "of 1,000 such companies fail within a year": f"{best} to {worst}",
        "failed of companies": f"{outcome.failures} of {outcome.companies:,}",
        "levelled, of 1,000": _of_thousand(outcome.levelled),
    }


def _of_thousand(share: float) -> str:
    return f"{share * 1000:.1f}" if share < 0.0095 else f"{share * 1000:.0f}"


def _segment(each: Segment) -> dict[str, object]:
    return {
        "segment": each.name,
        "companies": f"{each.companies:,}",
        "failed": each.failures,
        "AUC": f"{each.auc:.3f}",
        "expected": f"{each.expected:.1%}",
        "observed": f"{each.failures / each.companies:.1%}",
    }


def _artefact(each: Artefact) -> dict[str, object]:
    return {
        "failures within": "one year" if each.horizon_years == 1 else f"{each.horizon_years} years",
        "failed of companies": f"{each.failures} of {each.companies:,}",
        "all 64 ratios": f"{each.all_ratios:.3f}",
        "missing values alone": f"{each.flags_alone:.3f}",
        "missing values filled in": f"{each.without_flags:.3f}",
        "and without X27": f"{each.without_x27:.3f}",
        "sixteen of a balance sheet": f"{each.balance_sheet:.3f}",
    }


def _level(each: Level) -> dict[str, object]:
    return {
        "tables up to": each.name,
        "mean probability over the base, all filings": f"{each.all_filings:.2f}",
        "filings that show what it adds": each.filings,
        "mean probability over the base, those": f"{each.own_filings:.2f}",
    }


def _gap(each: Gap) -> dict[str, object]:
    return {
        "table": each.name,
        "filings": each.filings,
        "median size of the gap": f"{each.median:g}",
        "half of the gaps": f"{each.lower:+g} to {each.upper:+g}",
    }


def _group(each: Group) -> dict[str, object]:
    return {
        "segment": each.name,
        "filings": each.filings,
        "median score": f"{each.median_score:.0f}",
        "mean probability": f"{each.mean_probability:.2%}",
    }


def _shift(each: Shift) -> dict[str, object]:
    return {"input": each.code, "filings that show it": each.filings, "stability index": f"{each.index:.2f}"}


def _decile(number: int, each: Part) -> dict[str, object]:
    return {
        "decile of risk": number,
        "companies": each.companies,
        "expected": f"{each.expected:.1%}",
        "observed": f"{each.observed:.1%}",
        "95 % interval": f"{each.low:.1%} to {each.high:.1%}",
    }
