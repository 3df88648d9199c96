"""`Assessment.SectorPosition`: percentiles within the company's section, by the last scoring run (credit §9)."""

from collections.abc import Iterator

from credence.companies.facts.company import Company
from credence.companies.facts.scores import SCORE, Scores, Spread, bucket
from credence.report.schema import sector_position as wire
from credence.scoring.basis.sectors import SECTIONS, section_of
from credence.scoring.score import Score, ScoringResult

MIN_COMPANIES = 20
"""The minimum number of companies for a percentile."""


def sector_position(company: Company, result: ScoringResult) -> wire.SectorPosition | None:
    """Return the member; None without a score or a section, or if the last run has too few companies of the section."""
    scores, score = company.scores, result.score
    section = section_of(company, result.model.sectors)
    if scores is None or score is None or section is None:
        return None
    spread = _enough(scores, section, SCORE)
    if spread is None:
        return None
    return wire.SectorPosition(
        Section=section,
        Words=SECTIONS[section],
        AsOf=scores.day or scores.run,
        Companies=spread.companies,
        ScorePercentile=percentile(spread, score.score),
        Ratios=tuple(_ratios(scores, section, score)),
    )


def percentile(spread: Spread, value: float) -> int:
    """Return the percentage of companies with a lower value; equal values count half."""
    return percentile_of(*spread.counts(value))


def percentile_of(below: int, same: int, above: int) -> int:
    """Return the percentile of a value from the numbers of companies below it, at it and above it."""
    return round(100 * (below + same / 2) / (below + same + above))


def _ratios(scores: Scores, section: str, score: Score) -> Iterator[wire.RatioPosition]:
    for line in score.lines:
        spread = _enough(scores, section, line.code) if line.layer == "ratios" else None
        if spread is not None and line.value is not None:
            value = bucket(line.value)
            yield wire.RatioPosition(line.code, line.words, value, percentile(spread, value), spread.companies)


def _enough(scores: Scores, section: str, measure: str) -> Spread | None:
    spread = scores.spreads.get((section, measure))
    return spread if spread and spread.companies >= MIN_COMPANIES else None
