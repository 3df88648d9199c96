"""How long does the first report on a company take, when nothing of the register is in memory (D21)?

Before each report the data set leaves the page cache and is opened anew; the program itself is warm. What was read from
storage is in the record: it says how cold the report was.
"""

import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import quantiles

from bench.full_size.page_cache import bytes_from_disk, evict
from bench.measurement import Figure, Measurement, Target
from credence.clock import system_clock
from credence.datasets.credit_data import CreditData
from credence.report.cache import ReportCache

TARGET = Target(5, at="most")


def ask(folder: Path, data_set: Path, numbers: Sequence[str]) -> Iterator[Measurement]:
    """Yield the 99th percentile in milliseconds, from the opening of the data set to the bytes of the report."""
    _report(folder, numbers[0])
    taken, read = [], bytes_from_disk()
    for number in numbers:
        evict(data_set)
        taken.append(_report(folder, number))
    more = {"read_from_disk_kb": (bytes_from_disk() - read) / len(numbers) / 1000, "slowest_ms": max(taken)}
    percentiles = quantiles(taken, n=100)
    figure = Figure(percentiles[98], p50=percentiles[49], p99=percentiles[98])
    yield Measurement("report, cold", "ms, 99th percentile", (figure,), target=TARGET, more=more)


def _report(folder: Path, number: str) -> float:
    now = system_clock()
    begun = time.perf_counter()
    credit_data = CreditData(folder)
    document = ReportCache(credit_data).find(number, now)
    taken = (time.perf_counter() - begun) * 1000
    credit_data.close()
    if document is None:
        raise LookupError(number)
    return taken
