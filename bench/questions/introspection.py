"""How many times a second can be asked whether an access token is good (RFC 7662)?

Each question proves its application by its secret, and is answered from memory.
"""

from collections.abc import Iterator
from functools import partial

from bench.loads import introspection_answer, introspections
from bench.measurement import Measurement, Target
from bench.rounds import Plan, beside_bare

TARGET = Target(15_000)


def ask(plan: Plan) -> Iterator[Measurement]:
    """Yield answers per second about live tokens."""
    deployment = plan.deployment
    client = deployment.clients["ES256"]
    load, sample = partial(introspections, deployment, client), partial(introspection_answer, deployment, client)
    yield beside_bare(plan, "introspection", load, sample, TARGET)
