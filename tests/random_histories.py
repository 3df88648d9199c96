"""How random histories are run: many of them, one after the other, over stores that all of them use."""

from collections.abc import Callable
from typing import TypeVar, cast

import hypothesis
from hypothesis import HealthCheck, settings
from hypothesis.stateful import RuleBasedStateMachine, run_state_machine_as_test

Place = TypeVar("Place")


def run_histories(
    history: Callable[[Place], RuleBasedStateMachine], place: Place, count: int, steps: int, seed: int | None = None
) -> None:
    """Run `count` histories of at most so many steps in one place; the same ones again with the same `seed`.

    The first that fails is made as short as can be, and said step by step.
    """

    def begin() -> RuleBasedStateMachine:
        return history(place)

    chosen = settings(
        max_examples=count,
        stateful_step_count=steps,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    # A function that returns a machine will do (Hypothesis's own words), though the type asks for a class.
    factory = cast("type[RuleBasedStateMachine]", begin if seed is None else hypothesis.seed(seed)(begin))
    run_state_machine_as_test(factory, settings=chosen)
