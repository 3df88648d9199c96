"""Searches off the event loop, at a bounded pace (D23, threats §8).

A search of the whole register takes milliseconds, a hostile one tens of them. SQLite lets go of the interpreter while it
works, so there are as many threads as cores. What does not fit into the queue is refused as a spike.
"""

import asyncio
import os
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from credence.datasets.credit_data import CreditData
from credence.datasets.register import CurrentRegister
from credence.datasets.search.query import CompanyQuery
from credence.refusals import SPIKE_ARREST, Refused
from credence.report.search.companies import encode, search
from credence.report.search.director_query import DirectorQuery
from credence.report.search.directors import search_directors

Q = TypeVar("Q")

MAX_QUEUED_SEARCHES = 64
"""Searches accepted and not finished; most take a few milliseconds, so the last of them waits well under a second."""


class Searches:
    """The one place where companies and directors are searched for a caller."""

    def __init__(
        self, open_register: Callable[[], CurrentRegister], open_credit_data: Callable[[], CreditData]
    ) -> None:
        cores = len(os.sched_getaffinity(0))
        self._threads = ThreadPoolExecutor(cores, thread_name_prefix="search")
        # Whoever works takes one, so each is used by one thread at a time.
        self._registers = deque(open_register() for _ in range(cores))
        self._credit_data = deque(open_credit_data() for _ in range(cores))
        self._waiting = 0

    async def find(self, query: CompanyQuery) -> bytes:
        """Return the answer to a search for companies as JSON; Refused with a spike arrest when the queue is full."""
        return await self._in_turn(self._find, query)

    async def find_directors(self, query: DirectorQuery) -> bytes:
        """Return the answer to a search for directors as JSON; it waits in the same queue."""
        return await self._in_turn(self._find_directors, query)

    async def _in_turn(self, find: Callable[[Q], bytes], query: Q) -> bytes:
        if self._waiting >= MAX_QUEUED_SEARCHES:
            raise Refused(SPIKE_ARREST, "search.queue_full", retry_after=1)
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, find, query)
        finally:
            self._waiting -= 1

    def close(self) -> None:
        """Let the running searches end, take no more, and let go of the data."""
        self._threads.shutdown(wait=True, cancel_futures=True)
        for register in self._registers:
            register.close()
        for credit_data in self._credit_data:
            credit_data.close()

    def _find(self, query: CompanyQuery) -> bytes:
        register = self._registers.popleft()
        try:
            return encode(search(register.newest(), query))
        finally:
            self._registers.append(register)

    def _find_directors(self, query: DirectorQuery) -> bytes:
        credit_data = self._credit_data.popleft()
        try:
            return encode(search_directors(credit_data, query))
        finally:
            self._credit_data.append(credit_data)
