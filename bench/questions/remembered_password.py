"""How many password grants a second when the password was verified a moment ago (spec §5.2)?

Existing clients ask for a new token by password far more often than they refresh. Each grant is one durable commit and
one signature; Argon2 is not part of it. The server logs in once before, to remember.
"""

from collections.abc import Iterator
from functools import partial

from bench.loads import login, token_answer
from bench.measurement import Measurement, Target
from bench.rounds import Plan, beside_bare

TARGETS = {"ES256": Target(4_000), "RS256": Target(2_500)}


def ask(plan: Plan) -> Iterator[Measurement]:
    """Yield grants per second for each way of signing."""
    deployment = plan.deployment
    for algorithm, target in TARGETS.items():
        client = deployment.clients[algorithm]
        load, sample = partial(login, deployment, client), partial(token_answer, deployment, client)
        yield beside_bare(plan, f"remembered password, {algorithm}", load, sample, target)
