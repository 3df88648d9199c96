"""Thousands of clients who keep a server waiting: `python -m bench.crowd PORT IDLE SLOW`, until standard input ends.

The idle ones ask once and then stay; the slow ones write a head letter by letter. Whoever is disconnected comes back.
They come from many loopback addresses, as a real crowd does: one address may hold only so many connections.
"""

import asyncio
import contextlib
import os
import resource
import socket
import sys
from collections.abc import Awaitable, Callable

from credence import paths

HEAD = f"GET {paths.LIVE} HTTP/1.1\r\nHost: localhost\r\nX-Slow: {'x' * 2_000}\r\n\r\n".encode()
QUICK = f"GET {paths.LIVE} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()

Act = Callable[[socket.socket], Awaitable[None]]

PER_ADDRESS = 500
AT_ONCE = 64
"""Connections being opened at a time, fewer than the server lets wait."""

BETWEEN_LETTERS = 1.0
"""Seconds."""

SPREAD = 10.0
"""Seconds over which they come in, so that they are not disconnected in one moment either."""


async def crowd(port: int, idle: int, slow: int) -> None:
    """Say `ready` on standard output once everybody has come in, and stay until standard input ends."""
    gate, inside = asyncio.Semaphore(AT_ONCE), asyncio.Event()
    missing = idle + slow

    def entered() -> None:
        nonlocal missing
        missing -= 1
        if missing == 0:
            inside.set()

    acts: list[Act] = [*[stay] * idle, *[dawdle] * slow]
    members = [
        asyncio.create_task(
            come_again(port, f"127.1.{number // PER_ADDRESS}.1", act, gate, entered, SPREAD * number / len(acts))
        )
        for number, act in enumerate(acts)
    ]
    await inside.wait()
    print("ready", flush=True)
    await asyncio.to_thread(sys.stdin.read)
    for member in members:
        member.cancel()
    await asyncio.gather(*members, return_exceptions=True)


async def come_again(
    port: int, source: str, act: Act, gate: asyncio.Semaphore, entered: Callable[[], None], later: float
) -> None:
    """Connect after so many seconds, do what one does, and connect again when it is over."""
    await asyncio.sleep(later)
    first = True
    while True:
        with contextlib.suppress(OSError), socket.socket() as connection:
            connection.setblocking(False)
            connection.bind((source, 0))
            async with gate:
                await asyncio.get_running_loop().sock_connect(connection, ("127.0.0.1", port))
            if first:
                entered()
                first = False
            await act(connection)
        await asyncio.sleep(0.1)


async def stay(connection: socket.socket) -> None:
    """Ask once, and hold the connection until it is closed."""
    loop = asyncio.get_running_loop()
    await loop.sock_sendall(connection, QUICK)
    while await loop.sock_recv(connection, 4_096):
        pass


async def dawdle(connection: socket.socket) -> None:
    """Write a head that takes half an hour."""
    loop = asyncio.get_running_loop()
    for letter in HEAD:
        await loop.sock_sendall(connection, bytes([letter]))
        await asyncio.sleep(BETWEEN_LETTERS)


def main(port: int, idle: int, slow: int) -> None:
    """Ask for enough open files and bring the crowd.

    It uses what the load generator leaves of their core, so that its own work is not measured as the server's.
    """
    os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))  # the load generator on the same core goes first
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    asyncio.run(crowd(port, idle, slow))


if __name__ == "__main__":
    main(*(int(argument) for argument in sys.argv[1:4]))
