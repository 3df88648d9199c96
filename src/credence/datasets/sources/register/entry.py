"""Reads rows of a register snapshot as `RegisterEntry` (credit §2.2).

A row without a valid number or a name is rejected. The value of an unreadable cell, such as the date 31/02/2020, is
unknown, and the load counts a warning. "NA", the missing value of the language R, counts as an empty cell without a
warning.
"""

import datetime as dt
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from itertools import compress
from typing import NamedTuple, TypeVar

from credence.companies.facts.register import AccountsFiling, Activity, Charges, FormerName, Office, RegisterEntry
from credence.companies.number import normalise_or_none
from credence.datasets.sources.sanitize import FUTURE_DATE as TO_COME
from credence.datasets.sources.values import plain_text

_EMPTY = ("", "NA")
_MAX_KNOWN = 1 << 16
"""Enough for the days of two lifetimes, and for the combinations of charges and of activities that most companies have."""

_DAYS, _MONTHS, _COUNTS = range(1, 32), range(1, 13), range(1_000_000)

K = TypeVar("K")
T = TypeVar("T")


class _Known(dict[K, T]):
    """Text of a cell, or texts of neighbouring cells -> the value.

    What is missing is read and remembered, unless a warning was counted: this is read each time, to count it again.
    """

    def __init__(self, read: Callable[[K], T], warnings: "Counter[str]") -> None:
        super().__init__()
        self._read, self._warnings = read, warnings

    def __missing__(self, text: K) -> T:
        warned = self._warnings.total()
        value = self._read(text)
        if len(self) < _MAX_KNOWN and self._warnings.total() == warned:
            self[text] = value
        return value


class Entries(NamedTuple):
    """The entries of some rows. A row is named by its place among them, from 0."""

    entries: list[RegisterEntry]
    refused: list[tuple[int, str]]
    """The place of each row without an entry, and the reason code."""


class EntryReader:
    """Reads rows column by column, with a cache of parsed cells, because the same texts occur in millions of rows."""

    def __init__(self, today: dt.date) -> None:
        """`today` is the day of the load; a past event with a later date counts as unreadable."""
        self.warnings = Counter[str]()
        """Reason code -> unreadable cells so far."""
        self._today = today
        known = self._known
        self._text, self._due, self._past = known(_clean), known(self._read_date), known(self._read_past)
        self._day, self._month = known(partial(self._read_number, _DAYS)), known(partial(self._read_number, _MONTHS))
        self._charges, self._activities = known(self._read_charges), known(self._read_activities)

    def _known(self, read: Callable[[K], T]) -> _Known[K, T]:
        return _Known(read, self.warnings)

    def read(self, columns: Sequence[Sequence[str]]) -> Entries:
        """Return the entries of rows; `columns` has their cells, for each of `snapshot.COLUMNS` in this order.

        A row is refused with `number.malformed` or `name.missing`.
        """
        names, numbers = _cleaned(columns[0]), list(map(normalise_or_none, _cleaned(columns[1])))
        refused = [
            (row, "name.missing" if number else "number.malformed")
            for row, (name, number) in enumerate(zip(names, numbers, strict=True))
            if not (name and number)
        ]
        if refused:
            kept = [bool(name and number) for name, number in zip(names, numbers, strict=True)]
            names, numbers = list(compress(names, kept)), list(compress(numbers, kept))
            columns = [tuple(compress(column, kept)) for column in columns]
        return Entries(self._entries(names, [number or "" for number in numbers], columns[2:]), refused)

    def _entries(
        self, names: Sequence[str], numbers: Sequence[str], columns: Sequence[Sequence[str]]
    ) -> list[RegisterEntry]:
        text, due, past = self._text, self._due, self._past
        offices = map(Office, *map(_cleaned, columns[:8]))
        category, status, country, dissolved, incorporated, day, month, accounts_due, accounts_last, kind = columns[
            8:18
        ]
        accounts = map(
            AccountsFiling,
            [self._day[each] for each in day],
            [self._month[each] for each in month],
            [due[each] for each in accounts_due],
            [past[each] for each in accounts_last],
            [text[each] for each in kind],
        )
        activities, charges = self._activities, self._charges
        return list(
            map(
                RegisterEntry,
                numbers,
                names,
                [text[each] for each in category],
                [text[each] for each in status],
                [text[each] for each in country],
                [past[each] for each in incorporated],
                [past[each] for each in dissolved],
                offices,
                [activities[each] for each in zip(*columns[23:27], strict=True)],
                self._former_names(columns[27:47], len(names)),
                accounts,
                [due[each] for each in columns[47]],
                [past[each] for each in columns[48]],
                [past[each] for each in columns[18]],
                [charges[each] for each in zip(*columns[19:23], strict=True)],
            )
        )

    def _former_names(self, columns: Sequence[Sequence[str]], rows: int) -> list[tuple[FormerName, ...]]:
        found: list[tuple[FormerName, ...]] = [()] * rows
        for changed, names in zip(columns[::2], columns[1::2], strict=True):
            if any(names):
                for row, cell in enumerate(names):
                    if cell and (name := _clean(cell)):
                        found[row] += (FormerName(name, self._past[changed[row]]),)
        return found

    def _read_charges(self, texts: tuple[str, ...]) -> Charges:
        return Charges(*[self._read_number(_COUNTS, text) for text in texts])

    def _read_activities(self, texts: tuple[str, ...]) -> tuple[Activity, ...]:
        return tuple([found for text in texts if (found := self._read_activity(_clean(text))) is not None])

    def _read_activity(self, text: str) -> Activity | None:
        if text in _EMPTY or text == "None Supplied":
            return None
        # Descriptions may contain " - " too: only the first one ends the code.
        code, separator, description = text.partition(" - ")
        if separator and code.strip().isdecimal():
            return Activity(code.strip(), description.strip())
        self.warnings["sic.unreadable"] += 1
        return None

    def _read_number(self, allowed: range, text: str) -> int | None:
        text = _clean(text)
        if text in _EMPTY:
            return None
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
        text = _clean(text)
        if text in _EMPTY:
            return None
        day, month, year = text[:2], text[3:5], text[6:]
        try:
            if text == f"{day}/{month}/{year}":
                return dt.date.fromisoformat(f"{year}-{month}-{day}")
        except ValueError:
            pass
        self.warnings["date.unreadable"] += 1
        return None


def _clean(text: str) -> str:
    return plain_text(text.strip())


def _cleaned(column: Sequence[str]) -> Sequence[str]:
    """Return plain texts without spaces at their ends. Most columns have only such: printable white space is the space."""
    texts = f"|{'|'.join(column)}|"
    if "| " in texts or " |" in texts or not texts.isprintable():
        return list(map(_clean, column))
    return column
