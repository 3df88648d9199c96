"""What a customer has, and which columns of a file it is in: recognised by their headings, chosen by a person.

No column is ever taken by its place. Headings are compared without case, blanks and signs.
"""

import datetime as dt
import re
import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from importlib.resources import files
from itertools import pairwise
from typing import Final, NamedTuple

from credence.monitoring.ledger.table import Line

Columns = Mapping[str, tuple[int, ...]]
"""What a customer has -> the places of its columns, from 0. Several columns of one amount are added."""

WORDS: Final[Mapping[str, str]] = {
    "reference": "Your reference",
    "name": "Customer name",
    "postcode": "Postcode",
    "company_number": "Company number",
    "currency": "Currency",
    "balance": "Balance",
    "current": "Not overdue",
    "days_30": "Overdue 1 to 30 days",
    "days_60": "Overdue 31 to 60 days",
    "days_90": "Overdue 61 to 90 days",
    "over_90": "Overdue more than 90 days",
}
"""What a customer has, in the words of forms and messages."""

AGES: Final = ("current", "days_30", "days_60", "days_90", "over_90")
AMOUNTS: Final = ("balance", *AGES)

_HEADINGS: Final[Mapping[str, Sequence[str]]] = tomllib.loads(
    files("credence.monitoring.ledger").joinpath("headings.toml").read_text("utf-8")
)
"""What a customer has -> the headings that say it."""

_OF_HEADING = {heading: role for role, headings in _HEADINGS.items() for heading in headings}
_EITHER = frozenset({"customer", "client", "debtor", "account"})
"""Headings of the name, or of the reference if another column has the name, as in the lists of SAP."""
_NAME_AT_LAST = frozenset({"contact", "company"})
"""Headings of the name if no other column has it."""
_MONTHS_BEGIN_LATER = {"1month": "days_60", "2months": "days_90", "3months": "over_90"}
"""What columns are in a file that has one of less than a month, as Xero has it."""
_SUMMED = frozenset({"current", "over_90"})
"""What several recognised columns are added to: programs divide the youngest and the oldest debts further."""

_SIGNS = re.compile(r"[\W_]+")
_UNIT = re.compile(r"\(?\b(?:gbp|eur|usd|£|in pence|pence|p|dr|cr)\b\)?|[£€$]", re.IGNORECASE)
_SOUGHT_LINES = 40
"""The first lines, among which the headings are."""

_DAYS = (
    (re.compile(r"\b(\d{4})-(\d{2})-(\d{2})\b"), "ymd"),
    (re.compile(r"\b(\d{1,2})[/.](\d{1,2})[/.](\d{4})\b"), "dmy"),
    (re.compile(r"\b(\d{1,2})(?:st|nd|rd|th)?\s+([A-Za-z]{3})[a-z]*\.?,?\s+(\d{4})\b"), "dby"),
    (re.compile(r"\b([A-Za-z]{3})[a-z]*\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})\b"), "bdy"),
)
_MONTHS = {month: n for n, month in enumerate(("jan", "feb", "mar", "apr", "may", "jun"), 1)} | {
    month: n for n, month in enumerate(("jul", "aug", "sep", "oct", "nov", "dec"), 7)
}


class Heading(NamedTuple):
    """Where the headings are, and what they say."""

    place: int
    """The place of the line among the lines; -1 if the file has no headings."""
    names: tuple[str, ...]
    """The heading of each column; `Column 7` for one without."""
    columns: Columns
    """What was recognised."""


def heading_of(lines: Sequence[Line]) -> Heading:
    """Return the headings of a file: the line among the first ones in which most is recognised, at least two columns.

    If none is recognised, they are the first texts above a line with numbers, for a person to choose among.
    """
    width = max(len(line.cells) for line in lines)
    best = -1
    found: Columns = {}
    for place, line in enumerate(lines[:_SOUGHT_LINES]):
        columns = _recognised(line.cells)
        if len(columns) > max(1, len(found)):
            best, found = place, columns
    if best < 0:
        best = _first_texts(lines)
    cells = lines[best].cells if best >= 0 else []
    return Heading(best, _names(cells, width), _clear(found, cells))


def _clear(found: Columns, cells: Sequence[str]) -> Columns:
    """Return what is recognised by a heading that is there once: of two columns of one name a person chooses."""
    times = Counter(map(_plain, cells))
    return {role: places for role, places in found.items() if all(times[_plain(cells[place])] == 1 for place in places)}


def _first_texts(lines: Sequence[Line]) -> int:
    """Return the place of the first line of several texts without a digit that is above a line with one; -1 for none."""
    for place, (line, following) in enumerate(pairwise(lines[: _SOUGHT_LINES + 1])):
        texts = [cell for cell in line.cells if cell]
        if len(texts) > 1 and not _has_digit(texts) and len(following.cells) > 1 and _has_digit(following.cells):
            return place
    return -1


def _has_digit(cells: Sequence[str]) -> bool:
    return any(map(str.isdigit, "".join(cells)))


def _names(cells: Sequence[str], width: int) -> tuple[str, ...]:
    """Return a name for each column, no two alike."""
    names: dict[str, None] = {}
    for place in range(width):
        name = (cells[place][:100] if place < len(cells) else "") or f"Column {place + 1}"
        names[name if name not in names else f"{name} (column {place + 1})"] = None
    return tuple(names)


def day_of(lines: Sequence[Line], heading: int) -> dt.date | None:
    """Return the latest day that the titles above the headings name; None if none does."""
    days = [day for line in lines[: max(heading, 0)] for cell in line.cells for day in _days_in(cell)]
    return max(days, default=None)


def _recognised(cells: Sequence[str]) -> dict[str, tuple[int, ...]]:
    plain = [_plain(cell) for cell in cells]
    roles = _OF_HEADING | (_MONTHS_BEGIN_LATER if "lessthan1month" in plain else {})
    found: dict[str, tuple[int, ...]] = {}

    def add(role: str, place: int) -> None:
        if role and (role not in found or role in _SUMMED):
            found[role] = (*found.get(role, ()), place)

    for place, heading in enumerate(plain):
        add(roles.get(heading, ""), place)
    for place, heading in enumerate(plain):
        if heading in _EITHER:
            add("reference" if "name" in found else "name", place)
    for place, heading in enumerate(plain):
        if heading in _NAME_AT_LAST and "name" not in found:
            add("name", place)
    return found


def _plain(cell: str) -> str:
    text = cell.casefold().replace("<", "lessthan").replace(">", "over").replace("+", "plus")
    return _SIGNS.sub("", _UNIT.sub("", text))


def is_in_pence(names: Sequence[str], columns: Columns) -> bool:
    """Return whether a heading of an amount says that it is in pence."""
    headings = [names[place].casefold() for role in AMOUNTS for place in columns.get(role, ())]
    return any("pence" in heading or "(p)" in heading for heading in headings)


def _days_in(text: str) -> list[dt.date]:
    found = []
    for pattern, order in _DAYS:
        for match in pattern.finditer(text[:200]):
            parts = dict(zip(order, match.groups(), strict=True))
            month = _MONTHS.get(parts["b"].lower(), 0) if "b" in parts else int(parts["m"])
            try:
                found.append(dt.date(int(parts["y"]), month, int(parts["d"])))
            except ValueError:
                continue
    return found
