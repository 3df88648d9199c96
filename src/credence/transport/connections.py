"""How long a connection may stay open, and how many one address may have (threats P13 and its section 3).

The HTTP server limits the time for a request's head from its first byte, and the kernel ends a connection whose reader
stalls. This module finds the rest: connections without any request, idle connections, and too many from one address.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from credence.access.caller_address import Network, address_prefix, peer_address
from credence.clock import Milliseconds

HEAD_DEADLINE_MS = 10_000
"""Time for the whole head of a request: here of the first one, from the connect; in the HTTP server, of each one."""

IDLE_DEADLINE_MS = 60_000
"""Time without a byte in either direction. The server closes an HTTP/1 connection between requests earlier."""

Peer = tuple[str, str | int]
"""Address and port, in the form in which the HTTP server passes them to the application."""


@dataclass(slots=True)
class Connection:
    """One open connection."""

    number: int
    """The kernel's inode number of its socket."""
    peer: Peer
    prefix: str | None
    """The address prefix that it counts for; None for a trusted proxy, which carries many callers."""
    since: Milliseconds
    has_request: bool = False


class Connections:
    """The open connections of this process, by number."""

    def __init__(self) -> None:
        self._open: dict[int, Connection] = {}
        self._active: set[Peer] = set()
        self.mark_active = self._active.add
        """Record that a request came from this peer. Called for every request."""

    def __contains__(self, number: int) -> bool:
        return number in self._open

    def register(self, connection: Connection) -> None:
        """Add a new connection."""
        self._open[connection.number] = connection

    def active_peers(self) -> frozenset[Peer]:
        """Return the peers marked active since the last `retain`."""
        return frozenset(self._active)

    def retain(self, open_now: Iterable[int], active: frozenset[Peer]) -> None:
        """Drop closed connections and note which had a request.

        `active` comes from `active_peers`, read before `open_now` was listed: so no peer is cleared too early.
        """
        self._open = {number: self._open[number] for number in open_now if number in self._open}
        for connection in self._open.values():
            connection.has_request = connection.has_request or connection.peer in active
        self._active -= active

    def expired(
        self, now: Milliseconds, idle_for: Callable[[int], Milliseconds | None], per_address: int
    ) -> Iterator[tuple[int, str]]:
        """Yield the number of each connection to close, and the reason: `no_request`, `idle` or `too_many`.

        `idle_for` returns the time since the last byte in either direction, None for a connection already closed. An
        address may have `per_address` connections (0: unlimited); the oldest are kept.
        """
        counts: dict[str, int] = {}
        for connection in self._open.values():
            age = now - connection.since
            prefix = connection.prefix
            if not connection.has_request and age >= HEAD_DEADLINE_MS:
                yield connection.number, "no_request"
            elif age >= IDLE_DEADLINE_MS and (idle_for(connection.number) or 0) >= IDLE_DEADLINE_MS:
                yield connection.number, "idle"
            elif per_address and prefix is not None:
                counts[prefix] = counts.get(prefix, 0) + 1
                if counts[prefix] > per_address:
                    yield connection.number, "too_many"


def counted_prefix(host: str, trusted_proxies: Sequence[Network]) -> str | None:
    """Return the address prefix that a connection from `host` counts for; None for a trusted proxy."""
    address = peer_address(host)
    return None if any(address in network for network in trusted_proxies) else address_prefix(address)
