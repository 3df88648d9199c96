"""The hours of the days to come, with the days on which the clocks change (D15, threats A10)."""

import datetime as dt

import pytest

from credence.access.rules import AccessRules
from credence.access.text import parse_rules
from credence.access.week import days_of

HOUR = 3_600_000


def at(text: str) -> int:
    return int(dt.datetime.fromisoformat(text).timestamp()) * 1000


def hours_of(rules: AccessRules, start: str) -> list[tuple[str, float, list[str]]]:
    """Day, its length in hours, and its open times in UTC."""

    def utc(instant: int) -> str:
        return f"{dt.datetime.fromtimestamp(instant / 1000, dt.UTC):%d %H:%M}"

    return [
        (f"{day.date:%a %d}", (day.end - day.start) / HOUR, [f"{utc(first)}-{utc(last)}" for first, last in day.open])
        for day in days_of(rules, at(start))
    ]


def test_the_hours_follow_the_clock_of_the_zone() -> None:
    """In London clocks go forward on the last Sunday of March at 01:00 UTC (Summer Time Order 2002)."""
    rules = parse_rules(windows="Mon-Fri 08:00-18:00, Sun 00:30-03:00", time_zone="Europe/London")
    found = hours_of(rules, "2026-03-27T12:00:00+00:00")
    assert found[0] == ("Fri 27", 24, ["27 08:00-27 18:00"])
    assert found[1] == ("Sat 28", 24, [])
    assert found[2] == ("Sun 29", 23, ["29 00:30-29 02:00"])  # 03:00 of summer time is 02:00 UTC
    assert found[3] == ("Mon 30", 24, ["30 07:00-30 17:00"])
    assert len(found) == 7


def test_an_hour_that_comes_twice_is_open_twice() -> None:
    """Clocks go back on the last Sunday of October: 01:00 to 02:00 comes twice."""
    found = hours_of(parse_rules(windows="Sun 01:00-02:00", time_zone="Europe/London"), "2026-10-25T09:00:00+00:00")
    assert found[0] == ("Sun 25", 25, ["25 00:00-25 02:00"])


def test_a_window_past_midnight_belongs_to_both_days() -> None:
    found = hours_of(parse_rules(windows="Fri 22:07-06:00"), "2026-11-20T09:00:00+00:00")
    assert [each[2] for each in found[:3]] == [["20 22:07-21 00:00"], ["21 00:00-21 06:00"], []]


@pytest.mark.parametrize(("windows", "expected"), [("", 24.0), ("never", 0.0), ("00:00-24:00", 24.0)])
def test_without_hours_every_day_is_open_and_never_is_never(windows: str, expected: float) -> None:
    for day in days_of(parse_rules(windows=windows), at("2026-11-20T09:00:00+00:00")):
        assert sum(last - first for first, last in day.open) == expected * HOUR
