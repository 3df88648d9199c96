"""The models inside a report that have a source today, each with its name in the field tables of the report schema."""

import datetime as dt

import msgspec


class MMDD(msgspec.Struct, frozen=True, omit_defaults=True):
    """A day of the year, month and day in two digits each."""

    MM: str
    DD: str


class LtdBusinessLocation(msgspec.Struct, frozen=True, omit_defaults=True):
    """An address in up to five lines. A search result has the same model under the name BusinessLocation."""

    LocationLine1: str | None = None
    LocationLine2: str | None = None
    LocationLine3: str | None = None
    LocationLine4: str | None = None
    LocationLine5: str | None = None
    Postcode: str | None = None


class SICInfo92(msgspec.Struct, frozen=True, omit_defaults=True):
    """An activity. The wire has no newer slot, so this holds SIC 2007 (report schema §9)."""

    Code: str
    Description: str


class PrevName(msgspec.Struct, frozen=True, omit_defaults=True):
    """A former name and the day it ended."""

    Name: str
    DateChanged: dt.date | None = None


class PreviousNames(msgspec.Struct, frozen=True, omit_defaults=True):
    """The former names, counted; a count of 0 stands without the list."""

    NumPrevNames: int
    PreviousName: tuple[PrevName, ...] = ()


class FilingDetails(msgspec.Struct, frozen=True, omit_defaults=True):
    """What was last filed, and the day the company's year ends; `NumberDaysToFileAccounts` from year end to receipt."""

    LatestAccounts: dt.date | None = None
    LatestReturns: dt.date | None = None
    LatestAccountsReceived: dt.date | None = None
    NumAccountsOnFile: int | None = None
    LatestAccountType: str | None = None
    AccountsRefDate: MMDD | None = None
    NumberDaysToFileAccounts: int | None = None


class RegisterChange(msgspec.Struct, frozen=True, omit_defaults=True):
    """The wire's CRO: one document by which the register was changed; its type as the register codes it, as AD01."""

    DocumentDate: dt.date
    DocumentType: str


class RegisterChanges(msgspec.Struct, frozen=True, omit_defaults=True):
    """The wire's CROChanges: what was filed besides accounts and statements, newest first."""

    NumCROChanges: int
    CROChangeDetail: tuple[RegisterChange, ...] = ()
