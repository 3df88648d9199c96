"""The lines of a score and their sentences: each states a value in the past tense and its day (credit §10).

The facts of a report may be years old, so no sentence says that something *is* so. A factor without a sentence gets its
name and its value. The sentence of a factor is made when it is read: a run over all companies reads none.
"""

import datetime as dt
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Literal

import msgspec

from credence.clock import day_in_words
from credence.scoring.basis.day import DAYS_A_MONTH

_MINUS = "\u2212"
_YEARS_FROM_MONTHS = 24


class _Sentence(msgspec.Struct, frozen=True):
    """The forms of one sentence, with the placeholders `{value}`, `{of}` (`6% of` or `2.4 times`) and `{day}`."""

    positive: str
    negative: str = ""
    """The form for a value below zero, which is then shown without its sign; empty if `positive` is used."""
    nil: str = ""
    """The form for zero; empty if `positive` is used."""


_SENTENCES: Mapping[str, _Sentence] = {
    "working-capital": _Sentence(
        "Current assets exceeded short-term creditors by {of} total assets.",
        "Short-term creditors exceeded current assets by {of} total assets.",
    ),
    "current-ratio": _Sentence("Current assets covered {of} what was due within a year."),
    "quick-ratio": _Sentence("Current assets without stocks covered {of} what was due within a year."),
    "cash-ratio": _Sentence("Cash covered {of} what was due within a year."),
    "equity": _Sentence("Net assets were {of} total assets.", "Net liabilities were {of} total assets."),
    "reserves": _Sentence("Reserves were {of} total assets.", "The deficit on reserves was {of} total assets."),
    "current-liabilities": _Sentence("Short-term creditors were {of} total assets."),
    "later-liabilities": _Sentence("Liabilities other than short-term creditors were {of} total assets."),
    "current-assets": _Sentence("Current assets were {of} total assets."),
    "debtors": _Sentence("Debtors were {of} total assets.", nil="The balance sheet showed no debtors."),
    "stocks": _Sentence("Stocks were {of} total assets.", nil="The balance sheet showed no stocks."),
    "profit-before-tax": _Sentence(
        "The profit before tax was {of} total assets.", "The loss before tax was {of} total assets."
    ),
    "operating-profit": _Sentence(
        "The operating profit was {of} total assets.", "The operating loss was {of} total assets."
    ),
    "profit-to-creditors": _Sentence(
        "The profit before tax covered {of} what was due within a year.",
        "The loss before tax was {of} what was due within a year.",
    ),
    "turnover": _Sentence("Turnover was {of} total assets."),
    "change-in-net-assets": _Sentence(
        "Net assets rose by {of} total assets in the year to {day}.",
        "Net assets fell by {of} total assets in the year to {day}.",
        "Net assets did not change in the year to {day}.",
    ),
    "age": _Sentence("The company had been on the register for {value}."),
    "accounts-overdue": _Sentence(
        "The accounts were {value} overdue on {day}.", nil="The accounts were not overdue on {day}."
    ),
    "confirmation-overdue": _Sentence(
        "The confirmation statement was {value} overdue on {day}.",
        nil="The confirmation statement was not overdue on {day}.",
    ),
    "charges": _Sentence(
        "Charges outstanding on {day}, which rank before a trade creditor: {value}.",
        nil="No charge over the company's property was outstanding on {day}.",
    ),
    "names-given-up": _Sentence(
        "Names given up in the two years to {day}: {value}.", nil="The company kept its name in the two years to {day}."
    ),
}
"""Factor code -> its sentence."""


@lru_cache(maxsize=4096)
def sentence(code: str, words: str, unit: str, value: float, day: dt.date) -> str:
    """Return the sentence about a factor's value; `words` is the factor's name, `day` that of the fact.

    Sentences are cached, because companies of one register share the day and many values, such as no day overdue.
    """
    forms = _SENTENCES.get(code) or _Sentence(f"{words}: {{value}}.")
    chosen = forms.nil if forms.nil and value == 0 else forms.negative if forms.negative and value < 0 else ""
    shown = abs(value) if chosen else value
    form = chosen or forms.positive
    # Each sentence has one or two of the placeholders, and a report has twenty sentences.
    return form.format(
        value=in_words(unit, shown, day) if "{value}" in form else "",
        of=_share_of(shown) if "{of}" in form else "",
        day=day_in_words(day) if "{day}" in form else "",
    )


def pair_sentence(words: str, points: int) -> str:
    """Return the sentence about a pair: its name and its points, as "Net assets and reserves, together: +2."."""
    return f"{words}: {_MINUS if points < 0 else '+'}{abs(points)}."


def in_words(unit: str, value: float, day: dt.date) -> str:
    """Return a value with its unit: `6%`, `2.40`, `14 months`, `8 years`, `1 day`; `day` is that of the fact."""
    return _months(value, day) if unit == "months" else _FORMATS[unit](value)


def _share_of(value: float) -> str:
    return f"{_per_cent(value)} of" if abs(value) < 2 else f"{value:,.1f} times"


def _per_cent(value: float) -> str:
    size = abs(value) * 100
    if 0 < size < 0.05:
        return "less than 0.1%"
    text = f"{size:.0f}" if size >= 9.95 else f"{size:.1f}".removesuffix(".0")
    return f"{_MINUS if value < 0 else ''}{text}%"


def _months(value: float, day: dt.date) -> str:
    """Return months, from two years on whole years by the calendar, so that all places of a report show the same age."""
    if value >= _YEARS_FROM_MONTHS:
        start = day - dt.timedelta(days=round(value * DAYS_A_MONTH))
        return f"{day.year - start.year - ((day.month, day.day) < (start.month, start.day))} years"
    months = int(value)
    return "1 month" if months == 1 else f"{months} months"


def _days(value: float) -> str:
    return "1 day" if value == 1 else f"{value:,.0f} days"


def _number(value: float) -> str:
    return f"{_MINUS if value < 0 else ''}{abs(value):,.2f}"


_FORMATS: Mapping[str, Callable[[float], str]] = {
    "ratio": _number,
    "share": _per_cent,
    "days": _days,
    "count": lambda value: f"{value:,.0f}",
}
"""Unit of a factor -> format of its values; months are formatted by `_months`."""


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
