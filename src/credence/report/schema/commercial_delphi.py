"""The score and earlier scores, all as text (report schema §3)."""

from typing import Annotated

import msgspec

from credence.meanings import PER_CENT, YES_NO, meaning
from credence.report.schema.codes import BANDS, GROUPS


class LtdCommercialDelphi(msgspec.Struct, frozen=True, omit_defaults=True):
    """Score, band, limit and the principal reasons. A limit that cannot be computed is absent; "0" means no credit.

    `CreditLimit` (total exposure) and `CreditRating` (credit of a month) are equal: with 30-day terms the supplies of one
    month are owed at a time (docs/report.md).
    """

    CommDelphiScore: Annotated[str, meaning("The score from 0 (failed) to 100 (lowest risk), as text.", unit="points")]
    CommDelphiBand: Annotated[str, meaning("The band of the score.", values=BANDS)]
    CommDelphiBandText: Annotated[str, meaning("The band in words.")]
    ConclusionText: Annotated[str, meaning("Band, score, probability of failure and suggested terms in a sentence.")]
    CreditLimit: Annotated[
        str | None,
        meaning(
            "The credit that one supplier might extend, as text; `0` means none, absent that it cannot be computed.",
            unit="pounds",
        ),
    ] = None
    CreditRating: Annotated[
        str | None, meaning("The same amount as `CreditLimit`, as text (`docs/report.md` says why).", unit="pounds")
    ] = None
    StabilityOdds: Annotated[str | None, meaning("Odds against a failure within one year, as `n:1`.")] = None
    CreditTextLine1: Annotated[str | None, meaning("The first principal reason of the score.")] = None
    CreditTextLine2: Annotated[str | None, meaning("The second principal reason.")] = None
    CreditTextLine3: Annotated[str | None, meaning("The third principal reason.")] = None
    CreditTextLine4: Annotated[str | None, meaning("The fourth principal reason.")] = None
    CreditTextLine5: Annotated[
        str | None, meaning("The fifth principal reason.", example="Accounts were filed in time.")
    ] = None
    OverrideIndicator: Annotated[
        str | None, meaning("Whether a rule on the legal state changed the score.", values=YES_NO)
    ] = None
    CreditLimitOverrideIndicator: Annotated[
        str | None, meaning("Whether such a rule changed the limit.", values=YES_NO)
    ] = None
    CreditRatingOverrideIndicator: Annotated[
        str | None, meaning("Whether such a rule changed the rating.", values=YES_NO)
    ] = None
    CreditTextOverrideIndicator: Annotated[
        str | None, meaning("Whether such a rule is among the reasons.", values=YES_NO)
    ] = None


class ScoreHistory(msgspec.Struct, frozen=True, omit_defaults=True):
    """The score of an earlier scoring run; a limit that could not be computed is absent."""

    CommDelphiScore: Annotated[str, meaning("The score, as text.", unit="points")]
    ScoreHistoryDate: Annotated[str, meaning("Day of the scoring run, as text.")]
    OverrideIndicator: Annotated[
        str | None, meaning("Whether a rule on the legal state changed the score.", values=YES_NO)
    ] = None
    CreditLimitOverrideIndicator: Annotated[
        str | None, meaning("Whether such a rule changed the limit.", values=YES_NO)
    ] = None
    CreditRatingOverrideIndicator: Annotated[
        str | None, meaning("Whether such a rule changed the rating.", values=YES_NO)
    ] = None
    CreditLimit: Annotated[str | None, meaning("The limit, as text.", unit="pounds")] = None
    CreditRating: Annotated[str | None, meaning("The rating, as text.", unit="pounds")] = None


class ScoresOfCompany(msgspec.Struct, frozen=True, omit_defaults=True):
    """`CompanyHistory`: the present score, and the earlier ones, newest first."""

    ScoreHistoryCount: Annotated[int, meaning("Number of earlier scores.", unit="scores")]
    CommDelphiScore: Annotated[str | None, meaning("The present score, as text.", unit="points")] = None
    CommDelphiBand: Annotated[str | None, meaning("The present band.", values=BANDS)] = None
    CommDelphiBandText: Annotated[str | None, meaning("The present band in words.")] = None
    OverrideIndicator: Annotated[
        str | None, meaning("Whether a rule on the legal state changed the present score.", values=YES_NO)
    ] = None
    StabilityOdds: Annotated[str | None, meaning("The present odds against a failure within one year, as `n:1`.")] = (
        None
    )
    ScoreHistory: Annotated[tuple["ScoreHistory", ...], meaning("The earlier scores, newest first.")] = ()


