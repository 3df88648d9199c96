"""Registered charges (report schema, field tables, Mortgages)."""

import datetime as dt
from typing import Annotated

import msgspec

from credence.meanings import meaning
from credence.report.schema.codes import CHARGE_DAY, SATISFIED


class Lender(msgspec.Struct, frozen=True, omit_defaults=True):
    """`LenderDetails`: a person entitled to the charge."""

    LenderName: Annotated[str, meaning("A person entitled to the charge, usually a lender.")]


class ChargeDetail(msgspec.Struct, frozen=True, omit_defaults=True):
    """`MortgageDetail`. `FullySatisfiedIndicator` is F (fully satisfied) or N (not)."""

    ChargeNumber: Annotated[str, meaning("The register's number of the charge.")]
    ChargeType: Annotated[str | None, meaning("Kind of charge in words.")] = None
    CreationDate: Annotated[dt.date | None, meaning("Day of creation.")] = None
    RegistrationDate: Annotated[dt.date | None, meaning("Day on which it was delivered to the register.")] = None
    DateFullySatisfied: Annotated[dt.date | None, meaning("Day on which it was fully satisfied.")] = None
    FullySatisfiedIndicator: Annotated[str | None, meaning("Whether the debt is paid.", values=SATISFIED)] = None
    AmountSecured: Annotated[
        str | None, meaning("The debt secured, in the register's words.", example="All monies due or to become due")
    ] = None
    LenderDetails: Annotated[tuple[Lender, ...], meaning("The persons entitled.")] = ()
    NumberLenders: Annotated[int | None, meaning("Number of persons entitled.", unit="persons")] = None


class Mortgages(msgspec.Struct, frozen=True, omit_defaults=True):
    """The number of charges: all, satisfied, and outstanding or satisfied in part; and each charge (report schema §9)."""

    NumMortgages: Annotated[int | None, meaning("All charges ever registered.", unit="charges")] = None
    NumSatMortgages: Annotated[int | None, meaning("Charges that are fully satisfied.", unit="charges")] = None
    NumUnsatMortgages: Annotated[
        int | None, meaning("Charges that are outstanding or satisfied in part.", unit="charges")
    ] = None
    DateMostRecentMort: Annotated[dt.date | None, meaning("Day of the newest charge.")] = None
    RecMortDateFlag: Annotated[str | None, meaning("Which day that is.", values=CHARGE_DAY)] = None
    DateMostRecentSat: Annotated[dt.date | None, meaning("Day of the newest satisfaction.")] = None
    MortgageDetail: Annotated[tuple[ChargeDetail, ...], meaning("The charges, newest first.")] = ()
