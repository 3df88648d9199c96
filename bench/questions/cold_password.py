"""How close do password grants, and sign-ins with a password, come to what Argon2 allows (threats §8)?

Every password is verified.

Beside ours runs nothing but the verification, on the same core, in as many threads as the service uses.
"""

import subprocess
import sys
from collections.abc import Iterator

from bench.deployment import credence, register
from bench.load import press
from bench.loads import login
from bench.measurement import Figure, Measurement, Target
from bench.pinning import SERVER_CORE, on_core
from bench.questions.code_flow import FLOW, OPTIONS, sign_ins
from bench.rounds import Plan, take_turns

TARGET = Target(0.95, about="ratio")
CONNECTIONS = 16
"""Enough to keep the hashing threads busy, and fewer than the service lets wait."""


def ask(plan: Plan) -> Iterator[Measurement]:
    """Yield grants per second beside verifications per second."""
    deployment = plan.deployment
    with credence(deployment.folder, CREDENCE_PASSWORD_CACHE_SECONDS="0") as ours:
        load = login(deployment, deployment.clients["ES256"], ours, CONNECTIONS)
        figures, beside = take_turns(plan, lambda seconds: press(ours, load, seconds), _ceiling)
    yield Measurement("cold password", "per second", figures, beside, "Argon2 alone", TARGET)


def sign_in(plan: Plan) -> Iterator[Measurement]:
    """Yield sign-ins per second on the sign-in page, each with a session of its own, beside verifications per second."""
    deployment = plan.deployment
    client = register(deployment.folder, "Bench sign-in", *OPTIONS, *FLOW, **deployment.variables)
    with credence(deployment.folder, **{**deployment.variables, "CREDENCE_PASSWORD_CACHE_SECONDS": "0"}) as ours:
        load = sign_ins(deployment, client, ours, CONNECTIONS)
        figures, beside = take_turns(plan, lambda seconds: press(ours, load, seconds), _ceiling)
    yield Measurement("password sign-in", "per second", figures, beside, "Argon2 alone", TARGET)


def _ceiling(seconds: float) -> Figure:
    command = on_core(SERVER_CORE, [sys.executable, "-m", "bench.argon2_ceiling", str(seconds)])
    printed = subprocess.run(command, capture_output=True, text=True, timeout=seconds + 30, check=True).stdout
    return Figure(float(printed))
