"""Blocks of the request log reach the shared store when it is back, and what is dropped meanwhile is counted."""

from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest

from credence.background.clock_watch import ClockWatch
from credence.background.sharing import MAX_WAITING, request_deletion, request_sharing
from credence.request_log.block import BLOCK_RECORDS, marks_in, records_of, unpacked
from credence.request_log.log_file import LogFile
from credence.request_log.waiting import Waiting
from credence.store.contract import StoreUnavailable
from credence.store.postgres.store import open_postgres
from credence.store.shared_requests import RequestBlock, Wanted
from tests.deployment import NOW, Deployment

ALL = Wanted(0, 2**62, "elsewhere", (), 2**62)


def let_connect(url: str, allowed: bool) -> None:
    """Let the database accept connections, or end all that it has and refuse further ones."""
    name = urlsplit(url).path.removeprefix("/")
    with psycopg.connect(url.replace(f"/{name}", "/postgres", 1), autocommit=True) as connection:
        connection.execute(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS {allowed}'.encode())
        if not allowed:
            connection.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", (name,))


async def test_blocks_that_a_long_absence_of_the_store_drops_are_counted_as_lost(
    deployment: Deployment, migrated_postgres: str, tmp_path: Path
) -> None:
    """Of two blocks more than may wait the two oldest are dropped, and the oldest that is left says so."""
    store = await open_postgres(migrated_postgres)
    log, queue = LogFile(tmp_path / "requests.sqlite", 512, 7, shares=True), Waiting(())
    share = request_sharing(deployment.service, log, store.requests, ClockWatch(deployment.service.clock))
    let_connect(migrated_postgres, False)
    for number in range((MAX_WAITING + 2) * BLOCK_RECORDS):
        queue.add(
            (NOW + number, f"ab-{number}", None, None, None, "GET", "/v1/report", 200, 0.1, None, "192.0.2.7", "")
        )
        if number % (8 * BLOCK_RECORDS) == 0:
            log.write(queue, queue.take(), NOW)
    log.write(queue, queue.take(), NOW)
    with pytest.raises(StoreUnavailable):
        await share()
    let_connect(migrated_postgres, True)
    await share()
    heads = await store.requests.page(ALL)
    assert [head.lost for head in heads] == [0] * (MAX_WAITING - 1) + [2 * BLOCK_RECORDS]
    contents = await store.requests.contents([head.number for head in heads])
    firsts = [records_of(unpacked(contents[head.number]))[0].request_id for head in heads]
    assert firsts[-1] == f"ab-{2 * BLOCK_RECORDS}"
    assert None not in {marks_in(head.marks) for head in heads}
    log.close()
    await store.close()


async def test_a_node_that_keeps_no_log_deletes_its_file_and_the_blocks_of_all(
    migrated_postgres: str, tmp_path: Path
) -> None:
    store, file = await open_postgres(migrated_postgres), tmp_path / "requests.sqlite"
    await store.requests.add([RequestBlock("gone", NOW, NOW, "ab", 1, 1, 0, b"", b"")])
    for ending in ("", "-wal", "-shm"):
        file.with_name(file.name + ending).write_bytes(b"rows")
    for _ in range(2):  # again, when there is nothing
        await request_deletion(file, store.requests)()
        assert await store.requests.page(ALL) == []
        assert list(tmp_path.iterdir()) == []
    await store.close()
