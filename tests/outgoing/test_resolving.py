"""Names whose name servers do not answer (threats A5, E3)."""

import asyncio
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from credence.outgoing.addresses import THREADS
from credence.outgoing.client import Call, OutgoingClient, Standing
from credence.outgoing.target import OutgoingRules
from tests.outgoing.receivers import LOOPBACK, authority, receiver
from tests.waiting import until

ASKED = socket.getaddrinfo


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The names below `silent.example` that are being resolved, until the end of the test."""
    names: list[str] = []
    ended = threading.Event()

    def resolve(host: str, *more: Any, **options: Any) -> Any:
        if not host.endswith(".silent.example"):
            return ASKED(host, *more, **options)
        names.append(host)
        ended.wait(60)
        raise socket.gaierror(socket.EAI_AGAIN, "Temporary failure in name resolution")

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    yield names
    ended.set()


async def test_names_that_strangers_choose_hold_no_thread_of_others(tmp_path: Path, held: list[str]) -> None:
    """On two cores six such names stopped every other call, and whatever else a thread does, such as an operator's act."""
    async with receiver(tmp_path) as found:
        rules = OutgoingRules(networks=LOOPBACK, ports=(443, found.port))
        client = OutgoingClient(rules, lambda _: None, authority(tmp_path))

        def call(host: str, standing: Standing) -> Call:
            return Call("test", "GET", f"https://{host}:{found.port}/", standing=standing)

        silent = [
            asyncio.create_task(client.call(call(f"{number}.silent.example", "new"))) for number in range(3 * THREADS)
        ]
        await until(lambda: len(held) == THREADS, 30)
        assert await asyncio.wait_for(asyncio.to_thread(int, "1"), 30) == 1
        answers = [await client.call(call("localhost", standing)) for standing in ("known", "verified")]
        assert [each.status for each in answers] == [204, 204]
        assert not any(each.done() for each in silent)
        for each in silent:
            each.cancel()
        await asyncio.wait(silent)
