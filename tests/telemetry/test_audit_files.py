"""The files of the audit trail (threats F2, A11)."""

import json
import multiprocessing
import stat
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from credence.telemetry.audit import line
from credence.telemetry.audit_files import REFUSALS, AuditFiles, read_newest_first

NEWEST = "refusals.jsonl"


def entry(number: int, size: int = 0) -> bytes:
    return (json.dumps({"n": number, "x": "x" * size}) + "\n").encode()


def numbers(folder: Path) -> list[int]:
    return [line["n"] for line in read_newest_first(folder, REFUSALS)]


@pytest.mark.parametrize("operator", ["ada", 'Zoë\u2028\x85\x1b[2J\\"', "\udcff"])
def test_a_line_is_ascii_and_says_what_was_given(operator: str) -> None:
    """A name may come from an argument of a command, where octets that are not UTF-8 are lone surrogates (PEP 383)."""
    written = line("operator", 1_700_000_000_123, "sandbox", operator=operator, account=None)
    assert written.isascii()
    assert b"\x1b" not in written
    assert written.endswith(b"}\n")
    said = {"time": "2023-11-14T22:13:20.123Z", "event": "operator", "operator": operator, "environment": "sandbox"}
    assert json.loads(written) == said


def test_folder_and_files_are_accessible_to_their_owner_only(tmp_path: Path) -> None:
    AuditFiles(tmp_path / "audit", REFUSALS, 1, 2).append([entry(1)])
    assert stat.S_IMODE((tmp_path / "audit").stat().st_mode) == 0o700
    assert stat.S_IMODE((tmp_path / "audit" / NEWEST).stat().st_mode) == 0o600


def test_a_file_that_would_be_too_large_is_rotated_and_a_bounded_number_is_kept(tmp_path: Path) -> None:
    files = AuditFiles(tmp_path, REFUSALS, 1, 3)
    for number in range(10):
        files.append([entry(number, 400_000)])  # two of these fit into a megabyte
    assert sorted(file.name for file in tmp_path.iterdir()) == [
        "refusals-000003.jsonl",
        "refusals-000004.jsonl",
        NEWEST,
    ]
    assert all(file.stat().st_size <= 1_000_000 for file in tmp_path.iterdir())
    assert numbers(tmp_path) == [8, 9, 6, 7, 4, 5]


def test_the_log_says_how_far_back_the_trail_reaches_when_a_file_is_dropped(tmp_path: Path) -> None:
    files = AuditFiles(tmp_path, REFUSALS, 1, 2)
    with capture_logs() as logged:
        for day in (20, 21, 22, 23):
            files.append([b'{"time": "2026-11-%02dT10:00:00Z"}\n' % day, entry(day, 900_000)])
    assert [(line["event"], line["files"], line["reaches_back_to"]) for line in logged] == [
        ("audit_files_deleted", 1, "2026-11-21T10:00:00Z"),
        ("audit_files_deleted", 1, "2026-11-22T10:00:00Z"),
    ]
    assert {line["log_level"] for line in logged} == {"warning"}


def write_many(folder: Path, first: int) -> None:
    files = AuditFiles(folder, REFUSALS, 1, 100)
    for number in range(first, first + 300):
        files.append([entry(number, 5_000)])


def test_concurrent_processes_lose_no_line_and_split_none(tmp_path: Path) -> None:
    """A command and a server at the same time, also during rotation."""
    spawn = multiprocessing.get_context("spawn")
    writers = [spawn.Process(target=write_many, args=(tmp_path, first)) for first in (0, 1_000, 2_000)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join(60)
    expected = [first + number for first in (0, 1_000, 2_000) for number in range(300)]
    assert sorted(numbers(tmp_path)) == expected
    for file in tmp_path.iterdir():
        assert file.read_bytes().endswith(b"\n")


def test_a_line_cut_short_by_a_power_failure_does_not_damage_the_next(tmp_path: Path) -> None:
    (tmp_path / NEWEST).write_bytes(entry(1) + b'{"n": 2, "x')
    AuditFiles(tmp_path, REFUSALS, 1, 2).append([entry(3)])
    assert numbers(tmp_path) == [1, 3]


def test_a_line_that_is_not_an_object_is_skipped(tmp_path: Path) -> None:
    (tmp_path / NEWEST).write_bytes(b'\xff\xfe\n[]\n"a"\n\n' + entry(1))
    assert numbers(tmp_path) == [1]


def test_a_full_disk_is_an_error_and_nothing_is_written(tmp_path: Path) -> None:
    (tmp_path / NEWEST).symlink_to("/dev/full")
    with pytest.raises(OSError, match="No space left"):
        AuditFiles(tmp_path, REFUSALS, 1, 2).append([entry(1)])


def test_a_missing_folder_has_no_lines(tmp_path: Path) -> None:
    assert list(read_newest_first(tmp_path / "audit", REFUSALS)) == []
