"""A PgBouncer in transaction mode before the database: statements of one node land on any connection."""

import asyncio
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import pytest

from credence.store.postgres.store import open_postgres
from credence.store.tallies import Tally, TallyIncrement
from tests.ports import free_port
from tests.postgres import open_folder, unprivileged
from tests.store.records import DAY, NOW, family, log_in, parameters

PROGRAM = "pgbouncer"
STARTED_WITHIN = 10.0


@contextmanager
def pooler(url: str) -> Iterator[str]:
    """The address of a pooler before the database at `url`; it holds two connections for all who come."""
    if shutil.which(PROGRAM) is None:
        pytest.skip(f"{PROGRAM} is missing: python -m tests.provision")
    with open_folder() as folder:
        yield from _run(folder, url)


def _run(folder: Path, url: str) -> Iterator[str]:
    parts, port = urlsplit(url), free_port()
    users, settings = folder / "users.txt", folder / "pgbouncer.ini"
    users.write_text(f'"{parts.username}" "{parts.password}"\n')
    settings.write_text(
        f"[databases]\n* = host={parts.hostname} port={parts.port}\n"
        f"[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {port}\nunix_socket_dir =\n"
        f"auth_type = plain\nauth_file = {users}\npool_mode = transaction\ndefault_pool_size = 2\n"
    )
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(
            unprivileged([PROGRAM, "-q", str(settings)]), stdin=subprocess.DEVNULL, stdout=log, stderr=log
        )
    try:
        deadline = time.monotonic() + STARTED_WITHIN
        while True:
            try:
                socket.create_connection(("127.0.0.1", port)).close()
                break
            except OSError:
                assert time.monotonic() < deadline, (folder / "log").read_text()
                time.sleep(0.05)
        yield urlunsplit(parts._replace(netloc=f"{parts.username}:{parts.password}@127.0.0.1:{port}"))
    finally:
        process.terminate()
        process.wait()


async def test_two_nodes_over_a_pooler_in_transaction_mode_keep_the_contract(postgres: str) -> None:
    """Rotations, several statements in one transaction, and a revocation that no notice announces."""
    with pooler(postgres) as url:
        here, there = await open_postgres(url), await open_postgres(url)
        await log_in(here, family())
        for generation in range(20):
            both = [store.rotate(family().id, generation, parameters()) for store in (here, there) for _ in range(8)]
            assert sum(rotated is not None for rotated in await asyncio.gather(*both)) == 1
        increment = TallyIncrement(b"k" * 16, step=10, max_ahead=10_000)
        await asyncio.gather(*(store.count_failure([increment], NOW) for store in (here, there) for _ in range(10)))
        assert await here.tallies([increment.key]) == [Tally(NOW + 200)]
        await asyncio.sleep(1)
        before = there.change_marker()
        await here.revoke_token("a.1", NOW + DAY)
        await asyncio.sleep(1)
        assert there.change_marker() != before
        await here.close()
        await there.close()
