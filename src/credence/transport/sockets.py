"""Closes connections that the HTTP server leaves open, by finding its sockets among the process's open files (Linux).

Why: the server (granian) closes neither a connection without a request nor an idle one nor one whose peer does not read,
has no limit per address, and gives the application no access to its sockets. Threats P13 requires all these limits. The
module can be removed once the server has them.

How, every two seconds:

1. List `/proc/self/fd`. `fstat` shows which descriptors are sockets and gives each socket's inode number, which
   identifies a connection; the descriptor itself does not, because the server may close it and the kernel reuse it.
2. For a number seen for the first time, read family, type, local port and peer. Only TCP connections accepted on the
   server's port are kept. The listening socket gets TCP_USER_TIMEOUT and SO_KEEPALIVE, which accepted sockets inherit:
   with these the kernel ends a connection whose reader stalls.
3. `connections.py` decides which connections have expired. What a peer has read comes from the kernel (TCP_INFO, SIOCOUTQ).
4. `shutdown` both directions. The server then reads end of file and closes the descriptor itself.

Every access goes through a duplicate (`dup`) of the descriptor whose inode number is compared again: the duplicate
stays the same socket even if the server closes its own descriptor in the meantime.
"""

import asyncio
import fcntl
import os
import socket
import stat
import struct
import termios
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from credence import clock
from credence.access.caller_address import Network
from credence.telemetry.log import event
from credence.transport.answers import Answers
from credence.transport.connections import Connection, Peer, Progress, counted_prefix

INSPECTION_INTERVAL_SECONDS = 2.0
"""The interval of inspections, by which a connection may exceed its deadline."""

TURN_SECONDS = 0.000_25
"""The time of inspection after which the event loop serves requests again.

Thousands of connections take many times as long as a request, which would wait for all of them.
"""

STALLED_READER_TIMEOUT_MS = 20_000
"""The time after which the kernel ends a connection that acknowledges no data (threats section 3, RFC 5482)."""

_OPEN_FILES = "/proc/self/fd"

_TCP_INFO_ACKNOWLEDGED = struct.Struct("=120xQ")
"""tcpi_bytes_acked in `struct tcp_info` of linux/tcp.h."""

_INT = struct.Struct("i")


async def close_expired(
    sockets: "Sockets", answers: Answers, trusted_proxies: Sequence[Network], per_address: int
) -> None:
    """Close the connections that have expired; `per_address` 0 means unlimited."""
    connections = answers.connections

    def register(number: int, peer: Peer) -> None:
        connections.register(Connection(number, peer, counted_prefix(peer[0], trusted_proxies), clock.seconds()))

    handed = connections.take_handed()
    open_now = await sockets.find(connections.__contains__, register)
    turn = _Turn()
    for _ in connections.update(clock.seconds(), open_now, handed, answers.octets(), sockets.progress):
        if turn.is_over():
            await turn.others()
    await turn.others()
    expired = connections.expired(clock.seconds(), answers.unread(), per_address)
    closed = Counter(reason for number, reason in expired if sockets.close(number))
    for reason, count in closed.items():
        event("connections_closed", reason=reason, connections=count)


class _Turn:
    """Measures the time until the inspection lets other work run."""

    def __init__(self) -> None:
        self._until = clock.seconds() + TURN_SECONDS

    def is_over(self) -> bool:
        return clock.seconds() >= self._until

    async def others(self) -> None:
        """Let other work run, and begin the next turn."""
        await asyncio.sleep(0)
        self._until = clock.seconds() + TURN_SECONDS


class Sockets:
    """The connections accepted on one port, by inode number."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._descriptors: dict[int, int] = {}
        self._others: set[int] = set()
        """Sockets that are not connections on the port; they are not inspected again."""

    async def find(self, is_known: Callable[[int], bool], register: Callable[[int, Peer], None]) -> list[int]:
        """Return the numbers of all open connections, after `register` was called with each new one."""
        found: dict[int, int] = {}
        others: set[int] = set()
        with os.scandir(_OPEN_FILES) as files:
            turn = _Turn()
            for file in files:
                if turn.is_over():
                    await turn.others()
                descriptor = int(file.name)
                number = _inode_number(descriptor)
                if number is None:
                    continue
                if is_known(number):
                    found[number] = descriptor
                elif number in self._others:
                    others.add(number)
                elif (peer := self._inspect(descriptor)) is not None:
                    register(number, peer)
                    found[number] = descriptor
                else:
                    others.add(number)
        self._descriptors, self._others = found, others
        return list(found)

    def progress(self, number: int) -> Progress | None:
        """Return how much the peer has acknowledged; None if the connection is closed."""
        with self._duplicate_of(number) as connection:
            if connection is None:
                return None
            (acknowledged,) = _TCP_INFO_ACKNOWLEDGED.unpack_from(
                connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, _TCP_INFO_ACKNOWLEDGED.size)
            )
            (queued,) = _INT.unpack(fcntl.ioctl(connection, termios.TIOCOUTQ, _INT.pack(0)))
        return Progress(acknowledged, queued)

    def close(self, number: int) -> bool:
        """Shut down both directions; the server then closes the socket. Return False if it is closed already."""
        with self._duplicate_of(number) as connection:
            if connection is None:
                return False
            try:
                connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                return False
        return True

    def _inspect(self, descriptor: int) -> Peer | None:
        """Return the peer of a new connection and set its kernel timeouts; None for any other socket."""
        with _duplicate(descriptor) as found:
            if found is None or found.family not in {socket.AF_INET, socket.AF_INET6}:
                return None
            try:
                if found.type != socket.SOCK_STREAM or found.getsockname()[1] != self._port:
                    return None
                # On the listening socket too: the connections it accepts inherit both options.
                found.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, STALLED_READER_TIMEOUT_MS)
                found.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
                if found.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
                    return None
                host, port = found.getpeername()[:2]
            except OSError:
                return None
            return host, str(port)

    @contextmanager
    def _duplicate_of(self, number: int) -> Iterator[socket.socket | None]:
        with _duplicate(self._descriptors.get(number, -1)) as found:
            yield found if found is not None and _inode_number(found.fileno()) == number else None


def _inode_number(descriptor: int) -> int | None:
    """Return the inode number of a socket; None for any other file."""
    try:
        status = os.fstat(descriptor)
    except OSError:
        return None
    return status.st_ino if stat.S_ISSOCK(status.st_mode) else None


@contextmanager
def _duplicate(descriptor: int) -> Iterator[socket.socket | None]:
    """Duplicate the descriptor of a socket and close the duplicate at the end; None when that is not possible."""
    try:
        copy = os.dup(descriptor)
    except OSError:
        yield None
        return
    try:
        duplicate = socket.socket(fileno=copy)
    except OSError:
        os.close(copy)
        yield None
        return
    with duplicate:
        yield duplicate
