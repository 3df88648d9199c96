"""Failures and late filings around a company (member of `Assessment`): facts for a reader, which the score does not use."""

import datetime as dt
from typing import Annotated

import msgspec

from credence.meanings import meaning


class FailedCompany(msgspec.Struct, frozen=True, omit_defaults=True):
    """Another company that failed while a present director was one of its directors, or within a year after.

    It names no director: that a company failed says nothing about the conduct of a person.
    """

    RegNumber: Annotated[str, meaning("Number of the company, with which its report is requested.", example="99999997")]
    Event: Annotated[str, meaning("What happened, in words.", example="winding-up order")]
    Date: Annotated[dt.date, meaning("Its day.", example=dt.date(2024, 11, 5))]
    Name: Annotated[str | None, meaning("Its name; absent if no source has it.", example="INVENTED PAST LIMITED")] = (
        None
    )


class LateFilings(msgspec.Struct, frozen=True):
    """How often accounts were filed after their day, by the filing history that is on record."""

    Filed: Annotated[int, meaning("Accounts of which the day of filing is known.", unit="accounts", example=7)]
    Late: Annotated[int, meaning("Those filed after the last day that the law allows.", unit="accounts", example=2)]
    DaysLate: Annotated[
        tuple[int, ...], meaning("By how much each of these was late, newest first.", unit="days", example=(12, 40))
    ] = ()


class Connections(msgspec.Struct, frozen=True, omit_defaults=True):
    """Failures and late filings around the company. A member is absent if what it needs is not held."""

    DirectorsCompaniesFailed: Annotated[
        int | None,
        meaning(
            "Other companies that failed while a present director was one of their directors or within a year after; 0 if "
            "none is known among the companies whose officers and insolvency cases are on record.",
            unit="companies",
        ),
    ] = None
    FailedCompanies: Annotated[tuple[FailedCompany, ...], meaning("These companies, newest failure first.")] = ()
    LateAccounts: Annotated[LateFilings | None, meaning("Accounts that were filed late.")] = None
    DissolvedAtSameOffice: Annotated[
        int | None,
        meaning(
            "Dissolved companies of the register with the same registered office; absent if no register is on record.",
            unit="companies",
            example=3,
        ),
    ] = None
