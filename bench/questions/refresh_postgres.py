"""How many refresh tokens can be rotated a second over PostgreSQL (spec §5.6, D7)?

As `refresh`, but each durable commit is another server's, which shares its core with the load generator: so neither has what
it would have on a machine of its own, and the figures are low rather than high. `fsync` is on.
"""

import os
from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from bench.deployment import deploy
from bench.loads import rotation, token_answer
from bench.measurement import Measurement, Target
from bench.pinning import LOAD_CORE
from bench.rounds import Plan, beside_bare
from tests.nodes import shared
from tests.postgres import database, postgres_server

TARGETS = {"ES256": Target(2_500), "RS256": Target(2_500)}


def ask(plan: Plan) -> Iterator[Measurement]:
    """Yield rotations per second for each way of signing."""
    folder = plan.deployment.folder / "postgres"
    folder.mkdir()
    with postgres_server() as server:
        for process in server.processes():  # those that it starts later follow
            os.sched_setaffinity(process, {LOAD_CORE})
        with database(server.url) as url:
            deployment = deploy(folder, **shared(url))
            for algorithm, target in TARGETS.items():
                client = deployment.clients[algorithm]
                load, sample = partial(rotation, deployment, client), partial(token_answer, deployment, client)
                over = replace(plan, deployment=deployment)
                yield beside_bare(over, f"refresh over PostgreSQL, {algorithm}", load, sample, target)
