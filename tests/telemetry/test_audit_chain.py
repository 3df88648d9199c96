"""The chain of the audit trail: a line that was changed, removed or added is found (threats I12)."""

import json
from pathlib import Path

import pytest

from credence.telemetry.audit_chain import chained_files, verify
from credence.telemetry.audit_files import DEEDS, files_in_order, newest


def written(folder: Path, count: int = 6, size: int = 0, first: int = 0) -> Path:
    """Append so many lines, each by a process of its own, as commands do; return the newest file."""
    for number in range(first, first + count):
        line = json.dumps({"time": f"2026-11-22T10:00:{number:02}.000Z", "n": number, "x": "x" * size})
        chained_files(folder, 1, 4).append([f"{line}\n".encode()])
    return newest(folder, DEEDS)


def faults(folder: Path) -> tuple[str, ...]:
    return verify(folder, DEEDS).faults


def test_an_untouched_trail_is_complete(tmp_path: Path) -> None:
    written(tmp_path)
    found = verify(tmp_path, DEEDS)
    assert (found.files, found.lines, found.faults) == (1, 6, ())
    assert (found.since, found.until) == ("2026-11-22T10:00:00.000Z", "2026-11-22T10:00:05.000Z")


def test_the_chain_goes_on_over_full_files_and_deleted_ones(tmp_path: Path) -> None:
    written(tmp_path, 120, size=40_000)  # 24 of these fit into a megabyte, and four files are kept
    assert files_in_order(tmp_path, DEEDS)[0].name == "audit-000002.jsonl"
    assert verify(tmp_path, DEEDS).lines == 96
    assert faults(tmp_path) == ()
    (tmp_path / "audit-000003.jsonl").unlink()
    assert len(faults(tmp_path)) == 1


@pytest.mark.parametrize("line", range(5))
def test_a_changed_line_is_found(tmp_path: Path, line: int) -> None:
    file = written(tmp_path)
    file.write_text(file.read_text().replace(f'"n": {line},', '"n": 9,'))
    assert faults(tmp_path) == (f"audit.jsonl, line {line + 2}: the line before it was changed or is missing",)


@pytest.mark.parametrize("line", [1, 3, 4])
def test_a_removed_line_is_found(tmp_path: Path, line: int) -> None:
    file = written(tmp_path)
    lines = file.read_text().splitlines(keepends=True)
    file.write_text("".join(lines[:line] + lines[line + 1 :]))
    assert len(faults(tmp_path)) == 1


def test_an_added_line_is_found(tmp_path: Path) -> None:
    file = written(tmp_path)
    lines = file.read_text().splitlines(keepends=True)
    file.write_text("".join([*lines[:3], '{"n": 7}\n', *lines[3:]]))
    assert len(faults(tmp_path)) == 2


def test_a_trail_that_was_cut_at_its_end_lacks_the_digest_that_was_noted(tmp_path: Path) -> None:
    file = written(tmp_path)
    noted = verify(tmp_path, DEEDS).last_digest
    written(tmp_path, 2, first=6)
    assert verify(tmp_path, DEEDS, noted).noted_found
    file.write_text("".join(file.read_text().splitlines(keepends=True)[:5]))
    found = verify(tmp_path, DEEDS, noted)
    assert (found.faults, found.noted_found) == ((), False)


def test_lines_of_an_earlier_version_and_a_torn_line_are_covered_by_the_next_link(tmp_path: Path) -> None:
    """Version 0.2 wrote no links; a power failure may leave part of a line."""
    file = newest(tmp_path, DEEDS)
    file.write_text('{"event":"operator"}\n{"event":"rev')
    written(tmp_path)
    assert faults(tmp_path) == ()
    file.write_text(file.read_text().replace('"rev', '"rew'))
    assert len(faults(tmp_path)) == 1
