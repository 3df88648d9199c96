"""A search of the request log in the blocks of other nodes, which are in a shared store (docs/adr/shared-request-log.md)."""

import datetime as dt
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from credence.management.log_schema import LogPage
from credence.management.request_log import missing_from, search_log
from credence.request_log.block import block_of, packed, shared
from credence.request_log.record import Record
from credence.settings import Settings
from credence.store.postgres.store import PostgresStore, open_postgres
from credence.store.shared_refusals import SharedRefusal
from credence.store.shared_requests import RequestBlock

NOW = 1_700_000_000_000


@pytest.fixture
async def store(migrated_postgres: str) -> AsyncIterator[PostgresStore]:
    opened = await open_postgres(migrated_postgres)
    yield opened
    await opened.close()


def record(number: int, client: str = "shop") -> Record:
    return Record(NOW + number, f"ab-{number}", "", client, "ada", "GET", "/v1/report", 200, 9, "", "192.0.2.7", "")


def block(*records: Record) -> RequestBlock:
    made = block_of([list(each) for each in zip(*records, strict=True)], 0, NOW)
    return RequestBlock("beta", *shared(made))


async def search(store: PostgresStore, folder: Path, line: str = "", **options: Any) -> LogPage:
    settings = Settings(data_dir=folder, node_name="alpha")
    return await search_log(settings, store, line, NOW + 60_000, **options)


async def test_a_client_gets_its_own_requests_of_other_nodes_alone(store: PostgresStore, tmp_path: Path) -> None:
    """threats E13."""
    await store.requests.add([block(record(1), record(2, "other"), record(3, ""))])
    for line in ("", "client:other", "node:beta", "id:ab-2", "-client:shop", "account:ada"):
        found = await search(store, tmp_path, line, of={"shop"})
        assert [each.request_id for each in found.requests if each.client_id != "shop"] == []
    assert [each.request_id for each in (await search(store, tmp_path, of={"shop"})).requests] == ["ab-1"]
    assert (await search(store, tmp_path, of=set())).requests == []


async def test_pages_of_many_blocks_have_every_request_once(store: PostgresStore, tmp_path: Path) -> None:
    """240 blocks of five requests that overlap, so a search reads three pages of heads and many parts of each."""
    of_blocks = [[record(first + 7 * each) for each in range(5)] for first in range(0, 240 * 40, 40)]
    await store.requests.add([block(*each) for each in of_blocks])
    expected = sorted((each.at, each.request_id) for records in of_blocks for each in records)
    seen, page = list[str](), ""
    while True:
        found = await search(store, tmp_path, size=70, page=page)
        seen += [each.request_id for each in found.requests]
        if not (page := found.next_page_token):
            break
    assert seen == [request_id for _, request_id in reversed(expected)]


def refusal(number: int, earlier: int = 0) -> SharedRefusal:
    at = dt.datetime.fromtimestamp((NOW + number - earlier) / 1_000, dt.UTC).isoformat(timespec="milliseconds")
    line = {"time": at, "request_id": f"ab-{number}", "reason": "password.mismatch", "status": 401}
    return SharedRefusal(f"ab-{number}", "beta", NOW + number - earlier, msgspec.json.encode(line))


async def test_a_refusal_is_found_once_before_and_after_its_block_is_shared(
    store: PostgresStore, tmp_path: Path
) -> None:
    await store.refusals.add([refusal(1), refusal(2)])
    await store.requests.add([block(record(1))])
    found = await search(store, tmp_path)
    assert [(each.request_id, each.reason) for each in found.requests] == [
        ("ab-2", "password.mismatch"),
        ("ab-1", None),
    ]


async def test_a_refusal_whose_node_was_killed_is_found_by_its_id_for_as_long_as_it_is_stored(
    store: PostgresStore, tmp_path: Path
) -> None:
    await store.refusals.add([refusal(1, earlier=86_400_000)])
    assert (await search(store, tmp_path)).requests == []
    (found,) = (await search(store, tmp_path, "id:ab-1")).requests
    assert found.reason == "password.mismatch"


@pytest.mark.parametrize(
    "content", [b"no block", packed(b"\xc1"), packed(msgspec.msgpack.encode([[1], []])), packed(b"\x91\x91\x01")]
)
async def test_a_damaged_block_is_left_out_and_counted(store: PostgresStore, tmp_path: Path, content: bytes) -> None:
    """One damaged block must not end every search that opens it."""
    await store.requests.add([msgspec.structs.replace(block(record(1)), content=content), block(record(2))])
    found = await search(store, tmp_path)
    assert [each.request_id for each in found.requests] == ["ab-2"]
    assert found.unreadable == 1
    assert missing_from(found) == [
        "Up to 1,024 requests to other nodes cannot be read here: their blocks are damaged, or a newer version wrote them."
    ]


async def test_a_block_of_another_version_is_not_opened_and_counted_by_every_search_of_its_time(
    store: PostgresStore, tmp_path: Path
) -> None:
    """Its marks may mean something else, so they cannot say that the block has no match."""
    newer = block(record(1))
    await store.requests.add([msgspec.structs.replace(newer, marks=b"\xff" + newer.marks[1:]), block(record(2))])
    assert (await search(store, tmp_path, "account:nobody")).unreadable == 1
    assert [each.request_id for each in (await search(store, tmp_path)).requests] == ["ab-2"]


async def test_a_refusal_whose_block_is_damaged_is_found_by_its_id(store: PostgresStore, tmp_path: Path) -> None:
    await store.refusals.add([refusal(1)])
    await store.requests.add([msgspec.structs.replace(block(record(1)), content=b"no block")])
    (found,) = (await search(store, tmp_path, "id:ab-1")).requests
    assert found.reason == "password.mismatch"
