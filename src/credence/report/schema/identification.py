"""The models inside Identification (report schema, field tables)."""

import datetime as dt
from typing import Annotated

import msgspec

from credence.meanings import meaning
from credence.report.schema.codes import FILED_ACCOUNTS


class MMDD(msgspec.Struct, frozen=True, omit_defaults=True):
    """A day of the year, month and day in two digits each."""

    MM: Annotated[str, meaning("Month in two digits.")]
    DD: Annotated[str, meaning("Day in two digits.")]


class LtdBusinessLocation(msgspec.Struct, frozen=True, omit_defaults=True):
    """An address in up to five lines. A search result has the same model under the name BusinessLocation."""

    LocationLine1: Annotated[str | None, meaning("First line of the address.")] = None
    LocationLine2: Annotated[str | None, meaning("Second line.")] = None
    LocationLine3: Annotated[str | None, meaning("Third line.")] = None
    LocationLine4: Annotated[str | None, meaning("Fourth line.", example="NOWHERESHIRE")] = None
    LocationLine5: Annotated[str | None, meaning("Fifth line.", example="UNITED KINGDOM")] = None
    Postcode: Annotated[str | None, meaning("Postcode.")] = None


class SICInfo92(msgspec.Struct, frozen=True, omit_defaults=True):
    """An activity. It contains SIC 2007, because the schema has no newer member (report schema §9)."""

    Code: Annotated[str, meaning("Code of SIC 2007, five digits; four of an older edition if the company kept it.")]
    Description: Annotated[str, meaning("The activity in words.")]


class PrevName(msgspec.Struct, frozen=True, omit_defaults=True):
    """A former name and the day it ended."""

    Name: Annotated[str, meaning("The former name.")]
    DateChanged: Annotated[dt.date | None, meaning("Day on which it ended.")] = None


class PreviousNames(msgspec.Struct, frozen=True, omit_defaults=True):
    """The number of former names, and the names; without names the list is absent."""

    NumPrevNames: Annotated[int, meaning("Number of former names.", unit="names")]
    PreviousName: Annotated[tuple[PrevName, ...], meaning("The former names.")] = ()


class FilingDetails(msgspec.Struct, frozen=True, omit_defaults=True):
    """The last filings and the end of the company's year; `NumberDaysToFileAccounts` is from year end to receipt."""

    LatestAccounts: Annotated[dt.date | None, meaning("Balance sheet date of the newest accounts.")] = None
    LatestReturns: Annotated[dt.date | None, meaning("Date of the last confirmation statement or annual return.")] = (
        None
    )
    LatestAccountsReceived: Annotated[
        dt.date | None, meaning("Day on which the register received the newest accounts.")
    ] = None
    NumAccountsOnFile: Annotated[int | None, meaning("Number of accounts in the filing history.", unit="filings")] = (
        None
    )
    LatestAccountType: Annotated[str | None, meaning("Kind of the newest accounts.", values=FILED_ACCOUNTS)] = None
    AccountsRefDate: Annotated[MMDD | None, meaning("Last day of the company's financial year.")] = None
    NumberDaysToFileAccounts: Annotated[
        int | None, meaning("From the end of the year to the receipt of its accounts.", unit="days")
    ] = None


class RegisterChange(msgspec.Struct, frozen=True, omit_defaults=True):
    """`CRO`: one filing that changed the register; its type is the register's code, such as AD01."""

    DocumentDate: Annotated[dt.date, meaning("Day of the filing.")]
    DocumentType: Annotated[str, meaning("The register's code of the form, such as AD01.")]


class RegisterChanges(msgspec.Struct, frozen=True, omit_defaults=True):
    """`CROChanges`: filings other than accounts and statements, newest first."""

    NumCROChanges: Annotated[int, meaning("Number of filings other than accounts and statements.", unit="filings")]
    CROChangeDetail: Annotated[tuple[RegisterChange, ...], meaning("The filings, newest first, at most 50.")] = ()
