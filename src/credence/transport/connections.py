"""How long may a connection stay, and how many may one address have? (threats §3, P13)

The HTTP server bounds the head of a request once its first bytes have come, and the kernel a reader who stalls. What is
left is judged here: connections on which no request was ever heard, idle ones, and too many of one address.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from credence.access.caller_address import Network, address_prefix, peer_address
from credence.clock import Milliseconds

HEAD_DEADLINE = 10_000
"""Milliseconds in which the whole head of a request must have come: here of the first, from connect; the HTTP server
counts from the first byte of each (threats §3)."""

IDLE_DEADLINE = 60_000
"""Milliseconds without a byte in either direction. An HTTP/1 connection between requests ends sooner, in the server."""

Peer = tuple[str, str | int]
"""Address and port, both as the server tells them to the application."""


@dataclass(slots=True)
class Connection:
    """One connection as it was first seen. `number` is the kernel's for its socket, and never used again."""

    number: int
    peer: Peer
    counts_for: str | None
    """The address prefix whose share it takes; None for a trusted proxy's, which speaks for many."""
    since: Milliseconds
    heard: bool = False
    """Whether a request has come on it."""


class Connections:
    """What is known of the connections of this process. `hear` is called for each request, `judge` now and then."""

    def __init__(self) -> None:
        self._known: dict[int, Connection] = {}
        self._heard: set[Peer] = set()
        self.hear = self._heard.add
        """Note that a request came from this peer."""

    def knows(self, number: int) -> bool:
        """Tell whether this connection has been met."""
        return number in self._known

    def meet(self, connection: Connection) -> None:
        """Take note of a connection seen for the first time."""
        self._known[connection.number] = connection

    def keep(self, open_now: Iterable[int], heard_of: frozenset[Peer]) -> None:
        """Forget what is closed. `heard_of` was taken before the open connections were counted, so none is missed."""
        self._known = {number: self._known[number] for number in open_now if number in self._known}
        for connection in self._known.values():
            connection.heard = connection.heard or connection.peer in heard_of
        self._heard -= heard_of

    def heard_until_now(self) -> frozenset[Peer]:
        """Return the peers that requests came from since the last `keep`."""
        return frozenset(self._heard)

    def judge(
        self, now: Milliseconds, quiet_for: Callable[[int], Milliseconds | None], per_address: int
    ) -> Iterator[tuple[int, str]]:
        """Yield the number of each connection to close, and why: `silent`, `idle` or `crowded`.

        `quiet_for` tells for how long no byte went either way, None when it is closed already. An address may have
        `per_address` connections, 0 for any number; the oldest stay.
        """
        counted: dict[str, int] = {}
        for connection in self._known.values():
            age = now - connection.since
            prefix = connection.counts_for
            if not connection.heard and age >= HEAD_DEADLINE:
                yield connection.number, "silent"
            elif age >= IDLE_DEADLINE and _idle(quiet_for(connection.number)):
                yield connection.number, "idle"
            elif per_address and prefix is not None:
                counted[prefix] = many = counted.get(prefix, 0) + 1
                if many > per_address:
                    yield connection.number, "crowded"


def counts_for(host: str, trusted: Sequence[Network]) -> str | None:
    """Return the address prefix that a connection from there takes a share of; None when it is a trusted proxy."""
    address = peer_address(host)
    return None if any(address in network for network in trusted) else address_prefix(address)


def _idle(quiet: Milliseconds | None) -> bool:
    return quiet is not None and quiet >= IDLE_DEADLINE
