"""Durations between two dates, and the flows of a shorter or longer period, brought to a year by its days."""

import datetime as dt

import msgspec

from credence.companies.facts.accounts import Figure, Figures, Method, Period

A_YEAR = range(350, 381)
"""Numbers of days that count as one year, such as 52 or 53 weeks, or a year with a moved end."""

YEAR_DAYS = 365

LEAST_DAYS = 180
"""The days of the shortest period whose flows say what a year would have been: a first period has six months or more
(Companies Act 2006, section 391)."""

FLOWS = (
    "turnover",
    "cost_of_sales",
    "gross_profit",
    "operating_profit",
    "depreciation",
    "interest_payable",
    "profit_before_tax",
    "tax",
    "profit",
    "dividends",
    "staff_costs",
    "directors_pay",
)
"""Figures that grow with the length of a period. The headcount is an average, and does not."""


def days_in(period: Period) -> int | None:
    """Return the days of a period; None if its first day is unknown."""
    return None if period.start is None else days_of(period.start, period.end)


def is_year(days: int | None) -> bool:
    """Return whether a period of this length is a year; a period without a first day counts as one."""
    return days is None or days in A_YEAR


def annual(period: Period) -> Figures:
    """Return the figures of a period with its flows brought to a year; those of too short a period are unknown."""
    return annualised(period.figures, days_in(period))


def annualised(figures: Figures, days: int | None) -> Figures:
    """Return figures with the flows of a period of `days` brought to a year."""
    if is_year(days) or days is None:
        return figures
    brought = {name: _annual(figure, days) for name in FLOWS if (figure := getattr(figures, name)) is not None}
    return msgspec.structs.replace(figures, **brought) if brought else figures


def _annual(figure: Figure, days: int) -> Figure | None:
    if days < LEAST_DAYS:
        return None
    return Figure(figure.value * YEAR_DAYS / days, Method.DERIVED, f"{figure.tag} of {days} days, for a year")


def whole_years(start: dt.date, end: dt.date) -> int:
    """Return the completed years from `start` to `end`."""
    return end.year - start.year - ((end.month, end.day) < (start.month, start.day))


def whole_months(start: dt.date, end: dt.date) -> int:
    """Return the completed months from `start` to `end`."""
    return (end.year - start.year) * 12 + end.month - start.month - (end.day < start.day)


def days_of(start: dt.date, end: dt.date) -> int:
    """Return the days of a period, including its first and last."""
    return (end - start).days + 1


def weeks_of(start: dt.date, end: dt.date) -> int:
    """Return the weeks of a period, rounded: 365 days are 52."""
    return round(days_of(start, end) / 7)


def within_last(day: dt.date | None, months: int, today: dt.date) -> bool:
    """Return whether a day is within the last `months` months, today included."""
    return day is not None and day <= today and whole_months(day, today) < months


def age_in_words(start: dt.date, end: dt.date) -> str:
    """Return the time from `start` to `end` as text: in days, from 2 months on in months, from 2 years on in years."""
    years, months, days = whole_years(start, end), whole_months(start, end), max((end - start).days, 0)
    if years >= 2:
        return f"{years} years"
    return f"{months} months" if months >= 2 else "1 day" if days == 1 else f"{days} days"
