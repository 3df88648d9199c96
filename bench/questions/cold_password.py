"""How close do password grants come to what Argon2 allows, when every password is verified (threats §8)?

Beside ours runs nothing but the verification, on the same core, in as many threads as the service uses.
"""

import subprocess
import sys
from collections.abc import Iterator

from bench.deployment import credence
from bench.load import press
from bench.loads import login
from bench.measurement import Figure, Measurement, Target
from bench.pinning import SERVER_CORE, on_core
from bench.rounds import Plan, take_turns

CONNECTIONS = 16
"""Enough to keep the hashing threads busy, and fewer than the service lets wait."""


def ask(plan: Plan) -> Iterator[Measurement]:
    """Yield grants per second beside verifications per second."""
    deployment = plan.deployment
    with credence(deployment.folder, CREDENCE_PASSWORD_CACHE_SECONDS="0") as ours:
        load = login(deployment, deployment.clients["ES256"], ours, CONNECTIONS)
        figures, beside = take_turns(plan, lambda seconds: press(ours, load, seconds), _ceiling)
    target = Target(0.95, about="ratio")
    yield Measurement("cold password", "per second", figures, beside, "Argon2 alone", target)


def _ceiling(seconds: float) -> Figure:
    command = on_core(SERVER_CORE, [sys.executable, "-m", "bench.argon2_ceiling", str(seconds)])
    printed = subprocess.run(command, capture_output=True, text=True, timeout=seconds + 30, check=True).stdout
    return Figure(float(printed))
