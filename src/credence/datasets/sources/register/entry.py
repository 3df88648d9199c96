"""Reads one row of a register snapshot as a `RegisterEntry` (credit §2.2).

A row without a valid number or a name is rejected. The value of an unreadable cell, such as the date 31/02/2020, is
unknown, and the load counts a warning. "NA", the missing value of the language R, counts as an empty cell without a
warning.
"""

import datetime as dt
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TypeVar

from credence.companies.facts.register import AccountsFiling, Activity, Charges, FormerName, Office, RegisterEntry
from credence.companies.number import normalise
from credence.datasets.sources.register.snapshot import Cells
from credence.datasets.sources.sanitize import FUTURE_DATE as TO_COME
from credence.datasets.sources.values import plain_text
from credence.refusals.refusal import Refused

_EMPTY = dict.fromkeys(("", "NA"))
_MAX_KNOWN = 1 << 16
"""Cached dates: the days of about two lifetimes. Every other kind of cell has fewer texts."""

_DAYS, _MONTHS, _COUNTS = range(1, 32), range(1, 13), range(1_000_000)

T = TypeVar("T")


class RowError(ValueError):
    """The row is rejected; the message is the reason code."""


class _Known(dict[str, T | None]):
    """Text of a cell -> its value, None for an empty cell.

    A missing text is parsed and cached; an unreadable one is parsed each time, to count its warning.
    """

    def __init__(self, read: Callable[[str], T | None], empty: Iterable[str] = _EMPTY) -> None:
        super().__init__(dict.fromkeys(empty))
        self._read = read

    def __missing__(self, text: str) -> T | None:
        value = self._read(text)
        if value is not None and len(self) < _MAX_KNOWN:
            self[text] = value
        return value


class EntryReader:
    """Reads rows, with a cache of parsed cells, because the same texts occur in millions of rows."""

    def __init__(self, today: dt.date) -> None:
        """`today` is the day of the load; a past event with a later date counts as unreadable."""
        self.warnings = Counter[str]()
        """Reason code -> unreadable cells so far."""
        self._today = today
        self._due, self._past = _Known(self._read_date), _Known(self._read_past)
        self._day, self._month, self._count = (
            _Known(partial(self._read_number, allowed)) for allowed in (_DAYS, _MONTHS, _COUNTS)
        )
        self._activity = _Known(self._read_activity, (*_EMPTY, "None Supplied"))

    def read(self, cells: Cells) -> RegisterEntry:
        """Return the entry of a row. Raises RowError with `number.malformed` or `name.missing`."""
        texts: Sequence[str] = cells
        row = f"|{'|'.join(cells)}|"
        # Most rows have no space at an end of a cell and no control; printable white space is the space alone.
        if "| " in row or " |" in row or not row.isprintable():
            texts = [plain_text(each.strip()) for each in cells]
        name, number = texts[:2]
        category, status, country, dissolved, incorporated, day, month, accounts_due, accounts_last = texts[10:19]
        kind, annual_return = texts[19:21]
        total, outstanding, part_satisfied, satisfied = texts[21:25]
        former = texts[29:49]
        next_due, last_made_up = texts[49:51]
        due, past, count, activity = self._due, self._past, self._count, self._activity
        try:
            number = normalise(number)
        except Refused as refused:
            raise RowError("number.malformed") from refused
        if not name:
            raise RowError("name.missing")
        return RegisterEntry(
            number=number,
            name=name,
            category=category,
            status=status,
            country_of_origin=country,
            incorporated=past[incorporated],
            dissolved=past[dissolved],
            office=Office(*texts[2:10]),
            activities=tuple([found for text in texts[25:29] if (found := activity[text]) is not None]),
            former_names=self._former_names(former) if any(former) else (),
            accounts=AccountsFiling(self._day[day], self._month[month], due[accounts_due], past[accounts_last], kind),
            confirmation_next_due=due[next_due],
            confirmation_last_made_up=past[last_made_up],
            annual_return_last_made_up=past[annual_return],
            charges=Charges(count[total], count[outstanding], count[part_satisfied], count[satisfied]),
        )

    def _former_names(self, texts: Sequence[str]) -> tuple[FormerName, ...]:
        pairs = zip(texts[::2], texts[1::2], strict=True)
        return tuple([FormerName(name, self._past[changed]) for changed, name in pairs if name])

    def _read_activity(self, text: str) -> Activity | None:
        # Descriptions may contain " - " too: only the first one ends the code.
        code, separator, description = text.partition(" - ")
        if separator and code.strip().isdecimal():
            return Activity(code.strip(), description.strip())
        self.warnings["sic.unreadable"] += 1
        return None

    def _read_number(self, allowed: range, text: str) -> int | None:
        number = int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else -1
        if number in allowed:
            return number
        self.warnings["number.unreadable"] += 1
        return None

    def _read_past(self, text: str) -> dt.date | None:
        date = self._due[text]
        if date is None or date <= self._today:
            return date
        self.warnings[TO_COME] += 1
        return None

    def _read_date(self, text: str) -> dt.date | None:
        day, month, year = text[:2], text[3:5], text[6:]
        try:
            if text == f"{day}/{month}/{year}":
                return dt.date.fromisoformat(f"{year}-{month}-{day}")
        except ValueError:
            pass
        self.warnings["date.unreadable"] += 1
        return None
