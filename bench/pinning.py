"""Which core does what: the server has one to itself, and so has the load."""

import os
import shutil
from collections.abc import Sequence

SERVER_CORE = 0
LOAD_CORE = 1


def on_core(core: int, command: Sequence[str]) -> list[str]:
    """Return the command, held to one core with all the threads and processes it starts."""
    return ["taskset", "--cpu-list", str(core), *command]


def missing() -> str | None:
    """Return one line that says what this machine lacks, or None when the benchmarks can run."""
    for program, package in (("wrk", "wrk"), ("taskset", "util-linux")):
        if shutil.which(program) is None:
            return f"{program} is missing: apt-get install {package}"
    if not {SERVER_CORE, LOAD_CORE} <= os.sched_getaffinity(0):
        return "Two cores are needed, one for the server and one for the load."
    return None
