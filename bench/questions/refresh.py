"""How many refresh tokens can be rotated a second (spec §5.6, D7)?

Each rotation is one durable commit and one signature. Every token is used once, as real clients do.
"""

from collections.abc import Iterator
from functools import partial

from bench.loads import rotation, token_answer
from bench.measurement import Measurement, Target
from bench.rounds import Plan, beside_bare

TARGETS = {"ES256": Target(5_000), "RS256": Target(2_500)}


def ask(plan: Plan) -> Iterator[Measurement]:
    """Yield rotations per second for each way of signing."""
    deployment = plan.deployment
    for algorithm, target in TARGETS.items():
        client = deployment.clients[algorithm]
        load, sample = partial(rotation, deployment, client), partial(token_answer, deployment, client)
        yield beside_bare(plan, f"refresh, {algorithm}", load, sample, target)
