"""`CommercialDelphi` and `CommercialDelphiHistory`: the score and earlier scores as text (report schema §3, §8, §9)."""

from credence.companies.facts.company import Company
from credence.companies.facts.scores import ALL_SECTIONS, SCORE, PastScore, Scores, Spread
from credence.report.build.sector_position import percentile_of
from credence.report.schema import commercial_delphi as wire
from credence.scoring.basis.scale import odds_of
from credence.scoring.basis.sectors import SECTIONS, section_of
from credence.scoring.score import Score, ScoringResult

MAX_REASONS = 4
"""The number of principal reasons in this member (credit §10); `Assessment` has all."""

ALL_COMPANIES = "1"
"""The identifier of the comparison group "all companies"."""


def commercial_delphi(score: Score, headline: str) -> wire.LtdCommercialDelphi:
    """Return `CommercialDelphi`; `headline` is the band in words, with everything that speaks against it."""
    limit = None if score.limit.amount is None else str(score.limit.amount)
    overridden = "Y" if score.overridden else "N"
    return wire.LtdCommercialDelphi(
        CommDelphiScore=str(score.score),
        CommDelphiBand=score.band.band,
        CommDelphiBandText=score.band.words,
        ConclusionText=_conclusion(score, headline),
        CreditLimit=limit,
        CreditRating=limit,
        StabilityOdds=None if score.failed else f"{round(odds_of(score.score))}:1",
        OverrideIndicator=overridden,
        CreditLimitOverrideIndicator=overridden,
        CreditRatingOverrideIndicator=overridden,
        CreditTextOverrideIndicator=overridden,
        **{f"CreditTextLine{n}": each.sentence for n, each in enumerate(score.reasons[:MAX_REASONS], 1)},
    )


def _conclusion(score: Score, headline: str) -> str:
    if score.failed:
        text = f"The company has failed, which sets the score to {score.score}."
    else:
        span = "" if score.low == score.high else f", {score.low} to {score.high} allowing for what is not known"
        text = (
            f"{headline}: score {score.score} of 100{span}; "
            f"probability of failure within a year {score.probability:.2%}."
        )
    return f"{text} Suggested terms: {score.payment_terms.lower()}. Decision support, not a decision."


def history(company: Company, result: ScoringResult) -> wire.LtdCommercialDelphiHistory | None:
    """Return `CommercialDelphiHistory`; None if no scoring run has scored the company."""
    scores, score = company.scores, result.score
    if scores is None:
        return None
    section = section_of(company, result.model.sectors)
    of_all, of_section = scores.spreads.get((ALL_SECTIONS, SCORE)), scores.spreads.get((section or "", SCORE))
    compared = section if section and of_section else None
    return wire.LtdCommercialDelphiHistory(
        CompanyHistory=_of_company(score, earlier(scores, score)),
        SectorRanking=_ranking(score, of_all, compared, of_section) if score and of_all else None,
        SectorScore=_averages(scores, of_all, compared, of_section) if of_all else None,
        Sectors=_groups(compared) if of_all else None,
    )


def earlier(scores: Scores, score: Score | None) -> tuple[PastScore, ...]:
    """Return the scores before the present one; the newest stored score is left out if it equals the present one."""
    newest = scores.past[0]
    if score is not None and (newest.score, newest.limit, newest.lines) == (
        score.score,
        score.limit.amount,
        tuple([(line.code, line.points) for line in score.lines]),
    ):
        return scores.past[1:]
    return scores.past


def _of_company(score: Score | None, past: tuple[PastScore, ...]) -> wire.ScoresOfCompany:
    return wire.ScoresOfCompany(
        ScoreHistoryCount=len(past),
        CommDelphiScore=str(score.score) if score else None,
        CommDelphiBand=score.band.band if score else None,
        CommDelphiBandText=score.band.words if score else None,
        OverrideIndicator=_flag(score.overridden) if score else None,
        StabilityOdds=_odds(score.score) if score and not score.failed else None,
        ScoreHistory=tuple(map(_past, past)),
    )


def _past(past: PastScore) -> wire.ScoreHistory:
    limit, overridden = None if past.limit is None else str(past.limit), _flag(past.overridden)
    return wire.ScoreHistory(
        CommDelphiScore=str(past.score),
        ScoreHistoryDate=past.run.isoformat(),
        OverrideIndicator=overridden,
        CreditLimitOverrideIndicator=overridden,
        CreditRatingOverrideIndicator=overridden,
        CreditLimit=limit,
        CreditRating=limit,
    )


def _ranking(score: Score, of_all: Spread, section: str | None, of_section: Spread | None) -> wire.RankAmongOthers:
    found = {"All": of_all, "Ind": of_section} if section else {"All": of_all}
    members = {"AllCompGroup": ALL_COMPANIES} | ({"IndCompSector": section} if section else {})
    for group, spread in found.items():
        if spread is None:
            continue
        below, same, above = spread.counts(score.score)
        members |= {
            f"{group}NumberSector": str(below + same + above),
            f"{group}NumberLowerScore": str(below),
            f"{group}NumberSameScore": str(same),
            f"{group}NumberHigherScore": str(above),
            f"{group}Percentile": str(percentile_of(below, same, above)),
        }
    return wire.RankAmongOthers(**members)


def _averages(scores: Scores, of_all: Spread, section: str | None, of_section: Spread | None) -> wire.AverageScores:
    average = round(of_all.mean)
    in_section = round(of_section.mean) if section and of_section else None
    return wire.AverageScores(
        RecentSnapshotDate=scores.run.isoformat(),
        AllCompGroup=ALL_COMPANIES,
        AllAverageDelphiScore=str(average),
        AllAverageStabilityOdds=_odds(average),
        IndCompSector=section,
        IndAverageDelphiScore=None if in_section is None else str(in_section),
        IndAverageStabilityOdds=None if in_section is None else _odds(in_section),
    )


def _groups(section: str | None) -> wire.GroupsCompared:
    return wire.GroupsCompared(
        AllCompGroup=ALL_COMPANIES,
        AllCompGroupName="All companies",
        IndCompGroupSector=section,
        IndCompGroupSectorName=SECTIONS[section] if section else None,
    )


def _odds(score: int) -> str:
    return f"{round(odds_of(score))}:1"


def _flag(value: bool) -> str:
    return "Y" if value else "N"
