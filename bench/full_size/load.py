"""How long does the register take to load, with how much memory and disk (credit §2.2)?

The load runs in a process of its own on two cores; it and the readers it starts are looked into all the while. Megabytes
are 10^6 bytes of proportional memory: what the processes share counts once.
"""

import os
import resource
import time
from collections.abc import Iterator, Sequence
from multiprocessing import get_context
from pathlib import Path

from bench.measurement import Figure, Measurement, Target
from bench.pinning import LOAD_CORE, SERVER_CORE
from bench.process import memory
from credence.clock import system_clock
from credence.credit import catalogue
from credence.credit.parts import REGISTER
from credence.credit.sources.loading import load_register

_LOOK_EVERY = 0.25
"""Seconds."""


def ask(files: Sequence[Path], folder: Path) -> Iterator[Measurement]:
    """Load the snapshot into the data folder; yield seconds, memory and disk."""
    process = get_context("spawn").Process(target=_load, args=(files, folder))
    begun, spent = time.monotonic(), _processor_seconds()
    process.start()
    peak = 0.0
    while process.is_alive():
        peak = max(peak, _memory(process.pid or 0))
        process.join(_LOOK_EVERY)
    seconds = time.monotonic() - begun
    if process.exitcode:
        raise SystemExit("The load failed.")
    companies = catalogue.read(folder).sources[REGISTER].companies
    size = data_set(folder).stat().st_size
    # On a machine with other work to do this says more than the seconds do.
    processor = _processor_seconds() - spent
    more = {"companies": companies, "companies_per_second": companies / seconds, "processor_seconds": processor}
    yield Measurement("register, load", "seconds", (Figure(seconds),), target=Target(120, at="most"), more=more)
    yield Measurement("register, memory of the load", "MB", (Figure(peak),), target=Target(600, at="most"))
    more = {"data_set_mb": size / 1e6}
    yield Measurement("register, disk", "bytes per company", (Figure(size / companies),), more=more)


def data_set(folder: Path) -> Path:
    """Return the register's file in a data folder."""
    return folder / catalogue.read(folder).sources[REGISTER].file


def _load(files: Sequence[Path], folder: Path) -> None:
    os.sched_setaffinity(0, {SERVER_CORE, LOAD_CORE})
    load_register(files, folder, system_clock())


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
