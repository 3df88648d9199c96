"""Invented companies, one for each band of the score and one without a score (D24).

No real company of the sample serves as an example of high risk: these do not exist, and their names say so. They are
facts like any others, and their reports are built like every report.
"""

import datetime as dt
from collections.abc import Mapping
from typing import TypeVar

from credence.companies.facts.accounts import Accounts, Figure, Figures, Method, Period
from credence.companies.facts.company import Company, Provenance, Sourced
from credence.companies.facts.events import Notice
from credence.companies.facts.register import AccountsFiling, Activity, Charges, Office, RegisterEntry

T = TypeVar("T")

DAY = dt.date(2026, 5, 1)
"""The date of the facts and of the scores."""

_YEAR_END = dt.date(2025, 12, 31)
_YEAR_BEFORE = dt.date(2024, 12, 31)
_INVENTED = Provenance("Invented for the sandbox; these companies do not exist", DAY, DAY)

_SOUND = {
    "fixed_assets": 400_000,
    "tangible_assets": 400_000,
    "current_assets": 600_000,
    "stocks": 100_000,
    "debtors": 300_000,
    "cash": 200_000,
    "creditors_within_year": 200_000,
    "net_current_assets": 400_000,
    "total_assets_less_current_liabilities": 800_000,
    "creditors_after_year": 100_000,
    "net_assets": 700_000,
    "equity": 700_000,
    "share_capital": 1_000,
    "retained_earnings": 699_000,
    "total_assets": 1_000_000,
    "total_liabilities": 300_000,
    "tangible_net_assets": 700_000,
    "turnover": 2_400_000,
    "cost_of_sales": 1_500_000,
    "gross_profit": 900_000,
    "operating_profit": 160_000,
    "depreciation": 50_000,
    "interest_payable": 10_000,
    "profit_before_tax": 150_000,
    "tax": 30_000,
    "profit": 120_000,
    "employees": 20,
}
"""A solvent company that files a profit and loss account."""

_TIGHT = {
    "fixed_assets": 45_000,
    "tangible_assets": 45_000,
    "current_assets": 105_000,
    "stocks": 25_000,
    "debtors": 77_000,
    "cash": 3_000,
    "creditors_within_year": 100_000,
    "net_current_assets": 5_000,
    "total_assets_less_current_liabilities": 50_000,
    "creditors_after_year": 19_900,
    "net_assets": 30_100,
    "equity": 30_100,
    "share_capital": 100,
    "retained_earnings": 30_000,
    "total_assets": 150_000,
    "total_liabilities": 119_900,
    "tangible_net_assets": 30_100,
    "employees": 4,
}
"""A small company that can pay its creditors only after its customers have paid."""

_DEEP_IN_DEBT = {
    "fixed_assets": 5_000,
    "tangible_assets": 5_000,
    "current_assets": 15_000,
    "debtors": 14_900,
    "cash": 100,
    "creditors_within_year": 80_000,
    "net_current_assets": -65_000,
    "total_assets_less_current_liabilities": -60_000,
    "net_assets": -60_000,
    "equity": -60_000,
    "share_capital": 100,
    "retained_earnings": -60_100,
    "total_assets": 20_000,
    "total_liabilities": 80_000,
    "tangible_net_assets": -60_000,
    "employees": 3,
}


def _sourced(value: T) -> Sourced[T]:
    return Sourced(value, _INVENTED)


def _entry(
    number: str,
    name: str,
    incorporated: dt.date,
    *,
    status: str = "Active",
    dissolved: dt.date | None = None,
    accounts_due: dt.date | None = dt.date(2026, 9, 30),
) -> Sourced[RegisterEntry]:
    return _sourced(
        RegisterEntry(
            number=number,
            name=name,
            category="Private Limited Company",
            status=status,
            country_of_origin="United Kingdom",
            incorporated=incorporated,
            dissolved=dissolved,
            office=Office(line_1="1 Invented Street", town="NOWHERE", postcode="ZZ99 9ZZ"),
            activities=(Activity("62012", "Business and domestic software development"),),
            former_names=(),
            accounts=AccountsFiling(31, 12, accounts_due, _YEAR_END, "TOTAL EXEMPTION FULL"),
            confirmation_next_due=dt.date(2027, 1, 31),
            confirmation_last_made_up=dt.date(2026, 1, 17),
            annual_return_last_made_up=None,
            charges=Charges(0, 0, 0, 0),
        )
    )


def _filed(number: str, now: Mapping[str, int], before: Mapping[str, int]) -> Sourced[tuple[Accounts, ...]]:
    periods = tuple(
        Period(
            end=end,
            start=dt.date(end.year, 1, 1),
            figures=Figures(**{name: Figure(amount, Method.REPORTED) for name, amount in amounts.items()}),
            balanced=True,
        )
        for end, amounts in ((_YEAR_END, now), (_YEAR_BEFORE, before))
    )
    accounts = Accounts(
        company=number,
        document=f"Invented_{number}_20251231",
        filed=dt.date(2026, 4, 1),
        balance_sheet_date=_YEAR_END,
        currency="GBP",
        periods=periods,
        group_periods=(),
        layout="frc",
        taxonomy="",
        standard="SmallEntities",
        dormant=False,
    )
    return _sourced((accounts,))


_A, _B, _C, _D, _E, NOT_SCORED = (f"9999990{n}" for n in range(1, 7))

BANDS: Mapping[str, str] = {"A": _A, "B": _B, "C": _C, "D": _D, "E": _E}
"""Band of the score -> number of the company that has it."""

INVENTED: Mapping[str, Company] = {
    each.number: each
    for each in (
        Company(
            number=_A,
            register=_entry(_A, "INVENTED BAND A LIMITED", dt.date(2001, 3, 1)),
            accounts=_filed(_A, _SOUND, {"net_assets": 600_000, "total_assets": 930_000, "profit": 90_000}),
        ),
        Company(
            number=_B,
            register=_entry(_B, "INVENTED BAND B LIMITED", dt.date(2015, 3, 1)),
            accounts=_filed(_B, _TIGHT, {"net_assets": 29_000}),
        ),
        # No accounts are known, as for most young companies.
        Company(number=_C, register=_entry(_C, "INVENTED BAND C LIMITED", dt.date(2019, 3, 1))),
        Company(
            number=_D,
            register=_entry(
                _D,
                "INVENTED BAND D LIMITED",
                dt.date(2015, 3, 1),
                status="Active - Proposal to Strike off",
                accounts_due=dt.date(2026, 3, 31),
            ),
            accounts=_filed(_D, _TIGHT, {"net_assets": 29_000}),
        ),
        Company(
            number=_E,
            register=_entry(_E, "INVENTED BAND E LIMITED", dt.date(2023, 3, 1)),
            accounts=_filed(_E, _DEEP_IN_DEBT, {"net_assets": -20_000}),
            notices=_sourced((Notice("invented", "2450", dt.date(2026, 4, 10), "Petitions to Wind Up (Companies)"),)),
        ),
        Company(
            number=NOT_SCORED,
            register=_entry(
                NOT_SCORED,
                "INVENTED DISSOLVED LIMITED",
                dt.date(2012, 3, 1),
                status="Dissolved",
                dissolved=dt.date(2026, 2, 3),
                accounts_due=None,
            ),
        ),
    )
}
"""Number -> company."""
