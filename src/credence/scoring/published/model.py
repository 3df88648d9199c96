"""A published model as a value, and its outcome for one period of accounts (credit §6)."""

from collections.abc import Callable, Mapping

import msgspec

from credence.companies.annual import LEAST_DAYS
from credence.scoring.published.inputs import OF_THE_YEAR, Input

Lines = Mapping[str, float]
"""Name of an input in the report -> its value."""


class Verdict(msgspec.Struct, frozen=True):
    """The zone of a value; None when the authors of the model define no zones."""

    zone: str | None
    probability: float | None = None
    """Probability of failure within a year in the authors' sample; most models give none."""


class Model(msgspec.Struct, frozen=True, kw_only=True):
    """One model as its authors published it."""

    name: str
    source: str
    formula: str
    meant_for: str
    zones: str
    needs: tuple[str, ...]
    """Inputs, in the order of the report."""
    positive: tuple[str, ...]
    """The inputs that must be above zero, because the formula divides by them."""
    value: Callable[[Lines], float] | None = None
    """The formula; None for a model that is never computed."""
    verdict: Callable[[float, Lines], Verdict] = lambda _value, _lines: Verdict(None)
    never: tuple[str, ...] = ()
    """Inputs that no filing contains."""


class ModelOutcome(msgspec.Struct, frozen=True):
    """The value of a model, or in `not_computable` the reason why it has none."""

    model: Model
    inputs: tuple[Input, ...]
    value: float | None = None
    verdict: Verdict | None = None
    not_computable: str = ""


def evaluate(model: Model, known: Mapping[str, Input], *, as_filed: bool) -> ModelOutcome:
    """Return the outcome of a model on the known inputs of a year, `as_filed` or brought from a period of another length."""
    inputs = tuple([known[words] for words in model.needs if words in known])
    missing = [words for words in model.needs if words not in known]
    missing += [f"{each.words} above zero" for each in inputs if each.words in model.positive and each.value <= 0]
    if not as_filed and OF_THE_YEAR & set(missing):
        missing.append(f"a profit and loss account of at least {LEAST_DAYS} days")
    missing += model.never
    if missing or model.value is None:
        return ModelOutcome(model, inputs, not_computable=f"Missing: {', '.join(missing)}.")
    lines = {each.words: each.value for each in inputs}
    value = model.value(lines)
    return ModelOutcome(model, inputs, value, model.verdict(value, lines))
