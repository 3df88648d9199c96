"""What does spike arrest cost (D16)? The other questions are asked without it, because a load generator is a spike.

One server counts by application, account and address under limits that no load here reaches, the other counts nothing.
Both serve the same deployment and read one report.
"""

import shutil
from collections.abc import Iterator
from dataclasses import replace

from bench.deployment import credence
from bench.load import press
from bench.loads import one_report
from bench.measurement import Measurement, Target
from bench.rounds import Plan, take_turns

NEVER_REACHED = "10000000"
"""A minute."""

TARGET = Target(0.9, about="ratio")


def ask(plan: Plan) -> Iterator[Measurement]:
    """Yield reports per second with spike arrest on, beside the same without it."""
    deployment = plan.deployment
    copy = deployment.folder / "counted"
    shutil.copytree(deployment.folder / "data", copy / "data")
    limits = {f"CREDENCE_SPIKE_{kind}_PER_MINUTE": NEVER_REACHED for kind in ("ACCOUNT", "ADDRESS")}
    with credence(deployment.folder) as free, credence(copy, **limits) as counting:
        counted = one_report(replace(deployment, folder=copy), deployment.clients["counted"], counting)
        uncounted = one_report(deployment, deployment.clients["ES256"], free)
        figures, beside = take_turns(
            plan,
            lambda seconds: press(counting, counted, seconds),
            lambda seconds: press(free, uncounted, seconds),
        )
    yield Measurement("report, counted by spike arrest", "per second", figures, beside, "spike arrest off", TARGET)
