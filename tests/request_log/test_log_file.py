"""The request log of a node: what is written, what a search finds and how far it looks, and what happens to a full disk."""

import resource
import signal
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest

from credence.errors import InvalidInput
from credence.request_log.block import BLOCK_RECORDS, records_of, unpacked
from credence.request_log.log_file import LogFile
from credence.request_log.query import read_query
from credence.request_log.search import NEWEST, Found, search
from credence.request_log.waiting import MAX_WAITING, Waiting

NOW = 1_700_000_000_000


class Log:
    """A log in a folder, whose requests come a millisecond apart."""

    def __init__(self, path: Path, megabytes: int = 100, days: int = 7, *, shares: bool = False) -> None:
        self.path = path / "requests" / "requests.sqlite"
        self.file = LogFile(self.path, megabytes, days, shares=shares)
        self.waiting, self.now, self.count = Waiting(()), NOW, 0

    def note(
        self, *, client: str = "", account: str = "", status: int = 200, reason: str = "", address: str = "192.0.2.7"
    ) -> str:
        self.count += 1
        self.now += 1
        request_id = f"0123456789abcdef-{self.count}"
        method, path = "GET", "/v1/report"
        self.waiting.add(
            (self.now, request_id, None, client, account, method, path, status, 0.0015, reason, address, "")
        )
        return request_id

    def write(self, *, deletes_old: bool = True) -> None:
        self.file.write(self.waiting, self.waiting.take(), self.now, deletes_old=deletes_old)

    def fail_to_write(self) -> None:
        """A limit on the size of files stands for a full disk."""
        soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1024, hard))
        try:
            self.write()
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
            signal.signal(signal.SIGXFSZ, ignored)

    def find(self, line: str, size: int = 100, budget: float = 60.0) -> Found:
        return search(self.path, read_query(line, self.now), size, budget=budget)

    def ids(self, line: str) -> list[str]:
        return [each.request_id for each in self.find(line).records]


@pytest.fixture
def open_log(tmp_path: Path) -> Iterator[Callable[..., Log]]:
    """Opens logs of one file, each with options of its own; they are closed at the end of the test."""
    with ExitStack() as opened:

        def open_one(**options: Any) -> Log:
            log = Log(tmp_path, **options)
            opened.callback(log.file.close)
            return log

        yield open_one


@pytest.fixture
def log(open_log: Callable[..., Log]) -> Log:
    return open_log()


def test_a_request_is_found_by_each_of_its_values(log: Log) -> None:
    wanted = log.note(client="cl", account="ada", status=403, reason="token.expired", address="2001:db8::7")
    other = log.note(client="other")
    log.write()
    for term in (
        "client:cl", "account:ada", "status:403", "status:4xx", "reason:token.expired", "reason:token.*", "reason:tok*",
        "from:2001:db8::7", "from:2001:DB8:0::7", "from:2001:db8::/32", f"id:{wanted}", wanted, "token.expired",
        "account:ada client:cl -status:200", "account:nobody account:ada", "403", "2001:db8::7", "-client:other",
    ):  # fmt: skip
        assert log.ids(term) == [wanted], term
    assert log.ids("method:get path:/v1/* since:1h") == [other, wanted]
    assert log.ids("account:nobody") == log.ids("until:1h") == log.ids("client:cl account:eve") == []
    (record,) = log.find(f"id:{wanted}").records
    assert (record.at, record.microseconds, record.path) == (NOW + 1, 1500, "/v1/report")


def test_a_record_is_found_at_once_and_stays_found_while_its_block_grows(log: Log) -> None:
    written = []
    for _ in range(5):
        written.append(log.note())
        log.write()
        assert log.ids("") == written[::-1]


def test_pages_have_every_record_once_in_the_order_of_time(log: Log, open_log: Callable[..., Log]) -> None:
    """Two processes write blocks that overlap."""
    second, expected = open_log(), []
    for number in range(3 * BLOCK_RECORDS):
        writer = (log, second)[number % 2]
        writer.now = NOW + number
        expected.append((writer.now + 1, writer.note()))
        if number % 500 == 0:
            log.write()
            second.write()
    log.write()
    second.write()
    seen, place = [], NEWEST
    while True:
        found = search(log.path, read_query("", log.now), 700, place, budget=60.0)
        seen += [(each.at, each.request_id) for each in found.records]
        if found.next is None:
            break
        place = found.next
    assert seen == sorted(expected, reverse=True)


