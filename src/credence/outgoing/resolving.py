"""Resolves names of hosts with the machine's resolver, in threads that nothing else uses (threats A5, E3).

A name server that does not answer holds a thread for up to half a minute, also after the call was given up, and a client
chooses the name server with the host.
"""

import asyncio
import socket
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial

Resolve = Callable[[str, int], Awaitable[Sequence[str]]]
"""Returns every address of a name, as text; OSError if it has none."""

THREADS = 8


def system_resolver() -> Resolve:
    """Return a resolver with at most `THREADS` threads, which begin when they are needed."""
    threads = ThreadPoolExecutor(THREADS, thread_name_prefix="resolver")

    async def resolve(host: str, port: int) -> Sequence[str]:
        asked = partial(socket.getaddrinfo, host, port, type=socket.SOCK_STREAM)
        found = await asyncio.get_running_loop().run_in_executor(threads, asked)
        return list(dict.fromkeys(str(address[0]) for *_, address in found))

    return resolve
