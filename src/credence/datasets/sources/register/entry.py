"""Reads one row of a register snapshot as a `RegisterEntry` (credit §2.2).

A row without a valid number or a name is rejected. The value of an unreadable cell, such as the date 31/02/2020, is unknown,
and the load counts a warning. "NA", which R writes, is an empty cell without a warning.
"""

import datetime as dt
import functools
from collections import Counter
from collections.abc import Sequence

from credence.companies.facts.register import AccountsFiling, Activity, Charges, FormerName, Office, RegisterEntry
from credence.companies.number import normalise
from credence.datasets.sources.register.snapshot import Cells
from credence.datasets.sources.sanitize import FUTURE_DATE as TO_COME
from credence.datasets.sources.values import plain_text
from credence.refusals import Refused

_EMPTY = frozenset({"", "NA"})


class RowError(ValueError):
    """The row is rejected; the message is the reason code."""


def read_entry(cells: Cells, warnings: Counter[str], today: dt.date) -> RegisterEntry:
    """Return the entry of a row; count unreadable cells, and past events with a date after `today`, in `warnings`.

    Raises RowError with `number.malformed` or `name.missing`.
    """
    texts = list(map(str.strip, cells))
    if not "".join(texts).isprintable():
        texts = list(map(plain_text, texts))
    name, number = texts[:2]
    category, status, country, dissolved, incorporated = texts[10:15]
    annual_return = texts[20]
    next_due, last_made_up = texts[49:51]
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
        incorporated=_past(incorporated, warnings, today),
        dissolved=_past(dissolved, warnings, today),
        office=Office(*texts[2:10]),
        activities=_activities(texts[25:29], warnings),
        former_names=_former_names(texts[29:49], warnings, today),
        accounts=_accounts(texts[15:20], warnings, today),
        confirmation_next_due=_date(next_due, warnings),
        confirmation_last_made_up=_past(last_made_up, warnings, today),
        annual_return_last_made_up=_past(annual_return, warnings, today),
        charges=_charges(texts[21:25], warnings),
    )


def _activities(texts: Sequence[str], warnings: Counter[str]) -> tuple[Activity, ...]:
    found = []
    for text in texts:
        if text in _EMPTY or text == "None Supplied":
            continue
        activity = _activity(text)
        if activity is None:
            warnings["sic.unreadable"] += 1
        else:
            found.append(activity)
    return tuple(found)


@functools.lru_cache(maxsize=4096)
def _activity(text: str) -> Activity | None:
    # Descriptions may contain " - " too: only the first one ends the code.
    code, separator, description = text.partition(" - ")
    return Activity(code.strip(), description.strip()) if separator and code.strip().isdecimal() else None


def _former_names(texts: Sequence[str], warnings: Counter[str], today: dt.date) -> tuple[FormerName, ...]:
    if not any(texts):
        return ()
    pairs = zip(texts[::2], texts[1::2], strict=True)
    return tuple(FormerName(name, _past(changed, warnings, today)) for changed, name in pairs if name)


def _accounts(texts: Sequence[str], warnings: Counter[str], today: dt.date) -> AccountsFiling:
    day, month, next_due, last_made_up, category = texts
    return AccountsFiling(
        reference_day=_number(day, warnings, _DAYS),
        reference_month=_number(month, warnings, _MONTHS),
        next_due=_date(next_due, warnings),
        last_made_up=_past(last_made_up, warnings, today),
        category=category,
    )


_DAYS, _MONTHS, _COUNTS = range(1, 32), range(1, 13), range(1_000_000)


def _charges(texts: Sequence[str], warnings: Counter[str]) -> Charges:
    total, outstanding, part_satisfied, satisfied = (_number(text, warnings, _COUNTS) for text in texts)
    return Charges(total=total, outstanding=outstanding, part_satisfied=part_satisfied, satisfied=satisfied)


def _number(text: str, warnings: Counter[str], allowed: range) -> int | None:
    if text in _EMPTY:
        return None
    number = _read_number(text)
    if number not in allowed:
        warnings["number.unreadable"] += 1
        return None
    return number


@functools.lru_cache(maxsize=4096)
def _read_number(text: str) -> int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else -1


def _past(text: str, warnings: Counter[str], today: dt.date) -> dt.date | None:
    date = _date(text, warnings)
    if date is None or date <= today:
        return date
    warnings[TO_COME] += 1
    return None


def _date(text: str, warnings: Counter[str]) -> dt.date | None:
    if text in _EMPTY:
        return None
    date = _read_date(text)
    if date is None:
        warnings["date.unreadable"] += 1
    return date


@functools.lru_cache(maxsize=65536)
def _read_date(text: str) -> dt.date | None:
    day, month, year = text[:2], text[3:5], text[6:]
    try:
        return dt.date.fromisoformat(f"{year}-{month}-{day}") if text == f"{day}/{month}/{year}" else None
    except ValueError:
        return None
