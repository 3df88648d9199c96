"""How a company pays its suppliers (report schema, field tables, PaymentPerformance).

Only invented companies have it: payment experiences come from suppliers' ledgers, which are not open data.
"""

from typing import Annotated

import msgspec

from credence.meanings import meaning

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

    AvgDBT3Mnths: Annotated[int, meaning("Average of the last 3 months.", unit=_DAYS)]
    AvgDBT6Mnths: Annotated[int, meaning("Average of the last 6 months.", unit=_DAYS)]
    AvgDBT12Mnths: Annotated[int, meaning("Average of the last 12 months.", unit=_DAYS)]
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
