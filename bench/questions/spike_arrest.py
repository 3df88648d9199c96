"""What does spike arrest cost (D16)? The other questions are asked without it, because a load generator is a spike.

One application is counted under a limit that no load here reaches, the other is not counted. Both read one report.
"""

from collections.abc import Iterator

from bench.deployment import credence
from bench.load import press
from bench.loads import one_report
from bench.measurement import Measurement
from bench.rounds import Plan, take_turns


def ask(plan: Plan) -> Iterator[Measurement]:
    """Yield reports per second with spike arrest on, beside the same without it."""
    deployment = plan.deployment
    with credence(deployment.folder) as ours:
        counted = one_report(deployment, deployment.clients["counted"], ours)
        uncounted = one_report(deployment, deployment.clients["ES256"], ours)
        figures, beside = take_turns(
            plan,
            lambda seconds: press(ours, counted, seconds),
            lambda seconds: press(ours, uncounted, seconds),
        )
    yield Measurement("report, counted by spike arrest", "per second", figures, beside, "spike arrest off")
