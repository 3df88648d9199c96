"""The addresses on which a server listens: whether they exist and are free."""

import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from credence.cli.failure import Failure


@contextmanager
def free_port(host: str) -> Iterator[int]:
    """Reserve a free port; the server binds the same port with SO_REUSEPORT."""
    with ExitStack() as sockets:
        with _explained(host, 0, "Choose --host"):
            kept = sockets.enter_context(_bound(host, 0, socket.SO_REUSEPORT))
        yield kept.getsockname()[1]


def require_free(host: str, port: int, remedy: str = "Choose --host or --port") -> None:
    """Raise Failure when the port is in use: the server shares ports (SO_REUSEPORT), so its own bind would succeed."""
    with _explained(host, port, remedy), _bound(host, port, socket.SO_REUSEADDR) as probe:
        probe.listen()


@contextmanager
def _bound(host: str, port: int, option: int) -> Iterator[socket.socket]:
    """Bind a socket to an address, with one socket option."""
    family, kind, protocol, _, address = _resolved(host, port)
    with socket.socket(family, kind, protocol) as bound:
        bound.setsockopt(socket.SOL_SOCKET, option, 1)
        bound.bind(address)
        yield bound


@contextmanager
def _explained(host: str, port: int, remedy: str) -> Iterator[None]:
    """Raise Failure if the address cannot be bound."""
    try:
        yield
    except OSError as error:
        raise Failure(f"Nothing can listen on {host} port {port}: {error.strerror}. {remedy}.") from error


def require_known(host: str, variable: str) -> None:
    """Raise Failure if a setting names a host without an address. Whether its port is free does not count."""
    try:
        _resolved(host, 0)
    except OSError as error:
        raise Failure(f"{variable}: nothing can listen on {host}: {error.strerror}.") from error


def _resolved(host: str, port: int) -> tuple[int, int, int, str, Any]:
    """Return the first address of a host, as `socket.getaddrinfo` does. Raises OSError."""
    try:
        return socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
    except UnicodeError:  # a name that no host can have, such as a..b
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known") from None
