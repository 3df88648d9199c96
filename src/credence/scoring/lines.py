"""The lines of a score: its summands.

The sentence of a factor is made when it is read: a run over all companies reads none.
"""

import datetime as dt
from typing import Literal

import msgspec

from credence.scoring.sentences import pair_sentence, sentence

Layer = Literal["base", "ratios", "conduct", "legal", "judgement", "scale"]


class Input(msgspec.Struct, frozen=True):
    """One of the two factors of a pair, with its value."""

    code: str
    words: str
    value: float


class Line(msgspec.Struct, frozen=True):
    """One summand of a score."""

    layer: Layer
    code: str
    words: str
    points: int
    said: str = ""
    """The sentence of a line that is no factor."""
    value: float | None = None
    unit: str = ""
    origin: str = ""
    """`fitted` or `expert-set`, for a factor."""
    day: dt.date | None = None
    """The day of the fact; None if the line is not about one fact."""
    inputs: tuple[Input, ...] = ()
    """Both factors of a pair."""

    @property
    def sentence(self) -> str:
        """What the line says about the company."""
        if self.inputs:
            return pair_sentence(self.words, self.points)
        if self.value is None or self.day is None or not self.origin:
            return self.said
        return sentence(self.code, self.words, self.unit, self.value, self.day)
