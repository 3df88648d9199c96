"""Decides how long a connection may stay open, and how many one address may have (threats P13 and its section 3).

The HTTP server limits the time for a request's head from its first byte, and the kernel ends a connection whose reader
acknowledges nothing. This module detects the rest: connections without any request, idle connections, slow readers, too
many unread octets, and too many connections from one address. Times are monotonic.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from credence.access.caller_address import Network, address_prefix, counted_networks, peer_address

HEAD_DEADLINE_MS = 10_000
"""The time for the whole head of a request: for the first one from the connect; in the HTTP server for each one."""

IDLE_SECONDS = 60
"""The maximum time without a request, while no answer is being read. The server closes an HTTP/1 connection earlier."""

READING_SECONDS = 20
"""The time over which the rate of a reader is measured."""

LEAST_OCTETS_READ = 10_240
"""The minimum number of octets that a reader must acknowledge in that time, while some are waiting for it."""

MAX_UNREAD_PER_ADDRESS = 16 * 1024 * 1024
"""The maximum number of unread octets of answers for one address."""

MAX_UNREAD = 128 * 1024 * 1024
"""The maximum number of unread octets of answers for all addresses at this process."""

Peer = tuple[str, str | int]
"""Address and port, in the form in which the HTTP server passes them to the application."""


class Progress(NamedTuple):
    """The kernel's counts of octets sent over a connection."""

    acknowledged: int
    """Octets that the peer has acknowledged since it connected."""
    queued: int
    """Octets that the peer has not acknowledged."""


@dataclass(slots=True)
class Connection:
    """One open connection."""

    number: int
    """The kernel's inode number of its socket."""
    peer: Peer
    prefix: str | None
    """The address prefix to which it counts; None for a trusted proxy, which forwards many callers."""
    since: float
    has_request: bool = False
    active_at: float = 0.0
    """When it last had a request, or its peer last read."""
    acknowledged: int = 0
    unread: int = 0
    """A lower bound of the octets of answers that the server has accepted and the peer has not read."""
    waiting: int = 0
    """Octets of answers that the server has not accepted yet."""
    slow_since: float | None = None
    """Since when octets have been waiting for the peer; None when none are."""
    slow_from: int = 0
    """The acknowledged octets at that time."""


class Connections:
    """The open connections of this process, by number."""

    def __init__(self) -> None:
        self._open: dict[int, Connection] = {}
        self.handed: dict[Peer, int] = {}
        """Peer -> octets of answers that the server accepted since the last `take_handed`; 0 before the first answer.

        Every request writes it, so directly and not by a call.
        """

    def __contains__(self, number: int) -> bool:
        return number in self._open

    def register(self, connection: Connection) -> None:
        """Add a new connection."""
        self._open[connection.number] = connection

    def take_handed(self) -> Mapping[Peer, int]:
        """Return `handed` and start a new one."""
        handed, self.handed = self.handed, {}
        return handed

    def update(
        self,
        now: float,
        open_now: Iterable[int],
        handed: Mapping[Peer, int],
        waiting: Mapping[Peer, int],
        progress: Callable[[int], Progress | None],
    ) -> Iterator[None]:
        """Remove closed connections and update the others; yields after each, so that other work can run.

        `handed` comes from `take_handed`, called before `open_now` was listed, so that every peer in it is listed.
        `waiting` are the octets that the server has not accepted yet. `progress` is called for those with unread octets.
        """
        self._open = {number: self._open[number] for number in open_now if number in self._open}
        for connection in self._open.values():
            octets = handed.get(connection.peer)
            connection.waiting = waiting.get(connection.peer, 0)
            if octets is not None or connection.waiting:
                connection.has_request, connection.active_at = True, now
            if octets is not None or connection.unread:
                _note_reading(connection, now, octets or 0, progress(connection.number))
            yield

    def expired(self, now: float, stalled: set[Peer], per_address: int) -> Iterator[tuple[int, str]]:
        """Yield the number of each connection to close, and the reason code.

        The reasons: `no_request`, `idle`, `unread_answer` for the peers in `stalled`, `slow_reader`, `too_many` and
        `too_much_unread`. An address may have `per_address` connections (0: unlimited); the oldest are kept.
        """
        closed: set[int] = set()
        for number, reason in self._at_fault(now, stalled, per_address):
            closed.add(number)
            yield number, reason
        for number in self._in_excess(closed):
            yield number, "too_much_unread"

    def _at_fault(self, now: float, stalled: set[Peer], per_address: int) -> Iterator[tuple[int, str]]:
        counts: dict[str, int] = {}
        for connection in self._open.values():
            prefix = connection.prefix
            if not connection.has_request and now - connection.since >= HEAD_DEADLINE_MS / 1000:
                yield connection.number, "no_request"
            elif connection.peer in stalled:
                yield connection.number, "unread_answer"
            elif connection.slow_since is not None and now - connection.slow_since >= READING_SECONDS:
                yield connection.number, "slow_reader"
            elif connection.has_request and now - connection.active_at >= IDLE_SECONDS:
                yield connection.number, "idle"
            elif per_address and prefix is not None:
                counts[prefix] = counts.get(prefix, 0) + 1
                if counts[prefix] > per_address:
                    yield connection.number, "too_many"

    def _in_excess(self, closed: set[int]) -> Iterator[int]:
        """Yield connections until the rest is within the limits: of the networks with the most unread octets the largest.

        So a caller who reads one long answer keeps the connection while others hold many short ones (threats A5).
        """
        holding = [each for each in self._open.values() if each.number not in closed and each.unread + each.waiting]
        of_address, of_network = Counter[str](), Counter[str]()
        for each in holding:
            of_address[_address(each)] += each.unread + each.waiting
            of_network[_network(each)] += each.unread + each.waiting
        total = of_address.total()
        holding.sort(key=lambda each: (of_network[_network(each)], each.unread + each.waiting), reverse=True)
        for each in holding:
            held = each.unread + each.waiting
            of_one = of_address[_address(each)] if each.prefix is not None else 0
            if total > MAX_UNREAD or of_one > MAX_UNREAD_PER_ADDRESS:
                yield each.number
                total -= held
                of_address[_address(each)] -= held


def _address(connection: Connection) -> str:
    """Return the address prefix that holds the octets of a connection; that of a trusted proxy holds its own."""
    return connection.prefix or f"connection {connection.number}"


def _network(connection: Connection) -> str:
    return counted_networks(connection.prefix)[-1] if connection.prefix else _address(connection)


def _note_reading(connection: Connection, now: float, handed: int, progress: Progress | None) -> None:
    """Update how far the peer has read.

    The octets handed over are those of bodies; the acknowledged ones include heads, frames and TLS. So `unread` is a lower
    bound, and never negative. The octets waiting in the kernel are exact.
    """
    if progress is None:
        return
    read = progress.acknowledged - connection.acknowledged
    connection.acknowledged = progress.acknowledged
    connection.unread = max(progress.queued, connection.unread + handed - read, 0)
    if not progress.queued:
        connection.slow_since = None
    elif connection.slow_since is None or progress.acknowledged - connection.slow_from >= LEAST_OCTETS_READ:
        connection.slow_since, connection.slow_from, connection.active_at = now, progress.acknowledged, now


def counted_prefix(host: str, trusted_proxies: Sequence[Network]) -> str | None:
    """Return the address prefix to which a connection from `host` counts; None for a trusted proxy."""
    address = peer_address(host)
    return None if any(address in network for network in trusted_proxies) else address_prefix(address)
