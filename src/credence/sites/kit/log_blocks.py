"""Blocks about the request log that the console and the developer portal share."""

import datetime as dt
from collections.abc import Sequence

from credence.blocks.values import Block, Cell, Note, Table, Tone
from credence.management.log_schema import Check, LogEntry, LogPage
from credence.management.request_log import missing_from

_TONES: dict[str, Tone] = {"passed": "good", "refused": "bad", "passes": "good", "not reached": "soft"}


def log_time(at: str) -> str:
    """Return the time of a request (RFC 3339) as its row below its day has it, such as 14:05:09, in UTC."""
    return f"{dt.datetime.fromisoformat(at):%H:%M:%S}"


def log_day(at: str) -> str:
    """Return the day of a request (RFC 3339) as the heading of its rows, such as Tuesday 24 November 2026."""
    return f"{dt.datetime.fromisoformat(at):%A %-d %B %Y}"


def tone_of(status: int) -> Tone:
    """Return the colour of a status."""
    return "good" if status < 400 else "warn" if status < 500 else "bad"


def request_cell(entry: LogEntry) -> Cell:
    """Return method and path of a request, with the reason of its refusal below them."""
    return Cell(f"{entry.method or '?'} {entry.path or 'no route'}", detail=entry.reason or "")


def table_of_checks(checks: Sequence[Check]) -> Table:
    """Return the checks of a request as a table, in order."""
    columns = ("Check", "Outcome", "The request had", "What passes", "As of now", "Rule")
    return Table("Checks, in their order", columns, [_row(each) for each in checks], "The route has no checks.")


def notes_of(found: LogPage) -> list[Block]:
    """Return notes on what is missing from the page."""
    notes: list[Block] = []
    if found.is_partial:
        notes.append(Note(f"Searched back to {found.looked_back_to} so far: the next page goes on."))
    notes += [Note(each, "warn") for each in missing_from(found)]
    others = [each.node for each in found.nodes if each.has == "shared"]
    if others:
        notes.append(Note(f"Requests to {', '.join(others)} appear here after a minute, refusals after a second."))
    return notes


def _row(check: Check) -> list[Cell]:
    return [
        Cell(check.check),
        Cell(check.outcome, tone=_TONES[check.outcome]),
        Cell(check.value or ""),
        Cell(check.would_pass or ""),
        Cell(check.now, tone=_TONES[check.now]) if check.now else Cell(""),
        Cell(check.rule),
    ]
