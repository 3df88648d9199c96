"""Runs searches in threads, with a bounded queue (D23, threats §8).

A search of the whole register takes milliseconds, a hostile one tens of milliseconds. SQLite releases the interpreter lock
during a query, so there is one thread for each core. If the queue is full, a search is refused with a spike arrest.
"""

import asyncio
import os
from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TypeVar

from credence.companies.facts.register import RegisterEntry
from credence.datasets.credit_data import CreditData
from credence.datasets.register import CurrentRegister
from credence.datasets.search.candidates import unregistered
from credence.datasets.search.query import CompanyQuery
from credence.refusals.refusal import Refused
from credence.refusals.requests import SPIKE_ARREST
from credence.report.schema.directors import DirectorTargeterResponse
from credence.report.search.companies import encode, entry_of_unregistered, search
from credence.report.search.director_query import DirectorQuery
from credence.report.search.directors import search_directors
from credence.report.search.matching import NameMatch, find_matches

Q = TypeVar("Q")
R = TypeVar("R")

MAX_QUEUED_SEARCHES = 64
"""Maximum number of searches accepted but not finished; most take a few milliseconds, the last one less than a second."""


class Searches:
    """Runs the searches of the API for companies and directors."""

    def __init__(
        self, open_register: Callable[[], CurrentRegister], open_credit_data: Callable[[], CreditData]
    ) -> None:
        cores = len(os.sched_getaffinity(0))
        self._threads = ThreadPoolExecutor(cores, thread_name_prefix="search")
        # Each search takes a reader out of each deque, so that one thread at a time uses it.
        self._registers = deque(open_register() for _ in range(cores))
        self._credit_data = deque(open_credit_data() for _ in range(cores))
        self._waiting = 0

    async def find(self, query: CompanyQuery) -> bytes:
        """Return the answer to a company search as JSON. Raises Refused(SPIKE_ARREST) if the queue is full."""
        return await self._run(self._find, query)

    async def find_directors(self, query: DirectorQuery) -> bytes:
        """Return the answer to a director search as JSON, through the same queue."""
        return await self._run(self._find_directors, query)

    async def find_matches(self, name: str, postcode: str) -> list[NameMatch] | None:
        """Return what `matching.find_matches` returns, through the same queue."""
        return await self._run(self._find_matches, (name, postcode))

    async def _run(self, find: Callable[[Q], R], query: Q) -> R:
        if self._waiting >= MAX_QUEUED_SEARCHES:
            raise Refused(SPIKE_ARREST, "search.queue_full", retry_after=1)
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, find, query)
        finally:
            self._waiting -= 1

    def close(self) -> None:
        """Wait for running searches, refuse further ones, and close the data."""
        self._threads.shutdown(wait=True, cancel_futures=True)
        for register in self._registers:
            register.close()
        for credit_data in self._credit_data:
            credit_data.close()

    def further_entries(self, credit_data: CreditData, query: CompanyQuery) -> Iterable[RegisterEntry]:
        """Return the entries outside the register that a search includes.

        A company that is not in the register but in another source has a report. A search for its number finds it, and if
        its accounts are loaded, so does a search for its name or postcode.
        """
        if not query.corporates:
            return
        found = [credit_data.company(query.number)] if query.number else unregistered(credit_data, query)
        yield from filter(None, map(entry_of_unregistered, found))

    def directors(self, credit_data: CreditData, query: DirectorQuery) -> DirectorTargeterResponse:
        """Return the matching directors."""
        return search_directors(credit_data, query)

    def _find(self, query: CompanyQuery) -> bytes:
        register, credit_data = self._registers.popleft(), self._credit_data.popleft()
        try:
            return encode(search(register.newest(), query, self.further_entries(credit_data, query)))
        finally:
            self._registers.append(register)
            self._credit_data.append(credit_data)

    def _find_matches(self, customer: tuple[str, str]) -> list[NameMatch] | None:
        register, credit_data = self._registers.popleft(), self._credit_data.popleft()
        try:
            return find_matches(register.newest(), *customer, partial(self.further_entries, credit_data))
        finally:
            self._registers.append(register)
            self._credit_data.append(credit_data)

    def _find_directors(self, query: DirectorQuery) -> bytes:
        credit_data = self._credit_data.popleft()
        try:
            return encode(self.directors(credit_data, query))
        finally:
            self._credit_data.append(credit_data)
