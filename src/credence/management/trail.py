"""Searches the audit trail for operators: operations of operators and applications, and refusals (threats I12, D30)."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from credence.clock import seconds
from credence.management.service_schema import TrailPage
from credence.telemetry.audit_files import files_in_order, read_file

BUDGET_SECONDS = 1.0
"""The maximum duration of a search, except that a file that was begun is read to its end."""

FIELDS = ("event", "act", "operator", "application", "account", "reason", "request_id", "address")
"""The fields of a line that a search compares."""


def search_trail(
    folder: Path, trail: str, wanted: Mapping[str, str], size: int, before: str, text: str = ""
) -> TrailPage:
    """Return the newest lines with the values `wanted` and with `text` in a value, from before a time, the newest first.

    `before` empty means now. A page contains all lines of the millisecond of its last line, so that the next page begins
    before that.
    """
    found: list[Mapping[str, Any]] = []
    deadline = seconds() + BUDGET_SECONDS
    files = list(reversed(files_in_order(folder, trail)))
    for number, file in enumerate(files):
        lines = sorted(
            _matching(file, wanted, before, text.casefold()), key=lambda line: str(line["time"]), reverse=True
        )
        found += lines
        if len(found) > size:
            last = str(found[size - 1]["time"])
            shown = [line for line in found if str(line["time"]) >= last]
            return TrailPage([dict(line) for line in shown], last)
        if seconds() > deadline and number + 1 < len(files) and lines:
            return TrailPage([dict(line) for line in found], str(lines[-1]["time"]), is_partial=True)
    return TrailPage([dict(line) for line in found], "")


def _matching(file: Path, wanted: Mapping[str, str], before: str, text: str) -> Iterator[Mapping[str, Any]]:
    for line in read_file(file):
        if (
            "time" in line
            and (not before or str(line["time"]) < before)
            and all(str(line.get(name, "")) == value for name, value in wanted.items())
            and (not text or any(text in str(value).casefold() for value in line.values()))
        ):
            yield line
