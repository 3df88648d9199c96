"""Durations between two dates, in whole years, months, weeks and days."""

import datetime as dt


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
