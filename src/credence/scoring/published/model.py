"""A published model as a value, and what it says of one period of accounts (credit §6)."""

from collections.abc import Callable, Mapping

import msgspec

from credence.companies.facts.accounts import Period
from credence.scoring.published.lines import OF_THE_YEAR, Input, read

Lines = Mapping[str, float]
"""The words of a line -> its value."""

ONE_YEAR = range(350, 381)
"""Days of a profit and loss account that counts as one of a year; 52 and 53 weeks and a moved year end among them."""


class Verdict(msgspec.Struct, frozen=True):
    """What a value means. The zone is None where the model's authors draw none."""

    zone: str | None
    probability: float | None = None
    """Of failure within a year in the authors' sample, which is not ours; most models give none."""


class Model(msgspec.Struct, frozen=True, kw_only=True):
    """One model as its authors published it."""

    name: str
    source: str
    formula: str
    meant_for: str
    zones: str
    needs: tuple[str, ...]
    """Lines of `lines.py`, in the order in which a reader sees them."""
    positive: tuple[str, ...]
    """Those of them that it divides by."""
    value: Callable[[Lines], float] | None = None
    """None of a model that `never` keeps from being computed."""
    verdict: Callable[[float, Lines], Verdict] = lambda _value, _lines: Verdict(None)
    never: tuple[str, ...] = ()
    """Inputs that no filing gives."""


class Outcome(msgspec.Struct, frozen=True):
    """What a model says, or why it says nothing: `value` is there or `not_computable` is."""

    model: Model
    inputs: tuple[Input, ...]
    value: float | None = None
    verdict: Verdict | None = None
    not_computable: str = ""


def judge(model: Model, period: Period) -> Outcome:
    """Return what the model says of a period."""
    found = {words: read(period.figures, words) for words in model.needs}
    inputs = tuple(each for each in found.values() if each is not None)
    missing = [words for words, line in found.items() if line is None]
    missing += [f"{each.words} above zero" for each in inputs if each.words in model.positive and each.value <= 0]
    if not _of_one_year(period) and any(each.words in OF_THE_YEAR for each in inputs):
        missing.append("a profit and loss account of one year")
    missing += model.never
    if missing or model.value is None:
        return Outcome(model, inputs, not_computable=f"Missing: {', '.join(missing)}.")
    lines = {each.words: each.value for each in inputs}
    value = model.value(lines)
    return Outcome(model, inputs, value, model.verdict(value, lines))


def _of_one_year(period: Period) -> bool:
    """Return whether the period is a year; one whose beginning is not told is taken for a year, the usual span."""
    return period.start is None or (period.end - period.start).days + 1 in ONE_YEAR
