"""Copies of both trails for programs elsewhere: standard output, syslog, a socket, or a file (threats F2, A11).

A line is copied once it is in its file, with its link. Each destination has a thread, so that none delays the service:
lines that cannot be sent are counted, logged once, and reported to the destination when it works again.
"""

import os
import re
import select
import socket
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any
from urllib.parse import urlsplit

from credence.files import OWNER_ONLY
from credence.telemetry.line_writer import LineWriter
from credence.telemetry.log import error, event

STDOUT, SYSLOG = "stdout", "syslog"

is_destination = re.compile(
    r"stdout|syslog|syslog://(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9.\-]+)(:[0-9]{1,5})?|"
    r"tcp://(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9.\-]+):[0-9]{1,5}|unix:///.{1,100}|file:///.{1,200}"
).fullmatch
"""Matches the text of a destination."""

_STANDARD_OUTPUT = 1
_SEND_SECONDS = 2.0
_SYSLOG_PORT = 514
_LOCAL_SYSLOG = "/dev/log"

_AUTHPRIV_INFO = b"<86>credence: "
"""Facility 10, severity 6, and the tag, in the form that programs write to the local syslog."""
_AUDIT_INFO = b"<110>1 - - credence - audit - "
"""Facility 13 (log audit), severity 6 (RFC 5424 §6.2.1). The line itself contains the time."""

Send = Callable[[Sequence[bytes]], None]


class AuditCopies:
    """The destinations of a process."""

    def __init__(self, destinations: Sequence[str]) -> None:
        senders = [_sender(each) for each in destinations]
        self._streams = [each for each in senders if isinstance(each, _Stream)]
        self._writers = [
            LineWriter(send, partial(_missing, each), partial(_log_state, each))
            for each, send in zip(destinations, senders, strict=True)
        ]

    @property
    def unavailable(self) -> int | None:
        """The number of destinations that receive nothing now; None if there are no destinations."""
        return sum(each.fault is not None for each in self._writers) if self._writers else None

    def put(self, data: bytes) -> None:
        """Send complete lines to every destination. Never waits and never fails."""
        for line in data.splitlines(keepends=True):
            for writer in self._writers:
                writer.put(line)

    def close(self, seconds: float) -> None:
        """Send the waiting lines, for at most `seconds` per destination."""
        for writer in self._writers:
            writer.close(seconds)
        for stream in self._streams:
            stream.close()


def _sender(destination: str) -> Send:
    if destination == STDOUT:
        return partial(_write, _STANDARD_OUTPUT)
    if destination == SYSLOG:
        return _Datagrams(socket.AF_UNIX, _LOCAL_SYSLOG, _AUTHPRIV_INFO)
    parts = urlsplit(destination)
    if parts.scheme == "file":
        return partial(_append, parts.path)
    if parts.scheme == "syslog":
        return _Datagrams(None, (parts.hostname or "", parts.port or _SYSLOG_PORT), _AUDIT_INFO)
    return _Stream(parts.path if parts.scheme == "unix" else (parts.hostname or "", parts.port or 0))


def _write(descriptor: int, lines: Sequence[bytes]) -> None:
    """Write lines one by one: a pipe does not mix short ones with those of other processes (POSIX, PIPE_BUF)."""
    for line in lines:
        rest = memoryview(line)
        while rest:
            rest = rest[os.write(descriptor, rest) :]


def _append(path: str, lines: Sequence[bytes]) -> None:
    """Append to a file, which is opened each time: it may be the output of another process, or have been moved away."""
    descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOCTTY, OWNER_ONLY)
    try:
        _write(descriptor, lines)
    finally:
        os.close(descriptor)


class _Datagrams:
    """Sends each line as one message of syslog."""

    def __init__(self, family: socket.AddressFamily | None, address: str | tuple[str, int], prefix: bytes) -> None:
        self._family = family
        self._address = address
        self._prefix = prefix

    def __call__(self, lines: Sequence[bytes]) -> None:
        family: int | None = self._family
        address: Any = self._address
        if family is None:
            host, port = address
            family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_DGRAM)[0]
        with socket.socket(family, socket.SOCK_DGRAM) as sending:
            sending.settimeout(_SEND_SECONDS)
            for line in lines:
                sending.sendto(self._prefix + line.rstrip(b"\n"), address)


class _Stream:
    """Sends lines over one connection, which is opened again after an error."""

    def __init__(self, address: str | tuple[str, int]) -> None:
        self._address = address
        self._connection: socket.socket | None = None

    def __call__(self, lines: Sequence[bytes]) -> None:
        if self._connection is not None and _is_closed(self._connection):
            self.close()
        try:
            if self._connection is None:
                self._connection = _connected(self._address)
            self._connection.sendall(b"".join(lines))
        except OSError:
            self.close()
            raise

    def close(self) -> None:
        """Close the connection, if there is one."""
        if self._connection is not None:
            self._connection.close()
        self._connection = None


def _connected(address: str | tuple[str, int]) -> socket.socket:
    if isinstance(address, tuple):
        return socket.create_connection(address, timeout=_SEND_SECONDS)
    connection = socket.socket(socket.AF_UNIX)
    connection.settimeout(_SEND_SECONDS)
    try:
        connection.connect(address)
    except OSError:
        connection.close()
        raise
    return connection


def _is_closed(connection: socket.socket) -> bool:
    """Return whether the other end has closed the connection: lines sent now would be lost without an error."""
    if not select.select([connection], [], [], 0)[0]:
        return False
    try:
        return connection.recv(1, socket.MSG_PEEK) == b""
    except OSError:
        return True


def _missing(destination: str, count: int) -> bytes:
    return f'{{"event":"audit_copies_lost","lines":{count},"destination":"{destination}"}}\n'.encode()


def _log_state(destination: str, fault: str | None) -> None:
    if fault is None:
        event("audit_copy_resumed", destination=destination)
    else:
        error("audit_copy_unavailable", destination=destination, fault=fault)
