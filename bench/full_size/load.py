"""How long does the register take to load, with how much memory and disk (credit §2.2)?"""

from collections.abc import Iterator, Sequence
from pathlib import Path

from bench.full_size.watched import watched
from bench.measurement import Figure, Measurement, Target
from credence.clock import system_clock
from credence.datasets import catalogue
from credence.datasets.fact_kinds import REGISTER
from credence.datasets.loading.load import load_register


def ask(files: Sequence[Path], folder: Path) -> Iterator[Measurement]:
    """Load the snapshot into the data folder; yield seconds, memory and disk."""
    spent = watched(load_register, files, folder, system_clock())
    companies = catalogue.read(folder).sources[REGISTER].companies
    size = data_set(folder).stat().st_size
    more = {
        "companies": companies,
        "companies_per_second": companies / spent.seconds,
        "processor_seconds": spent.processor_seconds,
    }
    yield Measurement("register, load", "seconds", (Figure(spent.seconds),), target=Target(60, at="most"), more=more)
    yield Measurement("register, memory of the load", "MB", (Figure(spent.peak_mb),), target=Target(600, at="most"))
    more = {"data_set_mb": size / 1e6}
    yield Measurement("register, disk", "bytes per company", (Figure(size / companies),), more=more)


def data_set(folder: Path) -> Path:
    """Return the register's file in a data folder."""
    return folder / catalogue.read(folder).sources[REGISTER].file
