"""The capacity plan is the arithmetic that `docs/capacity.md` describes."""

import json
from pathlib import Path

import pytest

from bench.capacity import RECORDS, Assumed, Point, closed_loop, newest_points, plan

KINDS = ("cold login", "refresh", "introspection", "report")


def test_a_plan_follows_from_the_costs() -> None:
    """One login a second at the peak of four, and every request takes a tenth of a second."""
    assumed = Assumed(refreshes=8, introspections=20, reports=5, peak=4, use=0.5, cores=2, lifetime_days=30)
    found = plan(86_400, dict.fromkeys(KINDS, Point(rate=10, p50=100)), assumed)
    assert found.busiest == pytest.approx({"cold login": 0.4, "refresh": 3.2, "introspection": 8, "report": 2})
    assert found.nodes == 15  # 13.6 busy cores, half used, two to a node, and one more
    assert (found.writes, found.databases) == (36, 1)
    assert found.gigabytes == pytest.approx(86_400 * 30 * 512 / 1e9)
    assert found.log_megabytes == pytest.approx(0.036)


def test_the_simulated_callers_keep_one_core_busy() -> None:
    """Little's law: 64 callers who always wait spend 64 times the time of a request."""
    found = closed_loop(0.001, 64)
    assert found.rate == pytest.approx(1_000, rel=0.05)
    assert found.p50 == pytest.approx(64, rel=0.05)


def test_a_newer_figure_in_another_unit_is_no_rate(tmp_path: Path) -> None:
    """The benchmark beside the floor measures microseconds of processor under the same names."""
    for file, unit, median in (("1.json", "per second", 1_000.0), ("2.json", "µs of processor", 150.0)):
        measured = [
            {"name": each, "unit": unit, "median": median, "ours": [{"p50": 64.0}]} for each in RECORDS.values()
        ]
        (tmp_path / file).write_text(json.dumps({"measurements": measured}))
    assert newest_points(tmp_path) == dict.fromkeys(RECORDS, Point(rate=1_000, p50=64))
