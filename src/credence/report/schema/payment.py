"""How a company pays its suppliers: its own statutory reports, and PaymentPerformance (report schema, field tables).

Only invented companies have the latter: payment experiences come from suppliers' ledgers, which are not open data.
"""

import datetime as dt
from typing import Annotated

import msgspec

from credence.meanings import PER_CENT, meaning

_DAYS = "days beyond terms"


class MonthOfCompany(msgspec.Struct, frozen=True):
    """`CompDebitMonthly`: the payments of the company in one month."""

    CompanyDBT: Annotated[int, meaning("Average days beyond the agreed terms.", unit=_DAYS)]
    CompanyExpMonth: Annotated[str, meaning("The month, as yyyy-mm.")]
    CompanyNumExp: Annotated[int, meaning("Invoices that were reported.")]


class MonthOfIndustry(msgspec.Struct, frozen=True):
    """`IndDebitMonthly`: the payments of the industry in one month."""

    IndExpMonth: Annotated[str, meaning("The month, as yyyy-mm.")]
    IndustryDBT: Annotated[int, meaning("Average days beyond the agreed terms in the industry.", unit=_DAYS)]


class PaymentFull(msgspec.Struct, frozen=True, omit_defaults=True):
    """`LtdPaymentFull`: averages, months and unpaid invoices."""

    AvgDBT3Mnths: Annotated[int, meaning("Average over the last 3 months.", unit=_DAYS)]
    AvgDBT6Mnths: Annotated[int, meaning("Average over the last 6 months.", unit=_DAYS)]
    AvgDBT12Mnths: Annotated[int, meaning("Average over the last 12 months.", unit=_DAYS)]
    CompanyDBTMonthly: Annotated[tuple[MonthOfCompany, ...], meaning("The months of the company, newest first.")]
    CompanyNumMnths: Annotated[int, meaning("Months with payments of the company.")]
    FastestMonth: Annotated[str, meaning("The month of the fastest payment, as yyyy-mm.")]
    FastestPayment: Annotated[int, meaning("Days beyond terms in the fastest month.", unit=_DAYS)]
    SlowestMonth: Annotated[str, meaning("The month of the slowest payment, as yyyy-mm.")]
    SlowestPayment: Annotated[int, meaning("Days beyond terms in the slowest month.", unit=_DAYS)]
    IndAvgDBT3Mnths: Annotated[int, meaning("Average of the industry in the last 3 months.", unit=_DAYS)]
    IndAvgDBT6Mnths: Annotated[int, meaning("Average of the industry in the last 6 months.", unit=_DAYS)]
    IndAvgDBT12Mnths: Annotated[int, meaning("Average of the industry in the last 12 months.", unit=_DAYS)]
    IndDBTMonthly: Annotated[tuple[MonthOfIndustry, ...], meaning("The months of the industry, newest first.")]
    IndustryNumMnths: Annotated[int, meaning("Months with payments of the industry.")]
    IndustrySICDesc: Annotated[str, meaning("The industry in words.")]
    PaymentPattern: Annotated[
        str,
        meaning(
            "How the company's payments move. The codes `C`, `W`, `N`, `S`, `I`, `O` and `T` have no public meaning; here "
            "`I` stands for improving, `S` for the same and `W` for worse."
        ),
    ]
    IndPaymentPattern: Annotated[
        str, meaning("How the industry's payments move. `C`, `S` or `F`; here `S` stands for the same.")
    ]
    PaymentToTerms: Annotated[str, meaning("Against the agreed terms.", values={"B": "beyond", "W": "within"})]
    NumberDBT1K: Annotated[int, meaning("Late invoices of up to 1,000 pounds.")]
    NumberDBT10K: Annotated[int, meaning("Late invoices of 1,000 to 10,000 pounds.")]
    NumberDBT100K: Annotated[int, meaning("Late invoices of 10,000 to 100,000 pounds.")]
    NumberDBT100KPlus: Annotated[int, meaning("Late invoices of more than 100,000 pounds.")]
    NumberCollection: Annotated[int | float, meaning("Invoices given to debt collectors.")]
    ValCollection: Annotated[int | float, meaning("Sum of the invoices given to debt collectors.", unit="pounds")]


class PaymentPerformance(msgspec.Struct, frozen=True):
    """`LtdPaymentPerformance`."""

    PaymentFull: Annotated["PaymentFull", meaning("Averages, months and unpaid invoices.")]


class Practice(msgspec.Struct, frozen=True, omit_defaults=True):
    """One statutory report on payments to suppliers. Times are in days, shares in per cent of invoices."""

    PeriodStart: Annotated[dt.date | None, meaning("First day of the period.", example=dt.date(2025, 1, 1))] = None
    PeriodEnd: Annotated[dt.date | None, meaning("Last day of the period.", example=dt.date(2025, 6, 30))] = None
    Filed: Annotated[
        dt.date | None, meaning("Day on which the company filed the report.", example=dt.date(2025, 7, 28))
    ] = None
    AverageDaysToPay: Annotated[
        float | None, meaning("Average time from invoice to payment.", unit="days", example=34.0)
    ] = None
    PercentWithin30Days: Annotated[
        float | None, meaning("Invoices paid within 30 days.", unit=PER_CENT, example=61.0)
    ] = None
    Percent31To60Days: Annotated[
        float | None, meaning("Invoices paid in 31 to 60 days.", unit=PER_CENT, example=30.0)
    ] = None
    PercentAfter60Days: Annotated[
        float | None, meaning("Invoices paid after more than 60 days.", unit=PER_CENT, example=9.0)
    ] = None
    PercentNotWithinTerms: Annotated[
        float | None, meaning("Invoices not paid within the agreed terms.", unit=PER_CENT, example=17.0)
    ] = None
    PercentDisputed: Annotated[
        float | None,
        meaning("Invoices not paid within terms because they were disputed; since 2025.", unit=PER_CENT, example=2.0),
    ] = None
    ShortestTermsDays: Annotated[
        float | None, meaning("Shortest standard payment term.", unit="days", example=14.0)
    ] = None
    LongestTermsDays: Annotated[float | None, meaning("Longest standard payment term.", unit="days", example=60.0)] = (
        None
    )
