"""What is left of the good work at ten times the load (threats F7)?

An application is sent at its rate, and at ten times its rate, at an even pace whether or not answers keep up. What is too
much must be answered with a spike arrest. The runs take turns, so each one at the rate follows right after an overload:
a service that did not recover would show there. Then, without limits, ten times the callers that it takes to fill a core.
"""

from collections.abc import Iterator

from bench.deployment import credence, register
from bench.load import Load, Spoiled, press, run_wrk
from bench.loads import one_report
from bench.measurement import Figure, Measurement, Target
from bench.process import Server
from bench.rounds import Plan, take_turns

PER_SECOND = 1_000
"""What the application may do: the house's default."""

TIMES = 10

TARGET = Target(0.8, about="ratio")


def ask(plan: Plan) -> Iterator[Measurement]:
    """Yield admitted requests per second at ten times the load, beside those at the load that can be served."""
    deployment = plan.deployment
    limited = register(deployment.folder, "Limited", "--algorithm", "ES256", "--spike-per-minute", f"{PER_SECOND * 60}")
    with credence(deployment.folder) as ours:
        report = one_report(deployment, limited, ours)
        offered: list[float] = []
        figures, beside = take_turns(
            plan,
            lambda seconds: _paced(ours, report, PER_SECOND * TIMES, seconds, offered),
            lambda seconds: _paced(ours, report, PER_SECOND, seconds, []),
        )
        more = {"offered_per_second": sum(offered) / len(offered)}
        yield Measurement(
            "reports admitted at ten times the rate", "per second", figures, beside, "the rate", TARGET, more=more
        )
        free = one_report(deployment, deployment.clients["ES256"], ours)
        crowd = Load(free.path, free.headers, connections=free.connections * TIMES)
        figures, beside = take_turns(
            plan, lambda seconds: press(ours, crowd, seconds), lambda seconds: press(ours, free, seconds)
        )
    yield Measurement("reports to ten times the callers", "per second", figures, beside, "64 callers", TARGET)


def _paced(server: Server, report: Load, per_second: int, seconds: float, offered: list[float]) -> Figure:
    """Return admitted requests per second; Spoiled when an answer was neither a report nor a spike arrest."""
    load = Load(report.path, report.headers, "paced", [str(per_second)])
    outcome = run_wrk(server, load, seconds)
    if outcome["wrong"] or not outcome["admitted"]:
        raise Spoiled(f"{load.path}: {outcome}")
    spent = outcome["microseconds"] / 1e6
    offered.append((outcome["admitted"] + outcome["arrested"]) / spent)
    return Figure(outcome["admitted"] / spent, p50=outcome["p50"] / 1e3, p99=outcome["p99"] / 1e3)
