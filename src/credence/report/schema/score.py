"""The score with every point, the suggested limit, and the published models beside it: ours, under `Assessment` (D21)."""

import datetime as dt

import msgspec


class ScoreLine(msgspec.Struct, frozen=True, omit_defaults=True):
    """One summand of the score, in the order in which they are added.

    `Layer` is base, ratios, conduct, legal or scale; `Origin` says whether a factor's points are fitted or expert-set.
    """

    Layer: str
    Code: str
    Words: str
    Points: int
    Sentence: str = ""
    Value: float | None = None
    Unit: str = ""
    Origin: str = ""


class ScoreReason(msgspec.Struct, frozen=True):
    """A scored factor or a legal rule as a reason; the weightiest first, legal rules before all."""

    Code: str
    Sentence: str
    Points: int


class UnknownFactor(msgspec.Struct, frozen=True):
    """A factor whose value is not known: it gave no points, and might have given these."""

    Code: str
    Words: str
    Worst: int
    Best: int


class ScoreNote(msgspec.Struct, frozen=True):
    """Something that was left aside, and why."""

    Code: str
    Sentence: str


class LimitTerm(msgspec.Struct, frozen=True, omit_defaults=True):
    """One term of the minimum that sets the limit, in pounds; the amount of an unknown one is absent."""

    Words: str
    Amount: int | None = None


class SuggestedLimit(msgspec.Struct, frozen=True, omit_defaults=True):
    """What one supplier might have outstanding, in pounds, how it came about, and the payment terms of the band."""

    Reason: str
    SuggestedTerms: str
    Amount: int | None = None
    Terms: tuple[LimitTerm, ...] = ()


class ScoringModel(msgspec.Struct, frozen=True):
    """The model that scored; the hash is the SHA-256 of all its tables."""

    Name: str
    Version: str
    Hash: str
    Card: str
    """Where the model card stands in the project."""


class Scored(msgspec.Struct, frozen=True, omit_defaults=True):
    """A score and everything it was made of: the points of `Lines` add up to `Score`.

    `Lowest` and `Highest` are the score with every unknown factor at its worst and its best, wider for old accounts.
    `Day` is the day of the newest fact that was judged: of the register's snapshot, or of what is newer than it.
    `ProbabilityOfFailure` is a share, within one year of `Day`; a company that has failed has none.
    """

    Score: int
    Lowest: int
    Highest: int
    Band: str
    BandText: str
    Failed: bool
    Day: dt.date
    Lines: tuple[ScoreLine, ...]
    Limit: SuggestedLimit
    Model: ScoringModel
    HumanReview: str
    Contest: str
    ProbabilityOfFailure: float | None = None
    Reasons: tuple[ScoreReason, ...] = ()
    Unknown: tuple[UnknownFactor, ...] = ()
    Notes: tuple[ScoreNote, ...] = ()


class NotScored(msgspec.Struct, frozen=True):
    """Why there is no score; a valid answer, and neither a good nor a bad one. `Day` is that of the newest fact judged."""

    Code: str
    Reason: str
    Day: dt.date
    Model: ScoringModel
