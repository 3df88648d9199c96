"""How many credit reports can be read a second with a token that is bound to a key (RFC 9449)?

Each request has a proof of its own, whose signature by a P-256 key is verified; nothing of that can be remembered.
"""

from collections.abc import Iterator
from functools import partial

from bench.loads import report_answer
from bench.measurement import Measurement, Target
from bench.proofs import bound_report
from bench.rounds import Plan, beside_bare

TARGET = Target(6_000)


def ask(plan: Plan) -> Iterator[Measurement]:
    """Yield reports per second."""
    deployment = plan.deployment
    client = deployment.clients["ES256"]
    sample = partial(report_answer, deployment, client)
    yield beside_bare(plan, "bound report", partial(bound_report, deployment, client, plan.seconds), sample, TARGET)
