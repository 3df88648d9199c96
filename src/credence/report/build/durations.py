"""Spans of time in whole years, months and weeks."""

import datetime as dt


def whole_years(start: dt.date, end: dt.date) -> int:
    """Return the completed years from one day to another."""
    return end.year - start.year - ((end.month, end.day) < (start.month, start.day))


def whole_months(start: dt.date, end: dt.date) -> int:
    """Return the completed months from one day to another."""
    return (end.year - start.year) * 12 + end.month - start.month - (end.day < start.day)


def days_of(start: dt.date, end: dt.date) -> int:
    """Return the days of a period, its first and its last included."""
    return (end - start).days + 1


def weeks_of(start: dt.date, end: dt.date) -> int:
    """Return the weeks of a period, which is how the wire measures it: 365 days are 52."""
    return round(days_of(start, end) / 7)


def within_last(day: dt.date | None, months: int, today: dt.date) -> bool:
    """Say whether a day lies in the months up to and including today."""
    return day is not None and day <= today and whole_months(day, today) < months
