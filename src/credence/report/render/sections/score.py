"""Sections on the score: headline, or the reason why there is no score; limit and reasons (credit §7, §9, §10)."""

from collections.abc import Iterator

from credence.blocks.text import count, day, money, per_cent, signed
from credence.blocks.values import Beside, Block, Facts, Items, Note, Section, Table, Verdict
from credence.report.build.headline import NOT_SCORED
from credence.report.render.charts.score import gauge, waterfall
from credence.report.schema.assessment import Assessment
from credence.report.schema.commercial_delphi import LtdCommercialDelphi
from credence.report.schema.headline import BandInWords
from credence.report.schema.report import LtdCompanyData
from credence.report.schema.score import NotScored, Scored, ScoreLine
from credence.scoring.model import current_model
from credence.scoring.sentences import in_words

SUPPORT = "Decision support, not a decision: a person should look at the case before credit is refused."
UNSCORED = "A company without a score is neither good nor bad."

_ORIGINS = (
    "Fitted points come from public data on company failures. Expert-set points follow the direction that published "
    "studies found; their size is our choice."
)


def verdict(report: LtdCompanyData) -> Verdict:
    """Return the headline; without a score it states the reason."""
    assessment = report.Assessment
    if assessment and assessment.Score:
        return _scored(assessment.Score, assessment.Headline)
    if assessment and assessment.NotScored:
        facts = tuple(_known(report, assessment, assessment.NotScored))
        words = assessment.Headline.Words if assessment.Headline else NOT_SCORED
        return Verdict(words, f"{assessment.NotScored.Reason} {UNSCORED}", facts=facts)
    if report.CommercialDelphi:
        return _without_lines(report.CommercialDelphi)
    return Verdict(NOT_SCORED, f"This report carries no score. {UNSCORED}")


def _known(report: LtdCompanyData, assessment: Assessment, reason: NotScored) -> Iterator[tuple[str, str]]:
    """Yield what is known of a company without a score, and what to load for one."""
    if assessment.Insolvency:
        yield "Insolvency", assessment.Insolvency.Words[:1].upper() + assessment.Insolvency.Words[1:]
    newest = next(iter(report.Financials.Accounts), None) if report.Financials else None
    if newest and newest.DateOfAccounts:
        net = newest.BalanceSheet.NetWorth if newest.BalanceSheet else None
        worth = "" if net is None else f": net worth {money(net, newest.Currency or '')}"
        yield "Newest figures", f"{day(newest.DateOfAccounts)}{worth}"
    else:
        yield "Newest figures", "none on record"
    if headers := [note.AlertHeader for alerts in report.Alerts for note in alerts.Notes]:
        yield "Alerts", "; ".join(headers)
    if reason.ToLoad:
        yield "To load for a score", reason.ToLoad


def limit_section(score: Scored) -> Section:
    """Return the suggested limit, with all the terms of which it is the minimum."""
    return Section("limit", "Limit and terms", tuple(_limit(score)), decision=True)


def _scored(score: Scored, headline: BandInWords | None) -> Verdict:
    interval = (score.Lowest, score.Highest) if score.Lowest < score.Highest else None
    return Verdict(
        words=headline.Words if headline else score.BandText,
        sentence=SUPPORT,
        band=score.Band,
        score=str(score.Score),
        facts=(
            ("Failure within a year", _probability(score)),
            *((("Interval", f"{score.Lowest} to {score.Highest}"),) if interval else ()),
            ("Suggested limit", money(score.Limit.Amount)),
            ("Suggested terms", score.Limit.SuggestedTerms),
        ),
        gauge=gauge(score.Score, interval, _bands(), score.Band),
    )


def _without_lines(delphi: LtdCommercialDelphi) -> Verdict:
    """Return the headline of a report with a score but without its lines, such as the specimen."""
    score = int(delphi.CommDelphiScore) if delphi.CommDelphiScore.isdecimal() else None
    limit = delphi.CreditLimit
    return Verdict(
        words=delphi.CommDelphiBandText,
        sentence=delphi.ConclusionText,
        band=delphi.CommDelphiBand,
        score=delphi.CommDelphiScore,
        facts=(("Suggested limit", money(int(limit))),) if limit and limit.isdecimal() else (),
        gauge=gauge(score, None, _bands(), delphi.CommDelphiBand) if score is not None and score <= 100 else None,
    )


