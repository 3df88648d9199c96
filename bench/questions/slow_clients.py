"""What does a good client notice of 5,000 idle connections and 300 slow writers (threats P13)?

A few connections read one report over and over. Their slowest hundredth is measured with the crowd and without it, in
turn. The crowd shares the core with the load generator, which goes first, so that its own work is hardly measured.
"""

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bench.deployment import credence
from bench.load import Load, press
from bench.loads import one_report
from bench.measurement import Figure, Measurement, Target
from bench.pinning import LOAD_CORE, on_core
from bench.process import Server
from bench.rounds import Plan, take_turns

IDLE, SLOW = 5_000, 300

TARGET = Target(2, about="ratio", at="most")

SETTLED_WITHIN = 30.0
"""Seconds for a crowd that left to be gone from the server."""


def ask(plan: Plan) -> Iterator[Measurement]:
    """Yield the 99th percentile in milliseconds, beside the same without a crowd."""
    deployment = plan.deployment
    with credence(deployment.folder) as ours:
        report = one_report(deployment, deployment.clients["ES256"], ours)
        load = Load(report.path, report.headers, connections=8)
        figures, beside = take_turns(
            plan, lambda seconds: _among_a_crowd(ours, load, seconds), lambda seconds: _p99(ours, load, seconds)
        )
    yield Measurement(
        f"p99 beside {IDLE:,} idle and {SLOW} slow", "ms", figures, beside, "no crowd", TARGET, note="8 connections"
    )


def _p99(server: Server, load: Load, seconds: float) -> Figure:
    figure = press(server, load, seconds)
    return Figure(figure.p99 or 0.0, figure.p50, figure.p99)


def _among_a_crowd(server: Server, load: Load, seconds: float) -> Figure:
    with _crowd(server.port):
        held = _open_files(server)
        if held < IDLE:
            raise RuntimeError(f"only {held} connections were held")
        figure = _p99(server, load, seconds)
    deadline = time.monotonic() + SETTLED_WITHIN
    while _open_files(server) > SLOW and time.monotonic() < deadline:
        time.sleep(0.1)
    return figure


@contextmanager
def _crowd(port: int) -> Iterator[None]:
    command = on_core(LOAD_CORE, [sys.executable, "-m", "bench.crowd", str(port), str(IDLE), str(SLOW)])
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        if process.stdin is None or process.stdout is None or process.stdout.readline() != b"ready\n":
            raise RuntimeError("the crowd did not come")
        yield
        process.stdin.close()


def _open_files(server: Server) -> int:
    return sum(1 for _ in Path(f"/proc/{server.worker}/fd").iterdir())
