"""Something long in a process of its own, on two cores or one, looked into all the while together with what it starts.

Megabytes are 10^6 bytes of proportional memory: what the processes share counts once.
"""

import os
import resource
import time
from collections.abc import Callable, Collection
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

from bench.pinning import LOAD_CORE, SERVER_CORE
from bench.process import memory

_LOOK_EVERY = 0.25
"""Seconds."""


class Spent(NamedTuple):
    """What it took."""

    seconds: float
    processor_seconds: float
    """On a machine with other work to do this says more than the seconds do."""
    peak_mb: float


def watched(act: Callable[..., object], *args: object, cores: Collection[int] = (SERVER_CORE, LOAD_CORE)) -> Spent:
    """Do it on these cores and tell what it took. SystemExit when it failed."""
    process = get_context("spawn").Process(target=_pinned, args=(act, args, cores))
    begun, spent = time.monotonic(), _processor_seconds()
    process.start()
    peak = 0.0
    while process.is_alive():
        peak = max(peak, _memory(process.pid or 0))
        process.join(_LOOK_EVERY)
    if process.exitcode:
        raise SystemExit(f"{act.__name__} failed.")
    return Spent(time.monotonic() - begun, _processor_seconds() - spent, peak)


def _pinned(act: Callable[..., object], args: tuple[object, ...], cores: Collection[int]) -> None:
    os.sched_setaffinity(0, cores)
    act(*args)


def _processor_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _memory(pid: int) -> float:
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except FileNotFoundError:
        return 0.0
    return _proportional(pid) + sum(_proportional(int(child)) for child in children)


def _proportional(pid: int) -> float:
    try:
        return memory(pid)["pss"]
    except (FileNotFoundError, ProcessLookupError):  # it has just ended
        return 0.0
