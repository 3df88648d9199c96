"""How much a sweep tries: in `make test` a little, the same each time; in `make test-long` much more, by chance.

A sweep is a test of many generated inputs: a property (Hypothesis), or a sample of a product of cases.
"""

import os
import random
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers
from hypothesis.internal.constants_ast import Constants

LONG = bool(os.environ.get("CREDENCE_TEST_LONG"))
"""Whether this run is one of `make test-long`, which sets the variable."""

FACTOR = 25
"""How many times as much a long run tries."""

EXAMPLES, EXAMPLES_OF_A_LONG_RUN = 25, 2_500
"""Of each property that has no number of its own."""

SEED = None if LONG else 1
"""The seed of what is drawn by chance; None: another one each time."""

Case = TypeVar("Case")
Test = TypeVar("Test", bound=Callable[..., Any])


def many(count: int, long: int | None = None) -> int:
    """Return how many to try: `count` in `make test`, in a long run `long`, without which it is `FACTOR` times as many."""
    if not LONG:
        return count
    return count * FACTOR if long is None else long


def sweep(count: int, long: int | None = None) -> Callable[[Test], Test]:
    """Let a property be tried on as many examples as `many` returns."""
    chosen = settings(
        max_examples=many(count, long),
        deadline=None,
        database=None,
        derandomize=not LONG,
        suppress_health_check=list(HealthCheck),
    )

    def mark(test: Test) -> Test:
        marked: Test = pytest.mark.sweep(chosen(test))
        return marked

    return mark


def sample(cases: Sequence[Case], count: int) -> list[Case]:
    """Return so many of the cases, always the same ones; all of them in a long run."""
    return list(cases) if LONG or count >= len(cases) else random.Random(count).sample(cases, count)


def load_profile() -> None:
    """Let every other property be tried on the same examples each time, and in a long run on many, by chance.

    Hypothesis also draws the constants of our source, which change with it, and to find them it parses every file in each
    process; so only a long run does.
    """
    if not LONG:
        providers._get_local_constants = Constants  # it has no setting for this
    settings.register_profile("gate", max_examples=EXAMPLES, derandomize=True, deadline=None, database=None)
    settings.register_profile("long", max_examples=EXAMPLES_OF_A_LONG_RUN, deadline=None, database=None)
    settings.load_profile("long" if LONG else "gate")
