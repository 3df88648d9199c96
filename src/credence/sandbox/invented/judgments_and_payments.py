"""Judgments and payment data of invented companies: no open source has them, so only the sandbox sends them (D24).

A report with them says in `Assessment.Specimen` that they are invented.
"""

import datetime as dt
from collections.abc import Mapping

import msgspec

from credence.report.schema.assessment import Assessment
from credence.report.schema.judgments import Judgment, Judgments
from credence.report.schema.payment import MonthOfCompany, MonthOfIndustry, PaymentFull, PaymentPerformance
from credence.report.schema.report import LtdCompanyData
from credence.sandbox.invented.companies import BANDS, INSOLVENT, JUDGMENTS
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

_Sued = tuple[dt.date, int, dt.date | None]
"""Day of a judgment, its amount in pounds, and the day of its payment."""

_JUDGED: Mapping[str, tuple[_Sued, ...]] = {
    JUDGMENTS: (
        (dt.date(2026, 3, 12), 4_180, None),
        (dt.date(2025, 11, 4), 12_650, None),
        (dt.date(2025, 2, 18), 960, dt.date(2025, 3, 3)),
        (dt.date(2023, 9, 27), 2_300, dt.date(2023, 12, 15)),
        (dt.date(2021, 6, 8), 1_475, dt.date(2021, 7, 1)),
    ),
    INSOLVENT: ((dt.date(2025, 12, 2), 8_900, None), (dt.date(2025, 9, 16), 3_120, None)),
    BANDS["E"]: ((dt.date(2026, 2, 10), 5_400, None),),
    BANDS["D"]: ((dt.date(2024, 7, 22), 750, dt.date(2024, 8, 30)),),
}
"""Company number -> judgments, newest first; the other invented companies have none."""

_LATE: Mapping[str, tuple[int, ...]] = {
    BANDS["A"]: (2, 3, 2, 2, 3, 2, 4, 3, 2, 3, 3, 2),
    BANDS["C"]: (16, 15, 17, 14, 16, 15, 14, 15, 13, 14, 15, 13),
    BANDS["D"]: (28, 26, 27, 24, 23, 24, 22, 21, 20, 21, 19, 18),
    BANDS["E"]: (54, 50, 47, 41, 38, 36, 33, 31, 28, 27, 25, 24),
    INSOLVENT: (88, 81, 74, 66, 58, 52, 45, 41, 36, 32, 30, 27),
    JUDGMENTS: (37, 35, 36, 33, 30, 31, 29, 27, 26, 24, 22, 21),
}
"""Company number -> days beyond terms in each of twelve months, newest first."""

_USUAL = (8, 9, 8, 7, 9, 8, 8, 9, 10, 8, 9, 8)


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
        (moved(day, today), amount, moved(paid, today) if paid else None)
        for day, amount, paid in _JUDGED.get(number, ())
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
    days = _LATE.get(number, _USUAL)
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
