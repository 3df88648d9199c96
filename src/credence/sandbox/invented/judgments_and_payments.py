"""Judgments and payment data of invented companies: no open source has them, so only the sandbox sends them (D24).

A report with them says in `Assessment.Specimen` that they are invented.
"""

import datetime as dt

import msgspec

from credence.report.schema.assessment import Assessment
from credence.report.schema.legal_notices import Judgment, Judgments
from credence.report.schema.payment import MonthOfCompany, MonthOfIndustry, PaymentFull, PaymentPerformance
from credence.report.schema.report import LtdCompanyData
from credence.sandbox.invented.companies_file import invented_file
from credence.sandbox.invented.dating import moved

MARK = (
    "This company does not exist: the company, its people, its figures, its judgments and its payment data were invented "
    "for the sandbox."
)

_AGES = {
    "Last12Months": (0, 12),
    "13To24": (13, 24),
    "25To36": (25, 36),
    "37To48": (37, 48),
    "49To60": (49, 60),
    "61To72": (61, 72),
}
"""Suffix of the members -> first and last age in months."""

_INDUSTRY_DAYS = (11, 10, 11, 12, 11, 10, 11, 12, 12, 11, 10, 11)
_INVOICES = 8


def with_invented(report: LtdCompanyData, day: dt.date) -> LtdCompanyData:
    """Return the report on an invented company with facts of `day`, its judgments and payment data, marked as invented."""
    held = report.Assessment or Assessment()
    not_held = tuple(each for each in held.NotHeld if each.Member not in {"CCJs", "PaymentPerformance"})
    return msgspec.structs.replace(
        report,
        CCJs=judgments(report.RegNumber, report.CommercialName or "", day),
        PaymentPerformance=payment_performance(report.RegNumber, day),
        Assessment=msgspec.structs.replace(held, Specimen=MARK, NotHeld=not_held),
    )


def judgments(number: str, name: str, today: dt.date) -> Judgments:
    """Return the judgments against a company, aged at the day of the facts."""
    sued = tuple(
        (moved(each.day, today), each.amount, moved(each.paid, today) if each.paid else None)
        for each in invented_file().companies[number].judgments
    )
    of_age = {
        suffix: [amount for day, amount, _ in sued if first <= _months(day, today) <= last]
        for suffix, (first, last) in _AGES.items()
    }
    counts = {f"NumberCCJs{suffix}": len(amounts) for suffix, amounts in of_age.items()}
    values = {f"ValueCCJs{suffix}": sum(amounts) for suffix, amounts in of_age.items()}
    return Judgments(
        NumberCCJs0To72=sum(counts.values()),
        ValueCCJs0To72=sum(values.values()),
        **counts,
        **values,
        AgeMostRecentCCJ=_months(sued[0][0], today) if sued else None,
        CCJDetail=tuple(_judgment(f"{n}IV{number[-5:]}", name, *each) for n, each in enumerate(sued, 1)),
    )


def payment_performance(number: str, day: dt.date) -> PaymentPerformance:
    """Return the payment performance of a company over twelve months."""
    days = invented_file().companies[number].days_beyond_terms
    months = [_month(n, day) for n in range(len(days))]
    fastest, slowest = days.index(min(days)), days.index(max(days))
    late = sum(each > 30 for each in days)
    return PaymentPerformance(
        PaymentFull(
            AvgDBT3Mnths=_mean(days[:3]),
            AvgDBT6Mnths=_mean(days[:6]),
            AvgDBT12Mnths=_mean(days),
            CompanyDBTMonthly=tuple(
                MonthOfCompany(each, month, _INVOICES) for each, month in zip(days, months, strict=True)
            ),
            CompanyNumMnths=len(days),
            FastestMonth=months[fastest],
            FastestPayment=days[fastest],
            SlowestMonth=months[slowest],
            SlowestPayment=days[slowest],
            IndAvgDBT3Mnths=_mean(_INDUSTRY_DAYS[:3]),
            IndAvgDBT6Mnths=_mean(_INDUSTRY_DAYS[:6]),
            IndAvgDBT12Mnths=_mean(_INDUSTRY_DAYS),
            IndDBTMonthly=tuple(
                MonthOfIndustry(month, each) for each, month in zip(_INDUSTRY_DAYS, months, strict=True)
            ),
            IndustryNumMnths=len(_INDUSTRY_DAYS),
            IndustrySICDesc="Computer programming activities",
            PaymentPattern=_pattern(_mean(days[:3]), _mean(days)),
            IndPaymentPattern="S",
            PaymentToTerms="B",
            NumberDBT1K=5 + late,
            NumberDBT10K=3 if late else 1,
            NumberDBT100K=0,
            NumberDBT100KPlus=0,
            NumberCollection=late // 3,
            ValCollection=late // 3 * 1_200,
        )
    )


def _judgment(case: str, name: str, day: dt.date, amount: int, paid: dt.date | None) -> Judgment:
    return Judgment(
        CaseNumber=case,
        CourtName="COUNTY COURT AT NOWHERE",
        JudgmentAgainst=name,
        JudgmentAmount=amount,
        JudgmentDate=day,
        JudgmentSource="RTLS",
        JudgmentType="SS" if paid else "JG",
        RegisteredOfficeIndicator="Y",
        SatisfactionDate=paid,
    )


def _months(day: dt.date, today: dt.date) -> int:
    """Return the whole months from a day to the day of the facts."""
    return (today.year - day.year) * 12 + today.month - day.month - (today.day < day.day)


def _month(n: int, today: dt.date) -> str:
    """Return the month `n` months before the day of the facts."""
    months = today.year * 12 + today.month - 1 - n
    return f"{months // 12}-{months % 12 + 1:02}"


def _mean(days: tuple[int, ...]) -> int:
    return round(sum(days) / len(days))


def _pattern(newest: int, usual: int) -> str:
    return "I" if newest < usual else "W" if newest > usual else "S"
