"""The answer on top: band, score, interval, limit and terms, or why there are none (credit §7, §9)."""

from collections.abc import Iterator

from credence.report.render.charts.gauge import gauge
from credence.report.render.page.blocks import Block, Pairs, Section, Table, Verdict, Words
from credence.report.render.page.text import day, money, per_cent
from credence.report.schema.commercial_delphi import LtdCommercialDelphi
from credence.report.schema.report import LtdCompanyData
from credence.report.schema.score import Scored
from credence.scoring.model import current_model

NOT_SCORED = "Not scored"
SUPPORT = "Decision support, not a decision: a person should look at the case before credit is refused."
UNSCORED = "A company without a score is neither good nor bad; what is known of it stands below."


def verdict(report: LtdCompanyData) -> Verdict:
    """Return the answer; a company without a score gets the reason in its place."""
    assessment = report.Assessment
    if assessment and assessment.Score:
        return _scored(assessment.Score)
    if assessment and assessment.NotScored:
        return Verdict(NOT_SCORED, f"{assessment.NotScored.Reason} {UNSCORED}")
    if report.CommercialDelphi:
        return _told(report.CommercialDelphi)
    return Verdict(NOT_SCORED, f"This report carries no score. {UNSCORED}")


def limit_section(score: Scored) -> Section:
    """Return the suggested limit with every term of the minimum that sets it."""
    return Section("limit", "Limit and terms", tuple(_limit(score)))


def _scored(score: Scored) -> Verdict:
    return Verdict(
        words=score.BandText,
        sentence=SUPPORT,
        mark=score.Band,
        score=str(score.Score),
        pairs=(
            ("Failure within a year", _probability(score)),
            ("Interval", f"{score.Lowest} to {score.Highest}"),
            ("Suggested limit", money(score.Limit.Amount)),
            ("Suggested terms", score.Limit.SuggestedTerms),
        ),
        gauge=gauge(score.Score, (score.Lowest, score.Highest), _bands(), score.Band),
    )


def _told(told: LtdCommercialDelphi) -> Verdict:
    """Return the answer of a report that tells its score but not what it is made of, as the specimen does."""
    score = int(told.CommDelphiScore) if told.CommDelphiScore.isdecimal() else None
    limit = told.CreditLimit
    return Verdict(
        words=told.CommDelphiBandText,
        sentence=told.ConclusionText,
        mark=told.CommDelphiBand,
        score=told.CommDelphiScore,
        pairs=(("Suggested limit", money(int(limit))),) if limit and limit.isdecimal() else (),
        gauge=gauge(score, None, _bands(), told.CommDelphiBand) if score is not None and score <= 100 else None,
    )


def _bands() -> tuple[tuple[str, int], ...]:
    return tuple((each.band, each.lowest) for each in current_model().terms.bands)


def _probability(score: Scored) -> str:
    if score.Failed:
        return "has failed already"
    return "not known" if score.ProbabilityOfFailure is None else per_cent(score.ProbabilityOfFailure)


def _limit(score: Scored) -> Iterator[Block]:
    limit = score.Limit
    if limit.Terms:
        yield Words(limit.Reason)
        rows = (*((each.Words, money(each.Amount)) for each in limit.Terms), ("Suggested limit", money(limit.Amount)))
        yield Table("The terms of the minimum", ("Term", "Amount"), "lr", rows, strong=(len(rows) - 1,))
    else:
        yield Pairs((("Suggested limit", money(limit.Amount)), ("Why", limit.Reason)))
    yield Words(
        f"The limit is what one supplier might have outstanding at a time; terms: {limit.SuggestedTerms.lower()}. "
        f"The newest fact that was judged is of {day(score.Day)}."
    )
