"""One worker and two over a SQLite store, in turn: `python -m bench.workers`, in two minutes.

One worker has a core and the load generator the other. Two workers have both cores and share them with the load generator,
so the processor time of the workers for one request, which is printed beside the rate, says more than the rate.
"""

import argparse
import statistics
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from bench import load, pinning, process
from bench.deployment import Client, Deployment, credence, deploy
from bench.load import Load, press
from bench.loads import introspections, many_reports, one_report, rotation
from bench.process import Server, processor_seconds

LOADS: dict[str, Callable[[Deployment, Client, Server], Load]] = {
    "report, one company": one_report,
    "report, many companies": many_reports,
    "introspection": introspections,
    "refresh, ES256": rotation,
}


def main() -> int:
    """Measure, and print a line for each load and count of workers."""
    options = _options()
    if missing := pinning.missing():
        print(missing, file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        deployment = deploy(Path(folder))
        found: dict[tuple[str, int], list[tuple[float, float, float]]] = {}
        for _ in range(options.rounds):
            for count in (1, 2):
                with _running(deployment, count) as server:
                    for name in options.name or LOADS:
                        made = LOADS[name](deployment, deployment.clients["ES256"], server)
                        found.setdefault((name, count), []).append(_measured(server, made, options.seconds))
    for name in options.name or LOADS:
        one, two = (statistics.median(rate for rate, _, _ in found[name, count]) for count in (1, 2))
        for count, rate in ((1, one), (2, two)):
            cost, slowest = (statistics.median(each[place] for each in found[name, count]) for place in (1, 2))
            print(f"{name:24} {count} workers {rate:8,.0f}/s {cost:6.0f} us p99 {slowest:5.1f} ms  {rate / one:.2f}")
    return 0


@contextmanager
def _running(deployment: Deployment, count: int) -> Iterator[Server]:
    """Run the deployment with this many workers: one on its own core, several on all, which the load then shares."""
    with ExitStack() as changed:
        if count > 1:
            for module in (process, load):
                changed.callback(setattr, module, "on_core", module.on_core)
                module.on_core = lambda _core, command: list(command)  # type: ignore[attr-defined]
        yield changed.enter_context(credence(deployment.folder, CREDENCE_WORKERS=str(count)))


def _measured(server: Server, made: Load, seconds: float) -> tuple[float, float, float]:
    """Return requests a second, microseconds of the workers' processor time for each, and the slowest hundredth in ms."""
    before = processor_seconds(server)
    figure = press(server, made, seconds)
    return figure.value, 1e6 * (processor_seconds(server) - before) / (figure.value * seconds), figure.p99 or 0.0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=4)
    parser.add_argument("--name", action="append", choices=sorted(LOADS))
    parser.add_argument("--folder", type=Path, default=Path.cwd(), help="on the disk to be measured")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
