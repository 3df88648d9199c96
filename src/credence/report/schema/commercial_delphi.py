"""The score and earlier scores, all as text (report schema §3)."""

import msgspec


class LtdCommercialDelphi(msgspec.Struct, frozen=True, omit_defaults=True):
    """Score, band, limit and the principal reasons. A limit that cannot be computed is absent; "0" means no credit.

    `CreditLimit` (total exposure) and `CreditRating` (credit of a month) are equal: with 30-day terms the supplies of one
    month are owed at a time (docs/report.md).
    """

    CommDelphiScore: str
    CommDelphiBand: str
    CommDelphiBandText: str
    ConclusionText: str
    CreditLimit: str | None = None
    CreditRating: str | None = None
    StabilityOdds: str | None = None
    CreditTextLine1: str | None = None
    CreditTextLine2: str | None = None
    CreditTextLine3: str | None = None
    CreditTextLine4: str | None = None
    CreditTextLine5: str | None = None
    OverrideIndicator: str | None = None
    CreditLimitOverrideIndicator: str | None = None
    CreditRatingOverrideIndicator: str | None = None
    CreditTextOverrideIndicator: str | None = None


class ScoreHistory(msgspec.Struct, frozen=True, omit_defaults=True):
    """The score of an earlier scoring run; a limit that could not be computed is absent."""

    CommDelphiScore: str
    ScoreHistoryDate: str
    OverrideIndicator: str | None = None
    CreditLimitOverrideIndicator: str | None = None
    CreditRatingOverrideIndicator: str | None = None
    CreditLimit: str | None = None
    CreditRating: str | None = None


class ScoresOfCompany(msgspec.Struct, frozen=True, omit_defaults=True):
    """`CompanyHistory`: the present score, and the earlier ones, newest first."""

    ScoreHistoryCount: int
    CommDelphiScore: str | None = None
    CommDelphiBand: str | None = None
    CommDelphiBandText: str | None = None
    OverrideIndicator: str | None = None
    StabilityOdds: str | None = None
    ScoreHistory: tuple["ScoreHistory", ...] = ()


class RankAmongOthers(msgspec.Struct, frozen=True, omit_defaults=True):
    """`SectorRanking`: `All` for all companies of the last scoring run, `Ind` for those of the same section of SIC 2007.

    The percentile is the share of companies with a lower score; equal scores count half.
    """

    AllCompGroup: str | None = None
    AllNumberSector: str | None = None
    AllNumberLowerScore: str | None = None
    AllNumberSameScore: str | None = None
    AllNumberHigherScore: str | None = None
    AllPercentile: str | None = None
    IndCompSector: str | None = None
    IndNumberSector: str | None = None
    IndNumberLowerScore: str | None = None
    IndNumberSameScore: str | None = None
    IndNumberHigherScore: str | None = None
    IndPercentile: str | None = None


class AveragesOfAll(msgspec.Struct, frozen=True):
    """`ArrayOfString`: averages on the days of `ScoreHistoryDate`; only the last run is stored."""

    AllHistoricalAverageDelphiScore: tuple[str, ...]


class AverageScores(msgspec.Struct, frozen=True, omit_defaults=True):
    """`SectorScore`: averages over the same companies, at the last run; odds are those of the average score."""

    RecentSnapshotDate: str
    AllCompGroup: str | None = None
    AllAverageDelphiScore: str | None = None
    AllAverageStabilityOdds: str | None = None
    AllHistoricalScore: AveragesOfAll | None = None
    ScoreHistoryDate: tuple[str, ...] = ()
    IndCompSector: str | None = None
    IndAverageDelphiScore: str | None = None
    IndAverageStabilityOdds: str | None = None


class GroupsCompared(msgspec.Struct, frozen=True, omit_defaults=True):
    """`Sectors`: the groups that a company is compared within; the sector is the section of SIC 2007."""

    AllCompGroup: str | None = None
    AllCompGroupName: str | None = None
    IndCompGroupSector: str | None = None
    IndCompGroupSectorName: str | None = None


class LtdCommercialDelphiHistory(msgspec.Struct, frozen=True, omit_defaults=True):
    """Earlier scores, rank and averages, from our own scoring runs."""

    CompanyHistory: ScoresOfCompany
    SectorRanking: RankAmongOthers | None = None
    SectorScore: AverageScores | None = None
    Sectors: GroupsCompared | None = None
