"""The models inside Identification (report schema, field tables)."""

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
    """An activity. It contains SIC 2007, because the schema has no newer member (report schema §9)."""

    Code: str
    Description: str


class PrevName(msgspec.Struct, frozen=True, omit_defaults=True):
    """A former name and the day it ended."""

    Name: str
    DateChanged: dt.date | None = None


class PreviousNames(msgspec.Struct, frozen=True, omit_defaults=True):
    """The number of former names, and the names; without names the list is absent."""

    NumPrevNames: int
    PreviousName: tuple[PrevName, ...] = ()


class FilingDetails(msgspec.Struct, frozen=True, omit_defaults=True):
    """The last filings and the end of the company's year; `NumberDaysToFileAccounts` is from year end to receipt."""

    LatestAccounts: dt.date | None = None
    LatestReturns: dt.date | None = None
    LatestAccountsReceived: dt.date | None = None
    NumAccountsOnFile: int | None = None
    LatestAccountType: str | None = None
    AccountsRefDate: MMDD | None = None
    NumberDaysToFileAccounts: int | None = None


class RegisterChange(msgspec.Struct, frozen=True, omit_defaults=True):
    """`CRO`: one filing that changed the register; its type is the register's code, such as AD01."""

    DocumentDate: dt.date
    DocumentType: str


class RegisterChanges(msgspec.Struct, frozen=True, omit_defaults=True):
    """`CROChanges`: filings other than accounts and statements, newest first."""

    NumCROChanges: int
    CROChangeDetail: tuple[RegisterChange, ...] = ()
