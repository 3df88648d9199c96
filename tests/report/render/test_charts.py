"""What a drawing shows is what the table behind it says: lengths and places, measured in the drawing (credit §9)."""

import datetime as dt
import re
import xml.etree.ElementTree as ET
from itertools import pairwise

import pytest

from credence.blocks.values import MOST_ROWS, Cell, Chart
from credence.report.render.charts.drawing import drawing, label
from credence.report.render.charts.score import gauge, waterfall
from credence.report.render.charts.timeline import timeline
from credence.report.render.charts.years import Trend, trends_chart, years_chart
from credence.report.render.sections.balance_sheet import sheet_chart
from credence.report.render.sections.published_models import zones_chart
from credence.report.render.sections.sector_position import percentiles

BANDS = (("A", 80), ("B", 65), ("C", 50), ("D", 30), ("E", 0))
_TAG = "{http://www.w3.org/2000/svg}"


def shapes(chart: Chart, tag: str, *kinds: str) -> list[ET.Element]:
    """The shapes of these classes, in the order in which they are drawn."""
    found = ET.fromstring(chart.svg).iter(f"{_TAG}{tag}")
    return [each for each in found if set(kinds) & set(each.get("class", "").split())]


def named(chart: Chart) -> dict[str, str]:
    """The table of a drawing with two columns."""
    return {str(row[0]): str(row[1]) for row in chart.table.rows}


def number(cell: Cell | str) -> float:
    """An amount as a table shows it."""
    return float(str(cell).replace("\u2212", "-").replace("+", "").replace(",", "").removeprefix("below "))


def width(shape: ET.Element) -> float:
    return float(shape.get("width", ""))


def left(shape: ET.Element) -> float:
    return float(shape.get("x", ""))


def tip(chart: Chart) -> float:
    """Where the needle points."""
    (needle,) = shapes(chart, "path", "needle")
    found = re.search(r"L([0-9.]+)", needle.get("d", ""))
    assert found
    return float(found[1])


@pytest.mark.parametrize("score", [0, 29, 50, 86, 100])
def test_the_needle_is_at_the_score_and_the_span_at_the_interval(score: int) -> None:
    low, high = max(0, score - 12), min(100, score + 7)
    chart = gauge(score, (low, high), BANDS, "C")
    table = named(chart)
    bands = shapes(chart, "rect", "band")
    start, end = min(map(left, bands)) - 1, max(left(each) + width(each) for each in bands) + 1
    scale = (end - start) / 100
    assert tip(chart) == pytest.approx(start + scale * number(table["Score"]), abs=0.02)
    (span, *_) = shapes(chart, "path", "span")
    ends = [float(x) for x in re.findall(r"[ML]([0-9.]+)", span.get("d", ""))]
    told = [number(table[name]) for name in ("Lowest it could be", "Highest it could be")]
    assert ends == pytest.approx([start + scale * each for each in told], abs=0.02)
    assert [number(str(row[1]).removeprefix("from ")) for row in chart.table.rows[3:]] == [80, 65, 50, 30, 0]


def test_a_score_without_an_interval_is_drawn_without_one() -> None:
    chart = gauge(72, None, BANDS, "B")
    assert shapes(chart, "path", "span") == []
    assert "Lowest it could be" not in named(chart)


@pytest.mark.parametrize(
    ("base", "points"), [(59, (6, 0, -2, 11)), (59, (-30, -40, 11)), (48, (30, 30, -8)), (59, (-59,)), (60, ())]
)
def test_each_bar_is_as_long_as_its_points_and_begins_at_the_end_of_the_last_one(
    base: int, points: tuple[int, ...]
) -> None:
    score = base + sum(points)
    chart = waterfall(("Base", base, ""), [(f"Factor {n}", each, "fitted") for n, each in enumerate(points)], score)
    assert [number(row[2]) for row in chart.table.rows] == [base, *points, score]
    first, *middle, last = shapes(chart, "rect", "base", "up", "down")
    scale = width(first) / base
    moved = [each for each in points if each]
    assert [width(each) for each in middle] == pytest.approx([abs(each) * scale for each in moved], abs=0.02)
    assert [each.get("class") for each in middle] == ["up" if each > 0 else "down" for each in moved]
    end = left(first) + width(first)
    for shape, each in zip(middle, moved, strict=True):
        start = left(shape) if each > 0 else left(shape) + width(shape)
        assert start == pytest.approx(end, abs=0.02)
        end += each * scale
    assert left(last) + width(last) == pytest.approx(end, abs=0.02)


