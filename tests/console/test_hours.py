"""The drawings of the last 24 hours on the overview, and what they are counted from."""

from pathlib import Path

import pytest

from credence.blocks.values import Chart
from credence.request_log.counting import HOUR_MS, Level, count_hours, count_level
from credence.request_log.log_file import LogFile
from credence.request_log.waiting import Waiting
from credence.sites.console.hours import drawn

NOW = 1_700_000_400_000
"""22:20 UTC on 14 November 2023."""


def write(path: Path, *requests: tuple[int, int, float], route: str = "/docs") -> None:
    """Write a block of requests: how long before now, status and seconds."""
    waiting, file = Waiting(()), LogFile(path, 10, 7)
    for number, (before, status, seconds) in enumerate(requests):
        waiting.add((NOW - before, f"{number:016x}-1", None, "a", "ada", "GET", route, status, seconds, None, "", ""))
    file.write(waiting, waiting.take(), NOW)
    file.close()


def test_requests_are_counted_by_the_hour_in_which_they_began(tmp_path: Path) -> None:
    path = tmp_path / "requests.sqlite"
    write(path, (26 * HOUR_MS, 200, 0.5), (HOUR_MS, 404, 0.002), (HOUR_MS, 503, 0.004), (0, 200, 0.001))
    found = count_hours(path, NOW - 24 * HOUR_MS, 60.0)
    hour = NOW // HOUR_MS
    assert sorted(found.hours) == [hour - 1, hour]
    before = found.hours[hour - 1]
    assert (before.refused, before.failed, sorted(before.microseconds), before.slow) == (1, 1, [2_000, 4_000], 4_000)
    assert count_hours(tmp_path / "none.sqlite", 0).hours == {}


def test_the_slowest_of_twenty_are_the_95th_percentile(tmp_path: Path) -> None:
    """The nearest rank: the 19th of 20."""
    path = tmp_path / "requests.sqlite"
    write(path, *((0, 200, number / 1_000) for number in range(1, 21)))
    assert count_hours(path, 0, 60.0).hours[NOW // HOUR_MS].slow == 19_000


def test_each_drawing_says_its_greatest_hour_and_has_a_table(tmp_path: Path) -> None:
    path = tmp_path / "requests.sqlite"
    write(path, *((HOUR_MS, 200, 0.010) for _ in range(3)), (0, 429, 0.002))
    shown = drawn(count_hours(path, NOW - 24 * HOUR_MS, 60.0), NOW)
    charts = {each.title: each for each in (*shown.left, *shown.right) if isinstance(each, Chart)}
    assert charts["Requests"].alt == "Requests, hour by hour: at most 3, in the last hour 1"
    assert charts["Latency, 95th percentile"].alt.endswith("at most 10 ms, in the last hour 2 ms")
    assert charts["Refused (4xx)"].table.rows[-1] == ("22:00", "1")
    assert len(charts["Failed (5xx)"].table.rows) == 24
    assert "none" in charts["Failed (5xx)"].svg


def test_burn_rates_are_the_missed_share_by_the_share_that_may_be_missed(tmp_path: Path) -> None:
    """4 of 1,000 failed are 0.4 %, four times 0.1 %; 6 of 300 slow are 2 %, twice 1 % (docs/alerts.md)."""
    path = tmp_path / "requests.sqlite"
    write(path, *[(0, 200, 0.25)] * 294, *[(0, 200, 0.251)] * 6, *[(0, 404, 9.0)] * 696, *[(0, 503, 2.0)] * 4)
    write(path, *[(2 * HOUR_MS, 500, 1.0)] * 50)
    write(path, *[(0, 200, 0.001)] * 100, *[(0, 503, 0.001)] * 100, route="/readyz")
    found = count_level(path, NOW - HOUR_MS, 60.0)
    assert (found.requests, found.failed, found.successful, found.slow) == (1_000, 4, 300, 6)
    assert found.error_burn == pytest.approx(4)
    assert found.latency_burn == pytest.approx(2)


def test_a_token_may_take_a_second(tmp_path: Path) -> None:
    path = tmp_path / "requests.sqlite"
    write(path, (0, 200, 1.0), (0, 200, 1.1), route="/oauth2/v1/token")
    found = count_level(path, 0, 60.0)
    assert (found.successful, found.slow) == (2, 1)


def test_a_failure_or_nine_among_few_requests_are_no_burn_rate_and_ten_are() -> None:
    """9 of 999 are no rate, 1 of 1,000 is 0.1 % and so 1; 10 of 10 are 1,000 times 0.1 % (docs/alerts.md)."""
    assert Level(0).error_burn is None
    assert Level(0, requests=2, failed=1, successful=1, slow=1).error_burn is None
    assert Level(0, requests=999, failed=9).error_burn is None
    assert Level(0, requests=1_000, failed=1).error_burn == pytest.approx(1)
    assert Level(0, requests=10, failed=10).error_burn == pytest.approx(1_000)
    assert Level(0, successful=99, slow=9).latency_burn is None
    assert Level(0, successful=100, slow=1).latency_burn == pytest.approx(1)
