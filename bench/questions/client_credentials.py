"""How many tokens a second can applications get for themselves (RFC 6749 §4.4)?

Each is one signature in a form; nothing is stored.
"""

from collections.abc import Iterator
from functools import partial

from bench.loads import alone, alone_answer
from bench.measurement import Measurement, Target
from bench.rounds import Plan, beside_bare

TARGET = Target(4_000)


def ask(plan: Plan) -> Iterator[Measurement]:
    """Yield tokens per second, signed with ES256."""
    deployment = plan.deployment
    client = deployment.clients["alone"]
    load, sample = partial(alone, deployment, client), partial(alone_answer, deployment, client)
    yield beside_bare(plan, "client credentials, ES256", load, sample, TARGET)
