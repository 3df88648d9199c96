"""Runs the batches and lists of all callers in one thread, in small pieces, as fast as each caller reads them.

One thread takes at most one core from other requests. It serves the batches in turn, so a caller that reads slowly delays
no other.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from itertools import chain, islice

from credence.clock import Milliseconds, london_day
from credence.datasets.credit_data import DAMAGED_FILES
from credence.policy.batch import BatchForm, header, rows, written
from credence.policy.companies import Entry
from credence.policy.policy import Policy
from credence.refusals.refusal import Refused
from credence.refusals.requests import SPIKE_ARREST
from credence.report.cache import ReportCache
from credence.report.outline import Outline
from credence.report.schema.report import LtdCompanyData

MAX_BATCHES = 16
"""Maximum number of batches in progress."""

MAX_BATCHES_OF_ONE = 8
"""Of these, for one application: a batch lasts as long as its caller reads, and others need places too (threats A5)."""

_PIECE_COMPANIES = 50
"""The number of companies in one piece, which takes a few hundredths of a second."""

_PIECE_OUTLINES = 200
"""The same for lists, whose companies take a tenth of the time."""


class Batches:
    """Makes the rows of batches. Only the thread uses `reports`."""

    def __init__(self, reports: ReportCache) -> None:
        self._reports = reports
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="batch")
        self._in_progress = Counter[str]()
        """By client_id."""

    async def stream(
        self, client_id: str, entries: Sequence[Entry], policy: Policy | None, form: BatchForm, now: Milliseconds
    ) -> AsyncGenerator[bytes, None]:
        """Yield the lines of a batch in pieces. Raises Refused with a spike arrest, before the first, if there are too many.

        `client_id` is the application for which it is made.

        All rows have the day of the request, also after midnight; each row uses the data at the time when it is made.
        """
        if self._in_progress.total() >= MAX_BATCHES or self._in_progress[client_id] >= MAX_BATCHES_OF_ONE:
            raise Refused(SPIKE_ARREST, "batch.too_many", retry_after=5)
        self._in_progress[client_id] += 1
        try:
            made = rows(entries, partial(self._find, now), policy, london_day(now))
            lines = chain((header(form),), (written(row, form) for row in made))
            loop = asyncio.get_running_loop()
            while piece := await loop.run_in_executor(self._thread, _piece, lines):
                yield piece
        finally:
            self._in_progress -= Counter({client_id: 1})  # and forget an application without any

    async def outlines(self, numbers: Sequence[str], now: Milliseconds) -> dict[str, Outline]:
        """Return what a list shows of each of these companies, without those whose data cannot be read."""
        loop, found = asyncio.get_running_loop(), dict[str, Outline]()
        for start in range(0, len(numbers), _PIECE_OUTLINES):
            piece = numbers[start : start + _PIECE_OUTLINES]
            found |= await loop.run_in_executor(self._thread, self._outlines, piece, now)
        return found

    def _outlines(self, numbers: Sequence[str], now: Milliseconds) -> dict[str, Outline]:
        found = {}
        for each in numbers:
            with suppress(Refused, *DAMAGED_FILES):
                found[each] = self._reports.outline(each, now)
        return found

    def _find(self, now: Milliseconds, number: str, members: frozenset[str]) -> LtdCompanyData | None:
        return self._reports.report(number, now, members)

    def close(self) -> None:
        """Finish the piece in progress and end the others."""
        self._thread.shutdown(wait=True, cancel_futures=True)
        self._reports.close()


def _piece(lines: Iterator[bytes]) -> bytes:
    return b"".join(islice(lines, _PIECE_COMPANIES))
