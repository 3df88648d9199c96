"""The day in London of every hour, and what that decides for a notice of today."""

import datetime as dt
import itertools
from collections.abc import Iterator
from zoneinfo import ZoneInfo

import pytest

from credence.clock import HOUR_MS, london_day
from credence.companies.facts.events import Notice
from credence.datasets.sources.sanitize import sanitize
from credence.datasets.sources.source import Record, RejectedPlace

LONDON = ZoneInfo("Europe/London")
YEARS = (2024, 2026, 2031)
"""A leap year, the present one, and one whose March begins another day of the week."""


def hours(year: int) -> Iterator[int]:
    first = int(dt.datetime(year, 1, 1, tzinfo=dt.UTC).timestamp() * 1_000)
    last = int(dt.datetime(year + 1, 1, 1, tzinfo=dt.UTC).timestamp() * 1_000)
    return iter(range(first, last, HOUR_MS))


@pytest.mark.parametrize("year", YEARS)
def test_the_day_of_every_hour_of_a_year_is_that_of_the_time_zone(year: int) -> None:
    """Also of its last millisecond; the reference is the database of time zones."""
    for at in itertools.chain.from_iterable((hour, hour + HOUR_MS - 1) for hour in hours(year)):
        assert london_day(at) == dt.datetime.fromtimestamp(at / 1_000, LONDON).date()


def test_at_every_hour_of_a_year_a_notice_of_the_day_is_kept_and_one_of_tomorrow_is_not() -> None:
    for at in hours(2026):
        today = dt.datetime.fromtimestamp(at / 1_000, LONDON).date()
        found = [Record("00000001", "1", Notice("1", "2452", today + dt.timedelta(days=days))) for days in (0, 1)]
        kept, refused = sanitize(found, london_day(at))
        assert (isinstance(kept, Record), isinstance(refused, RejectedPlace)) == (True, True)
