"""wrk, the load generator, on its own core. Any answer but 200 spoils the run: a refusal is quick to make."""

import json
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench.measurement import Figure
from bench.pinning import LOAD_CORE, on_core
from bench.process import Server

SCRIPTS = Path(__file__).parent / "lua"


class Spoiled(Exception):
    """A run in which not every answer was a 200; the message says what came instead."""


@dataclass(frozen=True, slots=True)
class Load:
    """What the load generator sends, over and over, to whatever server."""

    path: str
    headers: Mapping[str, str] = field(default_factory=dict)
    script: str = "get"
    arguments: Sequence[str] = ()
    """For the script; what it makes of them is said at its head."""
    connections: int = 64


def press(server: Server, load: Load, seconds: float) -> Figure:
    """Put the load on the server and return requests per second with latencies; Spoiled if any answer was not a 200."""
    outcome = run_right(server, load, seconds)
    return Figure(
        outcome["requests"] / outcome["microseconds"] * 1e6,
        p50=outcome["p50"] / 1e3,
        p99=outcome["p99"] / 1e3,
    )


def run_right(server: Server, load: Load, seconds: float) -> dict[str, Any]:
    """Put the load on the server and return the outcome; Spoiled if any answer was not a 200."""
    outcome = run_wrk(server, load, seconds)
    if outcome["wrong"] or not outcome["requests"]:
        raise Spoiled(f"{load.path}: {outcome}")
    return outcome


def run_wrk(server: Server, load: Load, seconds: float) -> dict[str, Any]:
    """Put the load on the server and return what its script says of the outcome; Spoiled when there is none."""
    command = ["wrk", "--threads", "1", "--connections", str(load.connections), "--duration", f"{seconds:.0f}s"]
    command += ["--timeout", "10s", "--script", f"{load.script}.lua"]
    for name, value in load.headers.items():
        command += ["--header", f"{name}: {value}"]
    command += [server.address + load.path, "--", *load.arguments]
    finished = subprocess.run(
        on_core(LOAD_CORE, command),
        cwd=SCRIPTS,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=seconds + 30,
        check=False,
    )
    outcome = _outcome(finished.stdout)
    if finished.returncode != 0 or outcome is None:
        raise Spoiled(f"wrk failed: {finished.stderr.strip() or finished.stdout.strip()}")
    return outcome


def _outcome(output: str) -> dict[str, Any] | None:
    lines = [line for line in output.splitlines() if line.startswith("{")]
    outcome: dict[str, Any] | None = json.loads(lines[-1]) if lines else None
    return outcome
