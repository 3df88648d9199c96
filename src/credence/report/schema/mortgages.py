"""Registered charges (report schema, field tables, Mortgages)."""

import datetime as dt

import msgspec


class Lender(msgspec.Struct, frozen=True, omit_defaults=True):
    """`LenderDetails`: a person entitled to the charge."""

    LenderName: str


class ChargeDetail(msgspec.Struct, frozen=True, omit_defaults=True):
    """`MortgageDetail`. `FullySatisfiedIndicator` is F (fully satisfied) or N (not)."""

    ChargeNumber: str
    ChargeType: str | None = None
    CreationDate: dt.date | None = None
    RegistrationDate: dt.date | None = None
    DateFullySatisfied: dt.date | None = None
    FullySatisfiedIndicator: str | None = None
    AmountSecured: str | None = None
    LenderDetails: tuple[Lender, ...] = ()
    NumberLenders: int | None = None


class Mortgages(msgspec.Struct, frozen=True, omit_defaults=True):
    """The number of charges: all, satisfied, and outstanding or satisfied in part; and each charge (report schema §9)."""

    NumMortgages: int | None = None
    NumSatMortgages: int | None = None
    NumUnsatMortgages: int | None = None
    DateMostRecentMort: dt.date | None = None
    RecMortDateFlag: str | None = None
    DateMostRecentSat: dt.date | None = None
    MortgageDetail: tuple[ChargeDetail, ...] = ()
