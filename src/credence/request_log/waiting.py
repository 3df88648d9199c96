"""The queue of answered requests that will be written. Adding one takes no lock, no disk access and keeps no object."""

from collections.abc import Sequence
from typing import Any

from credence.access.caller_address import Network, caller_address, peer_address
from credence.clock import Milliseconds
from credence.request_log.record import METHODS, Columns

MAX_WAITING = 50_000
"""The maximum number of requests in the queue, about ten megabytes.

If the disk is too slow or full, further ones are counted as lost.
"""

Noted = tuple[Milliseconds, str, str | None, str | None, str | None, str, str | None, int, float, str | None, str, str]
"""The fields of `record.Record`, but seconds for microseconds, and at the end the peer and its X-Forwarded-For fields."""

FIELDS = 12


class Waiting:
    """The queue of requests since the last write."""

    def __init__(self, trusted: Sequence[Network]) -> None:
        """`trusted` are the proxies that may state the caller's address (D26)."""
        self._trusted = trusted
        self._values: list[Any] = []
        self._lost = 0

    def add(self, noted: Noted) -> None:
        """Add a request; never waits and never fails."""
        # One flat list of texts and numbers: a tuple for each request would be work for the garbage collector.
        if len(self._values) < MAX_WAITING * FIELDS:
            self._values.extend(noted)
        else:
            self._lost += 1

    def take(self) -> tuple[list[Any], int]:
        """Remove and return the values in the queue, and the number of lost requests. Called in the same thread as `add`."""
        taken, self._values = self._values, []
        lost, self._lost = self._lost, 0
        return taken, lost

    def columns(self, values: list[Any], first: int, count: int) -> Columns:
        """Return the columns of `count` taken requests, beginning with the one numbered `first`."""
        part = values[first * FIELDS : (first + count) * FIELDS]
        at, ids, correlations, clients, accounts, methods, paths, status, took, reasons, peers, forwarded = (
            part[number::FIELDS] for number in range(FIELDS)
        )
        pairs = list(zip(peers, forwarded, strict=True))
        found = {pair: self._addresses(*pair) for pair in set(pairs)}
        return (
            at,
            ids,
            _filled(correlations),
            _filled(clients),
            _filled(accounts),
            [each if each in METHODS else "" for each in methods],
            _filled(paths),
            status,
            [int(each * 1_000_000) for each in took],
            _filled(reasons),
            [found[pair][0] for pair in pairs],
            [found[pair][1] for pair in pairs],
        )

    def _addresses(self, peer: str, forwarded: str) -> tuple[str, str]:
        if not forwarded and ":" not in peer:
            return peer, ""  # an IPv4 address in the server's form
        address = str(caller_address(peer, (forwarded,) if forwarded else (), self._trusted))
        own = str(peer_address(peer))
        return address, "" if own == address else own


def _filled(column: list[str | None]) -> list[str]:
    return [each or "" for each in column]