def test_a_search_without_time_says_how_far_it_looked_and_goes_on_from_there(log: Log) -> None:
    oldest = log.note(account="ada")
    for _ in range(4 * BLOCK_RECORDS):
        log.note()
    log.write()
    query, place, pages = read_query("path:/v1/r* account:*a", log.now), NEWEST, 0
    found = search(log.path, query, 10, place, budget=0.0)
    while found.next is not None:
        assert found.is_partial
        assert found.looked_back_to > NOW + 1
        assert not found.records
        pages += 1
        found = search(log.path, query, 10, found.next, budget=0.0)
    query = read_query("account:ad*", log.now)
    assert 2 <= pages <= 5
    found = search(log.path, query, 10, budget=0.0)
    while found.next is not None:
        found = search(log.path, query, 10, found.next, budget=0.0)
    assert [each.request_id for each in found.records] == [oldest]


def test_the_oldest_records_go_when_the_log_is_too_large_or_too_old(open_log: Callable[..., Log]) -> None:
    log = open_log(megabytes=1)
    for _ in range(30):
        for _ in range(BLOCK_RECORDS):
            log.note(client="a" * 30)
        log.write()
    found = log.find("", size=100_000)
    assert 4 * BLOCK_RECORDS < len(found.records) < 16 * BLOCK_RECORDS
    assert found.records[0].request_id == f"0123456789abcdef-{log.count}"
    assert log.path.stat().st_size < 3_000_000
    log.now += 8 * 86_400_000
    kept = log.note()
    log.write()
    assert log.ids("") == [kept]


def test_no_record_goes_for_its_age_by_a_clock_that_is_not_trusted(log: Log) -> None:
    """threats T11."""
    for _ in range(BLOCK_RECORDS):
        log.note()
    log.write()
    log.now += 365 * 86_400_000
    log.note()
    log.write(deletes_old=False)
    assert len(log.find("", size=100_000).records) == BLOCK_RECORDS + 1


def test_what_could_not_be_written_is_counted_and_writing_goes_on(log: Log) -> None:
    """threats F2."""
    first = log.note()
    log.write()
    for _ in range(3):
        log.note(client="lost")
    log.fail_to_write()
    last = log.note()
    log.write()
    found = log.find("")
    assert ([each.request_id for each in found.records], found.lost) == ([last, first], 3)


def test_other_nodes_get_what_the_file_has_when_a_write_fails(open_log: Callable[..., Log]) -> None:
    """The block that was begun, and none of those of the write that failed, which are counted."""
    log = open_log(shares=True)
    first = log.note()
    log.write()
    for _ in range(2 * BLOCK_RECORDS):
        log.note(client="lost")
    log.fail_to_write()
    last = log.note()
    log.write()
    shared = log.file.closed(None)
    ids = [[each.request_id for each in records_of(unpacked(block.content))] for block in shared]
    assert (ids, [block.lost for block in shared]) == ([[first], [last]], [0, 2 * BLOCK_RECORDS])


def test_requests_beyond_the_memory_are_counted(log: Log) -> None:
    log.waiting.add((NOW, "a-1", None, None, None, "GET", None, 200, 0.1, None, "192.0.2.7", ""))
    values, _ = log.waiting.take()
    for _ in range(MAX_WAITING + 2):
        log.waiting.add(tuple(values))
    taken, lost = log.waiting.take()
    assert (len(taken) // len(values), lost) == (MAX_WAITING, 2)


def test_a_damaged_file_is_set_aside(log: Log) -> None:
    log.path.parent.mkdir()
    log.path.write_bytes(b"no database, but sixteen octets and more" * 100)
    log.note()
    log.write()
    kept = log.note()
    log.write()
    found = log.find("")
    assert ([each.request_id for each in found.records], found.lost) == ([kept], 1)
    assert log.path.with_name("requests.sqlite.damaged").exists()


def test_a_log_of_another_format_is_set_aside(log: Log) -> None:
    log.path.parent.mkdir()
    with closing(sqlite3.connect(log.path)) as connection:
        connection.executescript("create table blocks (a); pragma user_version = 99;")
    kept = log.note()
    log.write()
    assert log.ids("") == [kept]
    assert log.path.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    "line",
    ["color:red", "status:abc", "status:", "from:here", "since:yesterday", "-since:1h", "from:1.2.3.4/99", "a " * 60,
     "x" * 3000, "since:99999999999h", "status:6xx"],
)  # fmt: skip
def test_a_line_that_cannot_be_read_is_refused(line: str) -> None:
    with pytest.raises(InvalidInput):
        read_query(line, NOW)


def test_hostile_text_is_stored_and_found_as_plain_text(log: Log) -> None:
    for value in ("'; drop table blocks; --", "<script>", "\u202eevil", "=1+1", "a" * 1_000, "%", "*", "\x00"):
        wanted = log.note(account=value)
        log.write()
        if " " not in value and "*" not in value:
            assert wanted in log.ids(f"account:{value}")
    assert len(log.ids("")) == 8