def _bands() -> tuple[tuple[str, int], ...]:
    return tuple((each.band, each.lowest) for each in current_model().terms.bands)


def _probability(score: Scored) -> str:
    if score.Failed:
        return "has failed already"
    if score.ProbabilityOfFailure is None:
        return "not known"
    share = per_cent(score.ProbabilityOfFailure)
    return f"{share}: {score.ProbabilityInWords}" if score.ProbabilityInWords else share


def _limit(score: Scored) -> Iterator[Block]:
    limit = score.Limit
    if limit.Terms:
        yield Note(limit.Reason)
        rows = (*((each.Words, money(each.Amount)) for each in limit.Terms), ("Suggested limit", money(limit.Amount)))
        yield Table(
            "The limit is the smallest of these amounts",
            ("Measure", "Amount"),
            rows,
            numbers=(1,),
            sums=(len(rows) - 1,),
        )
    else:
        yield Facts("", (("Suggested limit", money(limit.Amount)), ("Why", limit.Reason)))
    yield Note(
        f"The limit is what one supplier might have outstanding at a time; terms: {limit.SuggestedTerms.lower()}. "
        f"The newest fact considered is of {day(score.Day)}."
    )


def reasons_section(score: Scored) -> Section:
    """Return the chart of the points, the reasons and the unknown factors."""
    base, steps = score.Lines[0], score.Lines[1:]
    chart = waterfall(
        (base.Words, base.Points, base.Origin),
        [(each.Words, each.Points, _origin(each)) for each in steps],
        score.Score,
    )
    lines = {each.Code: each for each in score.Lines}
    slight = [each for each in score.Reasons if abs(each.Points) == 1 and lines[each.Code].Layer != "legal"]
    weighty = [each for each in score.Reasons if each not in slight]
    items = tuple((each.Sentence, _value(lines[each.Code]), signed(each.Points)) for each in weighty)
    blocks: list[Block] = [Beside((chart, Note(_ORIGINS)), tuple(_reasons(score, items)))]
    if slight:
        rows = tuple((each.Sentence, signed(each.Points)) for each in slight)
        blocks.append(Table("What moved the score by one point", ("Reason", "Points"), rows, numbers=(1,)))
    return Section("reasons", "Why this score", tuple(blocks), decision=True)


def _reasons(score: Scored, items: tuple[tuple[str, str, str], ...]) -> Iterator[Block]:
    if items:
        yield Note("What moved the score most, the weightiest first:")
        yield Items(items)
    elif not score.Reasons:
        yield Note("Nothing moved the score away from the base of the sector.")
    for note in score.Notes:
        yield Note(note.Sentence)
    if score.IntervalInWords and score.Lowest < score.Highest:
        yield Note(f"The interval of {score.Lowest} to {score.Highest}: {score.IntervalInWords}")
    if score.Unknown:
        yield Note(
            f"{count(len(score.Unknown), 'factor').capitalize()} gave no points, because the value is not known. Unknown "
            "is never counted as bad or as good; this is how far each could move the score:"
        )
        rows = tuple((each.Words, signed(each.Worst), signed(each.Best)) for each in score.Unknown)
        yield Table(
            "What is not known, and what it could change", ("Factor", "At worst", "At best"), rows, numbers=(1, 2)
        )


def _origin(line: ScoreLine) -> str:
    return line.Origin or {"legal": "rule", "scale": "scale"}.get(line.Layer, "")


def _value(line: ScoreLine) -> str:
    """Return the scored value with its unit and its day: `Current ratio: 1.25, 31 December 2025`."""
    if line.Value is None or line.AsOf is None:
        return ""
    return f"{line.Words}: {in_words(line.Unit, line.Value, line.AsOf)}, {day(line.AsOf)}"
