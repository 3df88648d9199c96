"""Ports for programs that cannot choose a free one themselves and say which it was, as `credence serve --port 0` does.

They lie below those that the system gives away by itself, so nothing takes one between the choice and its use. Each
process that runs tests has a block of its own: it holds the first port of the block for as long as it lives.
"""

import itertools
import socket
from collections.abc import Iterator
from functools import cache

FIRST, LAST, BLOCK = 10_000, 32_000, 500
"""Linux gives away ports from 32768."""


def free_port() -> int:
    """Return a port of the loopback address on which nothing listens and which no other test is given soon."""
    return next(port for port in _ports() if _bound(port, release=True))


@cache
def _ports() -> Iterator[int]:
    for first in range(FIRST, LAST, BLOCK):
        if _bound(first):
            return itertools.cycle(range(first + 1, first + BLOCK))
    raise AssertionError(f"every block of ports from {FIRST} to {LAST} is taken")


_held: list[socket.socket] = []


def _bound(port: int, *, release: bool = False) -> bool:
    probe = socket.socket()
    try:
        probe.bind(("127.0.0.1", port))
        probe.listen()
    except OSError:
        probe.close()
        return False
    if release:
        probe.close()
    else:
        _held.append(probe)
    return True