class RankAmongOthers(msgspec.Struct, frozen=True, omit_defaults=True):
    """`SectorRanking`: `All` for all companies of the last scoring run, `Ind` for those of the same section of SIC 2007.

    The percentile is the share of companies with a lower score; equal scores count half.
    """

    AllCompGroup: Annotated[str | None, meaning("The group of all companies.", values=GROUPS)] = None
    AllNumberSector: Annotated[str | None, meaning("Companies in the last scoring run, as text.", unit="companies")] = (
        None
    )
    AllNumberLowerScore: Annotated[str | None, meaning("Companies with a lower score, as text.", unit="companies")] = (
        None
    )
    AllNumberSameScore: Annotated[str | None, meaning("Companies with the same score, as text.", unit="companies")] = (
        None
    )
    AllNumberHigherScore: Annotated[
        str | None, meaning("Companies with a higher score, as text.", unit="companies")
    ] = None
    AllPercentile: Annotated[
        str | None,
        meaning("Share of all companies with a lower score, equal ones counting half, as text.", unit=PER_CENT),
    ] = None
    IndCompSector: Annotated[str | None, meaning("Letter of the section of SIC 2007.", example="J")] = None
    IndNumberSector: Annotated[
        str | None,
        meaning("Companies of the section in the last scoring run, as text.", unit="companies", example="310"),
    ] = None
    IndNumberLowerScore: Annotated[
        str | None, meaning("Companies of the section with a lower score, as text.", unit="companies", example="228")
    ] = None
    IndNumberSameScore: Annotated[
        str | None, meaning("Companies of the section with the same score, as text.", unit="companies", example="8")
    ] = None
    IndNumberHigherScore: Annotated[
        str | None, meaning("Companies of the section with a higher score, as text.", unit="companies", example="74")
    ] = None
    IndPercentile: Annotated[
        str | None,
        meaning(
            "Share of the section with a lower score, equal ones counting half, as text.", unit=PER_CENT, example="75"
        ),
    ] = None


class AveragesOfAll(msgspec.Struct, frozen=True):
    """`ArrayOfString`: averages on the days of `ScoreHistoryDate`; only the last run is stored."""

    AllHistoricalAverageDelphiScore: Annotated[
        tuple[str, ...], meaning("Average scores of all companies, newest first, as texts.", unit="points")
    ]


class AverageScores(msgspec.Struct, frozen=True, omit_defaults=True):
    """`SectorScore`: averages over the same companies, at the last run; odds are those of the average score."""

    RecentSnapshotDate: Annotated[str, meaning("Day of the last scoring run.")]
    AllCompGroup: Annotated[str | None, meaning("The group of all companies.", values=GROUPS)] = None
    AllAverageDelphiScore: Annotated[str | None, meaning("Average score of all companies, as text.", unit="points")] = (
        None
    )
    AllAverageStabilityOdds: Annotated[str | None, meaning("Odds of that average score, as `n:1`.")] = None
    AllHistoricalScore: Annotated[AveragesOfAll | None, meaning("Earlier average scores of all companies.")] = None
    ScoreHistoryDate: Annotated[tuple[str, ...], meaning("The days of the average scores, newest first.")] = ()
    IndCompSector: Annotated[str | None, meaning("Letter of the section of SIC 2007.", example="J")] = None
    IndAverageDelphiScore: Annotated[
        str | None, meaning("Average score of the section, as text.", unit="points", example="61")
    ] = None
    IndAverageStabilityOdds: Annotated[
        str | None, meaning("Odds of that average score, as `n:1`.", example="226:1")
    ] = None


class GroupsCompared(msgspec.Struct, frozen=True, omit_defaults=True):
    """`Sectors`: the groups that a company is compared within; the sector is the section of SIC 2007."""

    AllCompGroup: Annotated[str | None, meaning("The group of all companies.", values=GROUPS)] = None
    AllCompGroupName: Annotated[str | None, meaning("The group in words.")] = None
    IndCompGroupSector: Annotated[str | None, meaning("The letter of the section of SIC 2007.", example="J")] = None
    IndCompGroupSectorName: Annotated[
        str | None, meaning("The section in words.", example="Information and communication")
    ] = None


class LtdCommercialDelphiHistory(msgspec.Struct, frozen=True, omit_defaults=True):
    """Earlier scores, rank and averages, from our own scoring runs."""

    CompanyHistory: Annotated[ScoresOfCompany, meaning("The present and the earlier scores of the company.")]
    SectorRanking: Annotated[
        RankAmongOthers | None, meaning("The rank of the company among all companies and in its section.")
    ] = None
    SectorScore: Annotated[AverageScores | None, meaning("Average scores of the same companies.")] = None
    Sectors: Annotated[GroupsCompared | None, meaning("The groups that the company is compared within.")] = None
