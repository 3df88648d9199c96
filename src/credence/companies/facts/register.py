"""The entry of one company in the register (credit §2.2).

The data set of the register stores each `RegisterEntry` as a MessagePack array in the order of its fields: a change of the
fields changes `datasets.register_schema.LAYOUT`.
"""

import datetime as dt

import msgspec


class Office(msgspec.Struct, frozen=True, array_like=True):
    """The registered office. It may be a person's home: keep it out of logs."""

    care_of: str = ""
    po_box: str = ""
    line_1: str = ""
    line_2: str = ""
    town: str = ""
    county: str = ""
    country: str = ""
    postcode: str = ""


class Activity(msgspec.Struct, frozen=True, array_like=True):
    """An activity of the company: a code of SIC 2007 (five digits) or SIC 2003 (four), and its text."""

    code: str
    description: str


class FormerName(msgspec.Struct, frozen=True, array_like=True):
    """A former name, and the day it changed."""

    name: str
    changed: dt.date | None


class AccountsFiling(msgspec.Struct, frozen=True, array_like=True):
    """Due dates of accounts: the reference date in the year, the last accounts and the next."""

    reference_day: int | None = None
    reference_month: int | None = None
    next_due: dt.date | None = None
    last_made_up: dt.date | None = None
    category: str = ""


class Charges(msgspec.Struct, frozen=True, array_like=True):
    """Numbers of registered mortgages and other charges."""

    total: int | None = None
    outstanding: int | None = None
    part_satisfied: int | None = None
    satisfied: int | None = None


class RegisterEntry(msgspec.Struct, frozen=True, array_like=True):
    """One company in the register (credit §2.2); category and status are the register's words."""

    number: str
    name: str
    category: str
    status: str
    country_of_origin: str
    incorporated: dt.date | None
    dissolved: dt.date | None
    office: Office
    activities: tuple[Activity, ...]
    former_names: tuple[FormerName, ...]
    accounts: AccountsFiling
    confirmation_next_due: dt.date | None
    confirmation_last_made_up: dt.date | None
    annual_return_last_made_up: dt.date | None
    """The last annual return. Annual returns ended in 2016, so this date no longer changes (credit §2.2)."""
    charges: Charges
    companies_at_office: int | None = None
    """Companies at this address in the whole register, this one included (credit §2.2); None without an address.

    The reader of the register computes it; it is not stored in the entry.
    """
    dissolved_at_office: int | None = None
    """Other, dissolved companies at this address; None without any in the register that is held. Not stored either."""


def unregistered(number: str, name: str, category: str = "", office: Office | None = None) -> RegisterEntry:
    """Return the entry of a company that is known only from another document than the register; all else is unknown."""
    return RegisterEntry(
        number=number,
        name=name,
        category=category,
        status="",
        country_of_origin="",
        incorporated=None,
        dissolved=None,
        office=office or Office(),
        activities=(),
        former_names=(),
        accounts=AccountsFiling(),
        confirmation_next_due=None,
        confirmation_last_made_up=None,
        annual_return_last_made_up=None,
        charges=Charges(),
    )
