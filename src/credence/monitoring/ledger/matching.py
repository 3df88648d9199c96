"""Searches candidates for the customers whose company is not known. Each node of a deployment takes some that wait."""

import asyncio
from collections import defaultdict
from collections.abc import Callable
from contextlib import suppress
from typing import Final

import msgspec

from credence.clock import Milliseconds
from credence.refusals.refusal import Refused
from credence.report.search.threads import Searches
from credence.store.contract import Store
from credence.store.customers import Candidate, Customer

PIECE: Final = 100
CLAIMED_MS: Final = 60_000
"""Milliseconds for which other nodes leave a customer to the one that searches for it."""
_AT_ONCE: Final = 2
"""Searches at once: those of people wait for few others."""


async def match_customers(store: Store, searches: Searches, clock: Callable[[], Milliseconds]) -> int:
    """Search candidates until no customer waits, and return how many were searched."""
    count = 0
    while True:
        now = clock()
        waiting = await store.claim_customers(now, now + CLAIMED_MS, PIECE)
        turn = asyncio.Semaphore(_AT_ONCE)
        searched = await asyncio.gather(*(_searched(searches, turn, each) for each in waiting))
        by_portfolio: defaultdict[str, list[tuple[Customer, Customer]]] = defaultdict(list)
        for before, after in zip(waiting, searched, strict=True):
            if after is not None:
                by_portfolio[before.portfolio].append((before, after))
        for pairs in by_portfolio.values():
            await store.exchange_customers(pairs)
            count += len(pairs)
        if not by_portfolio:  # nothing waits, or nothing can be searched now
            return count


async def _searched(searches: Searches, turn: asyncio.Semaphore, customer: Customer) -> Customer | None:
    """Return a customer with its candidates; None if it cannot be searched now."""
    async with turn:
        with suppress(Refused):  # the queue is full: it waits until its claim ends
            found = await searches.find_matches(customer.name, customer.postcode)
            if found is not None:
                candidates = tuple(
                    Candidate(each.company, each.name, each.confidence, each.is_former, each.place) for each in found
                )
                return msgspec.structs.replace(
                    customer, state="proposed" if candidates else "none", candidates=candidates
                )
    return None
