"""Searches of the audit trail: whole, page by page, and in no more time than they have."""

import json
import tracemalloc
from pathlib import Path

import pytest

from credence.management import audit_search
from credence.management.audit_search import search_trail
from credence.telemetry.audit_files import DEEDS


def minute(number: int, milliseconds: int = 0) -> str:
    return f"2026-11-01T00:{number:02}:00.{milliseconds:03}Z"


def write(folder: Path, files: list[list[tuple[str, str]]]) -> None:
    """Write files of lines with a time and an act, the oldest first."""
    for number, lines in enumerate(files, 1):
        name = f"{DEEDS}-{number:06}.jsonl" if number < len(files) else f"{DEEDS}.jsonl"
        (folder / name).write_text("".join(json.dumps({"time": time, "act": act}) + "\n" for time, act in lines))


def walk(folder: Path, act: str, size: int = 100) -> tuple[list[str], int]:
    """The times of all lines with this act, and how many pages have them."""
    found, before, pages = list[str](), "", 0
    while True:
        page = search_trail(folder, DEEDS, {"act": act}, size, before)
        found += [str(line["time"]) for line in page.lines]
        before, pages = page.next_before, pages + 1
        if not before:
            return found, pages


def test_a_search_without_a_match_ends_in_time_and_the_next_page_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each page reads one file here, for it has no time; until now only a file with a match ended a search."""
    write(tmp_path, [[(minute(1), "wanted")], [(minute(2), "other")], [(minute(3), "other")], [(minute(4), "other")]])
    monkeypatch.setattr(audit_search, "BUDGET_SECONDS", -1.0)
    page = search_trail(tmp_path, DEEDS, {"act": "wanted"}, 10, "")
    assert (page.lines, page.next_before, page.is_partial) == ([], minute(4), True)
    assert walk(tmp_path, "wanted") == ([minute(1)], 4)


@pytest.mark.parametrize("budget", [60.0, -1.0])
@pytest.mark.parametrize("size", [1, 2, 100])
def test_no_line_is_lost_or_shown_twice_where_one_file_ends_and_the_next_begins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int, budget: float
) -> None:
    """Processes append in turn, so the last lines of a file may be newer than the first of the next."""
    monkeypatch.setattr(audit_search, "BUDGET_SECONDS", budget)
    monkeypatch.setattr(audit_search, "_SPARE_LINES", 0)  # so that older lines are dropped in between here too
    times = [
        [minute(1), minute(2, 5), minute(2, 9)],
        [minute(2, 7), minute(2, 9), minute(3), minute(3), minute(3), minute(4, 8)],
        [minute(4, 6), minute(4, 8), minute(5)],
    ]
    write(tmp_path, [[(time, "wanted") for time in lines] for lines in times])
    expected = sorted((time for lines in times for time in lines), reverse=True)
    assert walk(tmp_path, "wanted", size)[0] == expected


def test_a_file_without_a_time_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audit_search, "BUDGET_SECONDS", -1.0)
    write(tmp_path, [[(minute(1), "wanted")], [], [(minute(3), "wanted")]])
    assert walk(tmp_path, "wanted")[0] == [minute(3), minute(1)]


@pytest.mark.parametrize("text", ["", "no line has this"])
def test_a_search_keeps_a_page_of_a_large_file_in_memory_and_not_the_file(tmp_path: Path, text: str) -> None:
    """A file of the trail may have 4 GB; here it has 20,000 lines."""
    lines = 20_000
    write(tmp_path, [[(f"2026-11-01T00:00:{n // 1_000:02}.{n % 1_000:03}Z", "act") for n in range(lines)]])
    search_trail(tmp_path, DEEDS, {}, 50, "", text)  # what the first search imports is not counted
    tracemalloc.start()
    try:
        page = search_trail(tmp_path, DEEDS, {}, 50, "", text)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(page.lines) == (0 if text else 50)
    assert most < 100 * lines  # octets: a line alone takes more as a value
