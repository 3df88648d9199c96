"""`Assessment.SectorPosition` and `PaymentComparison`: places within the section, by the last scoring run (credit §9)."""

from collections.abc import Iterator

from credence.companies.facts.company import Company
from credence.companies.facts.scores import ALL_SECTIONS, DAYS_TO_PAY, NOT_WITHIN_TERMS, SCORE, Scores, Spread, bucket
from credence.report.schema import sector_position as wire
from credence.scoring.basis.sectors import SECTIONS, section_of
from credence.scoring.reservations.of_payment import newest_report
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


def payment_comparison(company: Company, result: ScoringResult) -> wire.PaymentComparison | None:
    """Return the member; None without a recent statutory report, or if the last run counted too few."""
    newest = newest_report(company, result.judged.days.judgement)
    scores, section = company.scores, section_of(company, result.model.sectors)
    if newest is None or newest.average_days is None or scores is None:
        return None
    own = section and _enough(scores, section, DAYS_TO_PAY)
    among = section if own and section else ALL_SECTIONS
    spread = own or _enough(scores, ALL_SECTIONS, DAYS_TO_PAY)
    if not spread:
        return None
    late = _enough(scores, among, NOT_WITHIN_TERMS)
    return wire.PaymentComparison(
        Among=SECTIONS.get(among, "all sections"),
        AsOf=scores.day or scores.run,
        Reporters=spread.companies,
        AverageDaysToPay=newest.average_days,
        MedianDaysToPay=spread.median,
        PercentThatPaySooner=percentile(spread, newest.average_days),
        PercentNotWithinTerms=newest.not_within_terms,
        MedianPercentNotWithinTerms=late.median if late else None,
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
