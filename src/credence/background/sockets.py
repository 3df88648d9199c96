"""The sockets of this process as the kernel knows them: what closes a connection that the HTTP server leaves open.

The server owns them and offers no way to them, so they are found among the open files of the process (Linux). A copy of
the descriptor is taken before anything is asked or done: it stands for one socket even if the server closes its own.
"""

import asyncio
import os
import socket
import stat
import struct
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from credence.clock import Milliseconds
from credence.service import Service
from credence.telemetry.log import event
from credence.transport.connections import Connection, Peer, counts_for

LOOK_EVERY = 2.0
"""Seconds between two looks; a deadline may be late by this."""

AT_ONCE = 100
"""Sockets looked at before requests have their turn again."""

STALLED = 20_000
"""Milliseconds after which the kernel gives up a reader who takes nothing of an answer (threats §3, RFC 5482)."""

_OPEN_FILES = "/proc/self/fd"

_TCP_INFO_TIMES = struct.Struct("=44xI4xI")
"""Of `struct tcp_info` in linux/tcp.h: last_data_sent and last_data_recv, each in milliseconds ago."""


async def look(sockets: "Sockets", service: Service) -> None:
    """Find the connections that are open now and close those that `transport/connections.py` judges."""
    settings, connections, clock = service.settings, service.connections, service.clock

    def meet(number: int, peer: Peer) -> None:
        share = counts_for(peer[0], settings.trusted_proxies)
        connections.meet(Connection(number, peer, share, clock()))

    heard = connections.heard_until_now()
    connections.keep(await sockets.find(connections.knows, meet), heard)
    await asyncio.sleep(0)
    judged = connections.judge(clock(), sockets.quiet_for, settings.connections_per_address)
    closed = Counter(reason for number, reason in judged if sockets.close(number))
    for reason, count in closed.items():
        event("connections_closed", reason=reason, connections=count)


class Sockets:
    """The connections that came in on one port, by the kernel's number of each socket."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._descriptors: dict[int, int] = {}
        self._others: set[int] = set()

    async def find(self, knows: Callable[[int], bool], meet: Callable[[int, Peer], None]) -> list[int]:
        """Return the numbers of all open connections, after telling `meet` about those not known yet."""
        found: dict[int, int] = {}
        others: set[int] = set()
        with os.scandir(_OPEN_FILES) as files:
            for looked_at, file in enumerate(files):
                if looked_at % AT_ONCE == AT_ONCE - 1:
                    await asyncio.sleep(0)
                descriptor = int(file.name)
                number = _socket_number(descriptor)
                if number is None:
                    continue
                if knows(number):
                    found[number] = descriptor
                elif number in self._others:
                    others.add(number)
                elif (peer := self._greet(descriptor)) is not None:
                    meet(number, peer)
                    found[number] = descriptor
                else:
                    others.add(number)
        self._descriptors, self._others = found, others
        return list(found)

    def quiet_for(self, number: int) -> Milliseconds | None:
        """Return for how many milliseconds no data went either way; None when the connection is gone."""
        with self._copy(number) as held:
            if held is None:
                return None
            sent, received = _TCP_INFO_TIMES.unpack_from(
                held.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, _TCP_INFO_TIMES.size)
            )
        return int(min(sent, received))

    def close(self, number: int) -> bool:
        """End the connection for both sides; the server notices and lets go of it. False when it is gone already."""
        with self._copy(number) as held:
            if held is None:
                return False
            try:
                held.shutdown(socket.SHUT_RDWR)
            except OSError:
                return False
        return True

    def _greet(self, descriptor: int) -> Peer | None:
        """Return the peer of a socket met for the first time; None when it is none of ours."""
        with _copied(descriptor) as held:
            if held is None or held.family not in {socket.AF_INET, socket.AF_INET6}:
                return None
            try:
                if held.type != socket.SOCK_STREAM or held.getsockname()[1] != self._port:
                    return None
                _give_up_on_stalled_readers(held)
                if held.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
                    return None
                host, port = held.getpeername()[:2]
            except OSError:
                return None
            return host, str(port)

    @contextmanager
    def _copy(self, number: int) -> Iterator[socket.socket | None]:
        descriptor = self._descriptors.get(number, -1)
        with _copied(descriptor) as held:
            yield held if held is not None and _socket_number(held.fileno()) == number else None


def _give_up_on_stalled_readers(held: socket.socket) -> None:
    """Set a connection up, or a listener: what it accepts from now on inherits both."""
    held.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, STALLED)
    held.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)


def _socket_number(descriptor: int) -> int | None:
    try:
        status = os.fstat(descriptor)
    except OSError:
        return None
    return status.st_ino if stat.S_ISSOCK(status.st_mode) else None


@contextmanager
def _copied(descriptor: int) -> Iterator[socket.socket | None]:
    try:
        copy = os.dup(descriptor)
    except OSError:
        yield None
        return
    try:
        held = socket.socket(fileno=copy)
    except OSError:
        os.close(copy)
        yield None
        return
    with held:
        yield held