def test_no_line_and_no_bar_reaches_into_the_column_of_points() -> None:
    chart = waterfall(("Base", 100, ""), [("Factor", -100, "fitted"), ("Factor", 98, "fitted")], 98)
    points = [each for each in shapes(chart, "text", "strong") if each.get("text-anchor") == "end"]
    signs = max(len(each.text or "") for each in points)
    column = left(points[0]) - signs * 8  # a bold figure of 12 units is 8 wide
    threads = [
        float(x) for each in shapes(chart, "path", "thread") for x in re.findall(r"[ML]([0-9.]+)", each.get("d", ""))
    ]
    bars = [left(each) + width(each) for each in shapes(chart, "rect", "base", "up", "down")]
    assert max(*threads, *bars) < column


def test_no_line_crosses_the_words_of_a_row() -> None:
    """A letter is at most 8 wide, and has 10 above its base line and 3 below."""
    steps = [("A company with a name of many words", 12, "fitted"), ("Age", -3, "set"), ("Filing", 44, "fitted")]
    chart = waterfall(("Base", 45, ""), steps, 98)
    words = [each for each in shapes(chart, "text", "front") if each.get("text-anchor") != "end"]
    boxes = [(8 * len("".join(each.itertext())), float(each.get("y", ""))) for each in words]
    threads = [tuple(map(float, re.findall("[0-9.]+", each.get("d", "")))) for each in shapes(chart, "path", "thread")]
    assert len(threads) == len(steps) + 1
    assert len(boxes) == len(steps) + 2
    crossed = [
        (x, base)
        for x, top, _, end in threads
        for wide, base in boxes
        if x < wide and top < base + 3 and end > base - 10
    ]
    assert crossed == []


def test_many_steps_of_one_point_share_one_bar_as_long_as_their_sum() -> None:
    points = (6, 1, -1, 1, 1, 1, 0)
    chart = waterfall(("Base", 50, ""), [(f"Factor {n}", each, "fitted") for n, each in enumerate(points)], 59)
    assert [number(row[2]) for row in chart.table.rows] == [50, *points, 59]
    base, *middle, _ = shapes(chart, "rect", "base", "up", "down")
    assert [width(each) for each in middle] == pytest.approx([each * width(base) / 50 for each in (6, 3)], abs=0.02)
    assert "5 lines of one point, together +3" in chart.alt


def test_bars_are_as_high_as_their_amounts_and_below_zero_if_negative() -> None:
    years = [
        (dt.date(2023, 12, 31), -40_000, None),
        (dt.date(2024, 12, 31), 0, -10_000),
        (dt.date(2025, 12, 31), 120_000, 60_000),
    ]
    chart = years_chart(years, "GBP")
    assert chart is not None
    (axis,) = shapes(chart, "path", "axis")
    nothing = float(axis.get("d", "").partition("M")[2].partition("L")[0].split()[1])
    told = [[number(cell) for cell in row[1:] if cell != "\u2013"] for row in chart.table.rows]
    assert told == [[-40_000], [0, -10_000], [120_000, 60_000]]
    legend = 10
    bars = [each for each in shapes(chart, "rect", "net", "working") if float(each.get("y", "")) > legend]
    amounts = [amount for row in told for amount in row]
    scale = float(bars[-2].get("height", "")) / 120_000
    for bar, amount in zip(bars, amounts, strict=True):
        assert float(bar.get("height", "")) == pytest.approx(abs(amount) * scale, abs=0.02)
        edge = float(bar.get("y", "")) + (float(bar.get("height", "")) if amount >= 0 else 0)
        assert edge == pytest.approx(nothing, abs=0.02)


def test_years_without_known_values_have_no_chart() -> None:
    assert years_chart([(dt.date(2025, 12, 31), None, None)], "GBP") is None


def test_both_sides_of_a_balance_sheet_are_drawn_to_one_scale() -> None:
    owns, owes = [("Fixed assets", 300.0), ("Cash", 100.0)], [("Creditors", 250.0), ("Net assets", 150.0)]
    chart = sheet_chart(owns, owes, "31 December 2025", "GBP")
    assert [(row[1], number(row[2])) for row in chart.table.rows] == [*owns, *owes]
    bars = [each for each in shapes(chart, "rect", "s1", "s2") if float(each.get("height", "")) > 10]
    assert [width(each) + 1 for each in bars] == pytest.approx([330, 110, 275, 165], abs=0.02)  # 440 for 400


