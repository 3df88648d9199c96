"""What is counted of the request log, by caller and by refusal, and what a count says that its time has ended."""

from pathlib import Path

import pytest

from credence.request_log.counting import Counted, Refusals, count, count_of, count_refusals
from credence.request_log.log_file import LogFile
from credence.request_log.waiting import Waiting

NOW = 1_700_000_000_000


def write(path: Path, *requests: tuple[int, str, str, str, str | None]) -> None:
    """Write a block of requests: how long before now, and the client, account, address and reason."""
    waiting, file = Waiting(()), LogFile(path, 10, 7)
    for number, (before, client, account, address, reason) in enumerate(requests):
        status = 429 if reason else 200
        request_id = f"0123456789abcdef-{number}"
        waiting.add(
            (NOW - before, request_id, None, client, account, "GET", "/docs", status, 0.001, reason, address, "")
        )
    file.write(waiting, waiting.take(), NOW)
    file.close()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A log of three blocks; the middle one begins before the minute that is counted, and the oldest ends before it."""
    path = tmp_path / "requests" / "requests.sqlite"
    write(path, (90_000, "a", "ada", "192.0.2.7", None), (61_000, "b", "bob", "192.0.2.7", "spike.address"))
    write(
        path,
        (60_001, "a", "ada", "192.0.2.7", "spike.application"),
        (60_000, "a", "ada", "192.0.2.7", "spike.application"),
        (30_000, "b", "", "192.0.2.8", "spike.application"),
        (20_000, "a", "ada", "2001:db8:1:2::7", "spike.account"),
    )
    write(
        path,
        (10_000, "a", "", "2001:db8:1:2:ffff::8", None),
        (9_000, "", "bob", "2001:db8:1:3::8", "spike.address"),
        (8_000, "b", "bob", "192.0.2.8", "token.expired"),
    )
    return path


def test_the_requests_of_a_minute_are_counted_by_each_kind_of_caller(path: Path) -> None:
    found = count(path, NOW - 60_000, 60.0)
    assert (found.requests, found.is_partial, found.since) == (6, False, NOW - 60_000)
    assert found.statuses == {200: 1, 429: 5}
    assert found.clients == {"a": 3, "b": 2}
    assert found.accounts == {"ada": 2, "bob": 2}
    assert found.networks == {"192.0.2.7/32": 1, "192.0.2.8/32": 2, "2001:db8:1:2::/64": 2, "2001:db8:1:3::/64": 1}


def test_the_requests_of_one_application_are_counted(path: Path) -> None:
    counted = {client: count_of(path, client, NOW - 60_000, 60.0).requests for client in ("a", "b", "absent")}
    assert counted == {"a": 3, "b": 2, "absent": 0}


def test_refusals_count_for_the_caller_whose_rate_it_was(path: Path) -> None:
    found = count_refusals(path, NOW - 60_000, 60.0)
    assert found == Refusals(
        NOW - 60_000,
        clients=found.clients,
        accounts=found.accounts,
        addresses=found.addresses,
    )
    assert (found.clients, found.accounts, found.addresses) == ({"a": 1, "b": 1}, {"ada": 1}, {"2001:db8:1:3::8": 1})


def test_a_count_whose_time_has_ended_says_since_when_it_has_everything(path: Path) -> None:
    since = NOW - 60_000
    assert count(path, since, -1.0) == Counted(NOW - 7_999, is_partial=True)
    assert count_of(path, "a", since, -1.0) == Counted(NOW - 7_999, is_partial=True)
    assert count_refusals(path, since, -1.0) == Refusals(NOW - 7_999, is_partial=True)


def test_a_log_that_is_absent_has_nothing_and_a_damaged_one_is_an_error(tmp_path: Path) -> None:
    assert count(tmp_path / "absent", NOW) == Counted(NOW)
    damaged = tmp_path / "damaged"
    damaged.write_bytes(b"no database" * 1000)
    with pytest.raises(OSError, match="cannot be read"):
        count(damaged, NOW)
