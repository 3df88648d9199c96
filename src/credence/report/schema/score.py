"""The score with every point and the suggested limit (members of `Assessment`, D21)."""

import datetime as dt
from typing import Annotated

import msgspec

from credence.meanings import meaning
from credence.report.schema.codes import BANDS, LAYERS, ORIGINS


class LineInput(msgspec.Struct, frozen=True):
    """One of the two factors of a line about a pair."""

    Code: Annotated[str, meaning("Code of the factor.")]
    Words: Annotated[str, meaning("The factor in words.")]
    Value: Annotated[float, meaning("Its value.")]


class ScoreLine(msgspec.Struct, frozen=True, omit_defaults=True):
    """One line of the score, in the order of addition.

    `Layer` is base, ratios, conduct, legal or scale; `Origin` is fitted or expert-set for a factor. `AsOf` is the day of the
    fact, to which `Sentence` refers. A line about two factors together names both in `Inputs` and has no `Value`.
    """

    Layer: Annotated[str, meaning("The step of the score.", values=LAYERS)]
    Code: Annotated[str, meaning("Code of the line.")]
    Words: Annotated[str, meaning("The line in words.")]
    Points: Annotated[int, meaning("Points of the line; the points of all lines add up to the score.", unit="points")]
    Sentence: Annotated[str, meaning("What the line says about the company.")] = ""
    Value: Annotated[float | None, meaning("The value that gave the points.")] = None
    Unit: Annotated[str, meaning("Unit of the value.")] = ""
    Origin: Annotated[str, meaning("How the points of a factor were found.", values=ORIGINS)] = ""
    AsOf: Annotated[dt.date | None, meaning("Day of the fact.")] = None
    Inputs: Annotated[tuple[LineInput, ...], meaning("Both factors of a line about a pair, which has no `Value`.")] = ()


class ScoreReason(msgspec.Struct, frozen=True):
    """A legal rule or a scored factor as a reason; legal rules come first, then the largest points."""

    Code: Annotated[str, meaning("Code of the line.")]
    Sentence: Annotated[str, meaning("The reason in a sentence.")]
    Points: Annotated[int, meaning("Its points.", unit="points")]


class UnknownFactor(msgspec.Struct, frozen=True):
    """A factor with an unknown value: it gives no points; `Worst` and `Best` are the points it could give."""

    Code: Annotated[str, meaning("Code of the factor.")]
    Words: Annotated[str, meaning("The factor in words.")]
    Worst: Annotated[int, meaning("The fewest points that it could give.", unit="points")]
    Best: Annotated[int, meaning("The most points that it could give.", unit="points")]


class ScoreNote(msgspec.Struct, frozen=True):
    """An input that was left out, and why."""

    Code: Annotated[str, meaning("Code of the note.")]
    Sentence: Annotated[str, meaning("The input that was left out, and why.")]


class ScoreInput(msgspec.Struct, frozen=True):
    """One input of the score and its day."""

    Input: Annotated[str, meaning("The input in words.")]
    Day: Annotated[dt.date, meaning("Its day.")]


class LimitTerm(msgspec.Struct, frozen=True, omit_defaults=True):
    """One term of the minimum behind the limit, in pounds; the amount of an unknown term is absent."""

    Words: Annotated[str, meaning("The term in words.")]
    Amount: Annotated[int | None, meaning("Its amount; absent if unknown.", unit="pounds")] = None


class SuggestedLimit(msgspec.Struct, frozen=True, omit_defaults=True):
    """The credit that one supplier might extend, in pounds, its reason, and the payment terms."""

    Reason: Annotated[str, meaning("How the limit follows from its terms.")]
    SuggestedTerms: Annotated[
        str,
        meaning("The strictest payment terms of band and reservations, such as 30 days; `Prepaid` if the limit is 0."),
    ]
    Amount: Annotated[int | None, meaning("The limit; absent if it cannot be computed.", unit="pounds")] = None
    Terms: Annotated[tuple[LimitTerm, ...], meaning("The terms, of which the smallest counts.")] = ()


class ScoringModel(msgspec.Struct, frozen=True):
    """The scoring model; the hash is the SHA-256 of all its tables."""

    Name: Annotated[str, meaning("Name of the model.")]
    Version: Annotated[str, meaning("Version of the model.")]
    Hash: Annotated[str, meaning("SHA-256 of all its tables.")]
    Card: Annotated[str, meaning("Path of the model card at this service.")]
    """Path of the model card at the service."""


class Scored(msgspec.Struct, frozen=True, omit_defaults=True):
    """A score and all its parts: the points of `Lines` add up to `Score`.

    `Lowest` and `Highest` are the score with every unknown factor at its worst and its best, wider for old accounts.
    `Day` is the day of the newest fact that was judged: of the register's snapshot, or of what is newer than it.
    `ProbabilityOfFailure` is a share, within one year of `Day`; a company that has failed has none.
    """

    Score: Annotated[int, meaning("The score from 0 (failed) to 100 (lowest risk).", unit="points")]
    Lowest: Annotated[int, meaning("The score with every unknown factor at its worst.", unit="points")]
    Highest: Annotated[int, meaning("The score with every unknown factor at its best.", unit="points")]
    Band: Annotated[str, meaning("The band of the score.", values=BANDS)]
    BandText: Annotated[str, meaning("The band in words.")]
    Failed: Annotated[bool, meaning("Whether the company has failed, which sets the score to 0.")]
    Day: Annotated[dt.date, meaning("Day of the newest fact that was judged.")]
    Lines: Annotated[tuple[ScoreLine, ...], meaning("Every line of the score, in the order of addition.")]
    Limit: Annotated[SuggestedLimit, meaning("The suggested limit.")]
    Model: Annotated[ScoringModel, meaning("The model.")]
    HumanReview: Annotated[str, meaning("What a person must do before a decision against the company.")]
    Contest: Annotated[str, meaning("What the company may do about this report.")]
    ProbabilityOfFailure: Annotated[
        float | None,
        meaning(
            "Probability of failure within one year of `Day`, as a share from 0 to 1; absent for a company that has failed."
        ),
    ] = None
    ProbabilityInWords: Annotated[
        str | None,
        meaning(
            "The same in words, compared with the national rate.",
            example="1 of 1,000 such companies fails within a year (1 in 770), a quarter of the national rate",
        ),
    ] = None
    IntervalInWords: Annotated[
        str | None, meaning("What the interval contains; absent for a company that has failed.")
    ] = None
    Reasons: Annotated[
        tuple[ScoreReason, ...], meaning("The reasons: legal rules first, then the largest points.")
    ] = ()
    Unknown: Annotated[tuple[UnknownFactor, ...], meaning("Factors with an unknown value, which give no points.")] = ()
    Notes: Annotated[tuple[ScoreNote, ...], meaning("Inputs that were left out, and why.")] = ()
    Inputs: Annotated[tuple[ScoreInput, ...], meaning("The inputs of the score, each with its day.")] = ()


class NotScored(msgspec.Struct, frozen=True, omit_defaults=True):
    """The reason why there is no score, which is neither good nor bad. `Day` is the day of the newest input."""

    Code: Annotated[str, meaning("Code of the reason.")]
    Reason: Annotated[str, meaning("Why there is no score, which is neither good nor bad.")]
    Day: Annotated[dt.date, meaning("Day of the newest input.")]
    Model: Annotated[ScoringModel, meaning("The model.")]
    ToLoad: Annotated[
        str | None,
        meaning(
            "What to load for a score; absent if nothing that can be loaded gives one.",
            example="A snapshot of the register (credence data load register) with this company.",
        ),
    ] = None