@pytest.mark.parametrize(
    ("value", "zone"), [(-90.0, "Distress"), (1.1, "Grey"), (2.0, "Grey"), (2.6, "Safe"), (50.0, "Safe")]
)
def test_a_value_is_drawn_in_its_zone(value: float, zone: str) -> None:
    chart = zones_chart("Z''", value, (("Distress", 1.1), ("Grey", 2.6), ("Safe", None)))
    assert number(chart.table.rows[0][1]) == value
    (own,) = shapes(chart, "rect", "own")
    names = [each.text for each in shapes(chart, "text", "strong")]
    assert names == [zone]
    assert left(own) - 1.1 <= tip(chart) <= left(own) + width(own) + 1.1


def test_a_percentile_is_drawn_at_its_share_of_the_scale() -> None:
    chart = percentiles([("Score", 91), ("Reserves", 0), ("Cash", 100)])
    places = [float(each.get("cx", "")) for each in shapes(chart, "circle", "event")]
    told = [number(row[1]) for row in chart.table.rows]
    assert told == [91, 0, 100]
    assert places == pytest.approx([places[1] + each / 100 * (places[2] - places[1]) for each in told], abs=0.02)


def test_every_event_up_to_today_is_a_mark_and_the_table_is_capped() -> None:
    today = dt.date(2026, 6, 1)
    events = [(dt.date(2020, 1, 1) + dt.timedelta(days=10 * n), "Filings", f"form {n}") for n in range(100)]
    chart = timeline([*events, (today + dt.timedelta(days=1), "Charges", "to come")], ("Filings", "Charges"), today)
    assert chart is not None
    marks = shapes(chart, "circle", "event")
    assert len(marks) == len(events) == len(chart.table.rows) + chart.table.more
    assert len(chart.table.rows) == MOST_ROWS
    assert chart.table.rows[0][2] == "form 99"
    places = [float(each.get("cx", "")) for each in marks]
    gaps = [newer - older for newer, older in pairwise(places)]
    assert gaps == pytest.approx([gaps[0]] * len(gaps), abs=0.02), "equal times are equally far apart"


def test_words_in_a_drawing_never_become_markup() -> None:
    hostile = "<script>alert('\"&\u202e"
    drawn = drawing(10, hostile, [label(0, 0, hostile)])
    (words,) = ET.fromstring(drawn).iter(f"{_TAG}text")
    assert words.text == "<script>alert('\"&"
    assert "<script" not in drawn


def test_without_events_there_is_no_timeline() -> None:
    assert timeline([], ("Filings",), dt.date(2026, 6, 1)) is None


def test_small_charts_show_every_known_year_and_leave_a_gap_for_the_others() -> None:
    ends = [dt.date(year, 3, 31) for year in range(2018, 2026)]
    trends = [
        Trend("Turnover", (100.0, None, 400.0, 200.0, 300.0, 400.0, 500.0, 600.0)),
        Trend("Profit before tax", (-50.0, 25.0, None, None, None, None, None, None)),
        Trend("Current ratio", (None,) * 6 + (1.25, 1.5), "x"),
        Trend("Employees", (None,) * 7 + (3.0,)),
    ]
    chart = trends_chart(ends, trends, "GBP")
    assert chart is not None
    assert [row[0] for row in chart.table.rows] == ["Turnover", "Profit before tax", "Current ratio"]
    assert chart.table.columns == ("Year to", *(f"31.03.{year}" for year in range(2018, 2026)))
    assert chart.table.rows[0][1:4] == ("100", "\u2013", "400")
    assert chart.table.rows[2][-1] == "1.50"
    bars = shapes(chart, "rect", "net", "down")
    heights = [float(each.get("height", "")) for each in bars]
    assert len(bars) == 7 + 2 + 2
    assert heights[6] == pytest.approx(6 * heights[0], abs=0.05)  # 600 to 100
    assert heights[7] == pytest.approx(2 * heights[8], abs=0.05)  # 50 below the line, 25 above it
    (loss,) = shapes(chart, "rect", "down")
    assert float(loss.get("y", "")) == pytest.approx(float(bars[8].get("y", "")) + heights[8], abs=0.05)
    assert "Turnover: 100 in 2018, 600 in 2025" in chart.alt
    assert {each.text for each in shapes(chart, "text", "tiny")} >= {"2018", "2019", "2024", "2025"}


def test_one_known_year_is_no_trend() -> None:
    ends = [dt.date(2025, 12, 31), dt.date(2026, 12, 31)]
    assert trends_chart(ends, [Trend("Cash", (None, 5.0))], "GBP") is None
