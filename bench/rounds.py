"""Runs ours and something simpler in turn, so that whatever else the machine does meanwhile falls on both."""

from collections.abc import Callable
from dataclasses import dataclass

from bench.deployment import Deployment, bare, credence
from bench.load import Load, press
from bench.measurement import Figure, Measurement, Target
from bench.process import Server


@dataclass(frozen=True, slots=True)
class Plan:
    """What is measured, for how many seconds a run, in how many rounds of one run each."""

    deployment: Deployment
    seconds: float
    rounds: int


Run = Callable[[float], Figure]
"""Given seconds, one run."""


def beside_bare(
    plan: Plan, name: str, prepare: Callable[[Server], Load], sample: Callable[[Server], bytes], target: Target
) -> Measurement:
    """Put a load on ours and on the bare server in turn and return requests per second.

    `prepare` is given our server before each run and returns the load; `sample` returns the body that the bare server
    answers with, as ours would.
    """
    deployment = plan.deployment
    with credence(deployment.folder, **deployment.variables) as ours, bare(deployment.folder, sample(ours)) as constant:
        figures, beside = take_turns(
            plan,
            lambda seconds: press(ours, prepare(ours), seconds),
            lambda seconds: press(constant, prepare(ours), seconds),
        )
    return Measurement(name, "per second", figures, beside, target=target)


def take_turns(plan: Plan, ours: Run, beside: Run) -> tuple[tuple[Figure, ...], tuple[Figure, ...]]:
    """Return the figures of ours and of what runs beside it, after a second of each that does not count."""
    beside(1)
    ours(1)
    pairs = [(beside(plan.seconds), ours(plan.seconds)) for _ in range(plan.rounds)]
    return tuple(own for _, own in pairs), tuple(other for other, _ in pairs)
