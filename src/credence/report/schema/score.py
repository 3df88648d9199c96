"""The score with every point and the suggested limit (members of `Assessment`, D21)."""

import datetime as dt

import msgspec


class ScoreLine(msgspec.Struct, frozen=True, omit_defaults=True):
    """One line of the score, in the order of addition.

    `Layer` is base, ratios, conduct, legal or scale; `Origin` is fitted or expert-set for a factor. `AsOf` is the day of the
    fact, to which `Sentence` refers.
    """

    Layer: str
    Code: str
    Words: str
    Points: int
    Sentence: str = ""
    Value: float | None = None
    Unit: str = ""
    Origin: str = ""
    AsOf: dt.date | None = None


class ScoreReason(msgspec.Struct, frozen=True):
    """A legal rule or a scored factor as a reason; legal rules come first, then the largest points."""

    Code: str
    Sentence: str
    Points: int


class UnknownFactor(msgspec.Struct, frozen=True):
    """A factor with an unknown value: it gives no points; `Worst` and `Best` are the points it could give."""

    Code: str
    Words: str
    Worst: int
    Best: int


class ScoreNote(msgspec.Struct, frozen=True):
    """An input that was left out, and why."""

    Code: str
    Sentence: str


class ScoreInput(msgspec.Struct, frozen=True):
    """One input of the score and its day."""

    Input: str
    Day: dt.date


class LimitTerm(msgspec.Struct, frozen=True, omit_defaults=True):
    """One term of the minimum behind the limit, in pounds; the amount of an unknown term is absent."""

    Words: str
    Amount: int | None = None


class SuggestedLimit(msgspec.Struct, frozen=True, omit_defaults=True):
    """The credit that one supplier might extend, in pounds, its reason, and the payment terms of the band."""

    Reason: str
    SuggestedTerms: str
    Amount: int | None = None
    Terms: tuple[LimitTerm, ...] = ()


class ScoringModel(msgspec.Struct, frozen=True):
    """The scoring model; the hash is the SHA-256 of all its tables."""

    Name: str
    Version: str
    Hash: str
    Card: str
    """Path of the model card at the service."""


class Scored(msgspec.Struct, frozen=True, omit_defaults=True):
    """A score and all its parts: the points of `Lines` add up to `Score`.

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
    Inputs: tuple[ScoreInput, ...] = ()


class NotScored(msgspec.Struct, frozen=True):
    """The reason why there is no score, which is neither good nor bad. `Day` is the day of the newest input."""

    Code: str
    Reason: str
    Day: dt.date
    Model: ScoringModel
