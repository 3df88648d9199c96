"""How many summaries of a company can agents read a second, on one core (Model Context Protocol 2025-11-25)?

Each call proves its access token, finds the report in the cache, makes every text inert and writes the answer twice: as
structure and as text.
"""

from collections.abc import Iterator
from functools import partial

from bench.loads import agent_answer, agents
from bench.measurement import Measurement, Target
from bench.rounds import Plan, beside_bare

TARGET = Target(1_000)


def ask(plan: Plan) -> Iterator[Measurement]:
    """Yield answers per second to `company_summary`."""
    deployment = plan.deployment
    client = deployment.clients["alone"]
    load, sample = partial(agents, deployment, client), partial(agent_answer, deployment, client)
    yield beside_bare(plan, "agents", load, sample, TARGET)
