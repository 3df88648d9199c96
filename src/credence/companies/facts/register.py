"""What the company register says about one company (credit §2.2).

Unknown is None, or an empty text or tuple where the register leaves a cell blank; it is never zero. `RegisterEntry`
is also what the data set stores for each company, as a MessagePack array in the order of its fields: a change of the
fields is a change of `dataset.LAYOUT`.
"""

import datetime as dt

import msgspec


class Office(msgspec.Struct, frozen=True, array_like=True):
    """The registered office, part by part as the register holds it. It may be somebody's home: keep it out of logs."""

    care_of: str = ""
    po_box: str = ""
    line_1: str = ""
    line_2: str = ""
    town: str = ""
    county: str = ""
    country: str = ""
    postcode: str = ""


class Activity(msgspec.Struct, frozen=True, array_like=True):
    """What the company does: a code of SIC 2007 (five digits) or SIC 2003 (four), and its text."""

    code: str
    description: str


class FormerName(msgspec.Struct, frozen=True, array_like=True):
    """A name the company no longer has, and the day it gave it up."""

    name: str
    changed: dt.date | None


class AccountsFiling(msgspec.Struct, frozen=True, array_like=True):
    """The rhythm of the company's accounts: the reference date in the year, the last filed and the next due."""

    reference_day: int | None = None
    reference_month: int | None = None
    next_due: dt.date | None = None
    last_made_up: dt.date | None = None
    category: str = ""


class Charges(msgspec.Struct, frozen=True, array_like=True):
    """The company's registered mortgages and other charges, counted."""

    total: int | None = None
    outstanding: int | None = None
    part_satisfied: int | None = None
    satisfied: int | None = None


class RegisterEntry(msgspec.Struct, frozen=True, array_like=True):
    """One company in the register (credit §2.2); category and status are the register's own words."""

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
    """The annual return ended in 2016, so this only ever ages (credit §2.2)."""
    charges: Charges
    companies_at_office: int | None = None
    """Companies with this address in the whole register, itself among them (credit §2.2); None when it has none.

    The register as a whole knows it, so the reader of a data set fills it in.
    """
