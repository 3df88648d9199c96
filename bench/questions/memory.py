"""How much memory does a worker hold after everything it can be asked for?

One server is given every load in turn, cold passwords among them, and is looked into after each. Megabytes are 10^6
bytes of resident memory, code and shared libraries included; the proportional share counts pages that the master holds
too by half.
"""

from collections.abc import Iterator

from bench.deployment import credence
from bench.load import Load, press
from bench.loads import document, login, many_reports, one_report, rotation
from bench.measurement import Figure, Measurement, Target
from bench.process import Server, memory
from bench.questions.cold_password import CONNECTIONS
from bench.rounds import Plan
from credence import paths

TARGET = Target(120, at="most")


def ask(plan: Plan) -> Iterator[Measurement]:
    """Yield the memory of worker and master at rest and after each load; the worker is held to the target each time."""
    deployment = plan.deployment
    with credence(deployment.folder) as ours:
        yield _look("worker at rest", ours.worker)
        for name, load in _loads(plan, ours):
            press(ours, load, plan.seconds)
            yield _look(f"worker after {name}", ours.worker)
        yield _look("master", ours.process.pid, held=False)
    with credence(deployment.folder, CREDENCE_PASSWORD_CACHE_SECONDS="0") as ours:
        press(ours, login(deployment, deployment.clients["ES256"], ours, CONNECTIONS), plan.seconds)
        yield _look("another worker after cold passwords", ours.worker)


def _loads(plan: Plan, ours: Server) -> Iterator[tuple[str, Load]]:
    """Yield the loads one by one: each is prepared when its turn has come."""
    deployment = plan.deployment
    client = deployment.clients["ES256"]
    yield "key set", document(paths.KEYS, ours)
    yield "one report", one_report(deployment, client, ours)
    yield "many reports", many_reports(deployment, client, ours)
    yield "remembered passwords", login(deployment, client, ours)
    for algorithm in ("ES256", "RS256"):
        yield f"refresh {algorithm}", rotation(deployment, deployment.clients[algorithm], ours)


def _look(what: str, pid: int, *, held: bool = True) -> Measurement:
    found = memory(pid)
    more = {"pss_mb": found["pss"], "peak_mb": found["peak"]}
    return Measurement(f"memory, {what}", "MB", (Figure(found["rss"]),), target=TARGET if held else None, more=more)
