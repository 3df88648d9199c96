"""One row of a register snapshot becomes one `RegisterEntry` (credit §2.2).

A row without a valid number or a name is refused. A cell that cannot be read, such as the date 31/02/2020, costs only
itself: the value is unknown and the load counts a warning. "NA", which R writes, is an empty cell and no warning.
"""

import datetime as dt
import functools
from collections import Counter

from credence.credit.facts.register import AccountsFiling, Activity, Charges, FormerName, Office, RegisterEntry
from credence.credit.number import normalise
from credence.credit.sources.snapshot import Cells
from credence.refusals import Refused

_EMPTY = frozenset({"", "NA"})


class RowError(ValueError):
    """The row cannot be kept; the message is the reason under which it is counted."""


def read_entry(cells: Cells, warnings: Counter[str]) -> RegisterEntry:
    """Return the entry a row holds and count in `warnings` what could not be read.

    Raises RowError with `number.malformed` or `name.missing`.
    """
    try:
        number = normalise(cells["CompanyNumber"])
    except Refused as refused:
        raise RowError("number.malformed") from refused
    name = cells["CompanyName"].strip()
    if not name:
        raise RowError("name.missing")
    return RegisterEntry(
        number=number,
        name=name,
        category=cells["CompanyCategory"].strip(),
        status=cells["CompanyStatus"].strip(),
        country_of_origin=cells["CountryOfOrigin"].strip(),
        incorporated=_date(cells, "IncorporationDate", warnings),
        dissolved=_date(cells, "DissolutionDate", warnings),
        office=_office(cells),
        activities=_activities(cells, warnings),
        former_names=_former_names(cells, warnings),
        accounts=_accounts(cells, warnings),
        confirmation_next_due=_date(cells, "ConfStmtNextDueDate", warnings),
        confirmation_last_made_up=_date(cells, "ConfStmtLastMadeUpDate", warnings),
        annual_return_last_made_up=_date(cells, "Returns.LastMadeUpDate", warnings),
        charges=_charges(cells, warnings),
    )


def _office(cells: Cells) -> Office:
    return Office(
        care_of=cells["RegAddress.CareOf"].strip(),
        po_box=cells["RegAddress.POBox"].strip(),
        line_1=cells["RegAddress.AddressLine1"].strip(),
        line_2=cells["RegAddress.AddressLine2"].strip(),
        town=cells["RegAddress.PostTown"].strip(),
        county=cells["RegAddress.County"].strip(),
        country=cells["RegAddress.Country"].strip(),
        postcode=cells["RegAddress.PostCode"].strip(),
    )


def _activities(cells: Cells, warnings: Counter[str]) -> tuple[Activity, ...]:
    found = []
    for column in ("SICCode.SicText_1", "SICCode.SicText_2", "SICCode.SicText_3", "SICCode.SicText_4"):
        text = cells[column].strip()
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
    # Descriptions hold " - " too, so only the first one parts them from the code.
    code, separator, description = text.partition(" - ")
    return Activity(code.strip(), description.strip()) if separator and code.strip().isdecimal() else None


def _former_names(cells: Cells, warnings: Counter[str]) -> tuple[FormerName, ...]:
    return tuple(
        FormerName(name, _date(cells, f"PreviousName_{n}.CONDATE", warnings))
        for n in range(1, 11)
        if (name := cells[f"PreviousName_{n}.CompanyName"].strip())
    )


def _accounts(cells: Cells, warnings: Counter[str]) -> AccountsFiling:
    return AccountsFiling(
        reference_day=_number(cells, "Accounts.AccountRefDay", warnings, range(1, 32)),
        reference_month=_number(cells, "Accounts.AccountRefMonth", warnings, range(1, 13)),
        next_due=_date(cells, "Accounts.NextDueDate", warnings),
        last_made_up=_date(cells, "Accounts.LastMadeUpDate", warnings),
        category=cells["Accounts.AccountCategory"].strip(),
    )


_COUNTS = range(1_000_000)


def _charges(cells: Cells, warnings: Counter[str]) -> Charges:
    return Charges(
        total=_number(cells, "Mortgages.NumMortCharges", warnings, _COUNTS),
        outstanding=_number(cells, "Mortgages.NumMortOutstanding", warnings, _COUNTS),
        part_satisfied=_number(cells, "Mortgages.NumMortPartSatisfied", warnings, _COUNTS),
        satisfied=_number(cells, "Mortgages.NumMortSatisfied", warnings, _COUNTS),
    )


def _number(cells: Cells, column: str, warnings: Counter[str], allowed: range) -> int | None:
    text = cells[column].strip()
    if text in _EMPTY:
        return None
    if text.isascii() and text.isdecimal() and len(text) < 10 and int(text) in allowed:
        return int(text)
    warnings["number.unreadable"] += 1
    return None


def _date(cells: Cells, column: str, warnings: Counter[str]) -> dt.date | None:
    text = cells[column].strip()
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
