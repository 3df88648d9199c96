"""How long from the command to the first answer, once the deployment is set up? Beside it, the bare server."""

from collections.abc import Iterator

from bench.deployment import bare, credence
from bench.measurement import Figure, Measurement, Target
from bench.rounds import Plan

STARTS = 5


def ask(plan: Plan) -> Iterator[Measurement]:
    """Yield seconds."""
    figures, beside = [], []
    for _ in range(STARTS):
        with bare(plan.deployment.folder, b"{}") as server:
            beside.append(Figure(server.seconds_to_answer))
        with credence(plan.deployment.folder) as server:
            figures.append(Figure(server.seconds_to_answer))
    yield Measurement("start", "seconds", tuple(figures), tuple(beside), target=Target(1.0, at="most"))
