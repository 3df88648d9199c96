"""The company's statutory reports on its payment of suppliers (credit §4.3)."""

from collections.abc import Iterator

from credence.blocks.text import NONE, decimal
from credence.blocks.values import Note, Section, Table, capped
from credence.report.schema.payment import Practice
from credence.report.schema.report import LtdCompanyData
from credence.report.schema.sector_position import PaymentComparison


def practices_sections(report: LtdCompanyData) -> Iterator[Section]:
    """Yield the section of the payment reports, if the report has any."""
    rows, more = capped(report.Assessment.PaymentPractices if report.Assessment else (), _row)
    if not rows:
        return
    compared = report.Assessment.PaymentComparison if report.Assessment else None
    heads = ("Half-year to", "Days to pay", "Within 30 days", "31 to 60", "Later", "Beyond terms", "Disputed")
    yield Section(
        "practices",
        "Payment practices",
        (
            Note("What the company itself reported, as large companies must. It is not what suppliers experienced."),
            *((Note(_in_words(compared)),) if compared else ()),
            Table("Statutory reports on payment practices", heads, rows, numbers=(1, 2, 3, 4, 5, 6), more=more),
        ),
    )


def _in_words(compared: PaymentComparison) -> str:
    late = ""
    if compared.PercentNotWithinTerms is not None and compared.MedianPercentNotWithinTerms is not None:
        late = (
            f" It paid {_share(compared.PercentNotWithinTerms)} of invoices beyond terms, the median reporter "
            f"{_share(compared.MedianPercentNotWithinTerms)}."
        )
    return (
        f"Of {compared.Reporters:,} companies that reported ({compared.Among}), {compared.PercentThatPaySooner}% pay "
        f"sooner: it paid after {decimal(compared.AverageDaysToPay, 0)} days, the median company after "
        f"{decimal(compared.MedianDaysToPay, 0)}.{late}"
    )


def _row(each: Practice) -> tuple[str, ...]:
    return (
        f"{each.PeriodEnd:%d.%m.%Y}" if each.PeriodEnd else NONE,
        decimal(each.AverageDaysToPay, 0),
        _share(each.PercentWithin30Days),
        _share(each.Percent31To60Days),
        _share(each.PercentAfter60Days),
        _share(each.PercentNotWithinTerms),
        _share(each.PercentDisputed),
    )


def _share(per_cent: float | None) -> str:
    return NONE if per_cent is None else f"{decimal(per_cent, 0)}%"
