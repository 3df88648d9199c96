"""The last day of the service in four drawings: requests, refusals, faults and latency, hour by hour."""

import datetime as dt
from collections.abc import Callable

from credence.blocks.values import Beside, Chart, Table
from credence.clock import Milliseconds
from credence.report.render.charts.drawing import WIDTH, bar, drawing, label, line
from credence.request_log.counting import HOUR_MS, Hour, Hours

HOURS = 24
_HEIGHT, _TOP, _BASE = 92, 18, 74
_EMPTY = Hour()


def drawn(found: Hours, now: Milliseconds) -> Beside:
    """Return the drawings of the hours up to now. Hours before the log or before the end of the count have no bar."""
    last = now // HOUR_MS
    hours = range(last - HOURS + 1, last + 1)

    def chart(title: str, unit: str, value: Callable[[Hour], float], kind: str = "plain") -> Chart:
        values = [value(found.hours.get(each, _EMPTY)) for each in hours]
        greatest = max(values)
        parts = [line(0, _BASE, WIDTH, _BASE)]
        width = WIDTH / HOURS
        for number, each in enumerate(values):
            if each:
                height = (_BASE - _TOP) * each / greatest
                parts.append(bar(number * width + 2, _BASE - height, width - 4, height, kind))
        most = (
            f"at most {_number(greatest)}{unit}"
            if unit
            else f"{sum(values):,.0f} in all, at most {greatest:,.0f} an hour"
        )
        parts.append(label(0, 11, most if greatest else "none", "tiny"))
        parts += [label(0, _HEIGHT - 3, _time(hours[0]), "tiny"), label(WIDTH, _HEIGHT - 3, "now", "tiny", "end")]
        alt = f"{title}, hour by hour: at most {_number(greatest)}{unit}, in the last hour {_number(values[-1])}{unit}"
        rows = [(_time(hour), _number(each)) for hour, each in zip(hours, values, strict=True)]
        table = Table(title, ("Hour (UTC)", unit.strip() or "Requests"), rows, "", numbers=(1,))
        return Chart(title, alt, drawing(_HEIGHT, alt, parts), table)

    return Beside(
        [
            chart("Requests", "", lambda hour: len(hour.microseconds)),
            chart("Refused (4xx)", "", lambda hour: hour.refused, "warn"),
        ],
        [
            chart("Latency, 95th percentile", " ms", lambda hour: hour.slow / 1_000),
            chart("Failed (5xx)", "", lambda hour: hour.failed, "bad"),
        ],
    )


def _number(value: float) -> str:
    return f"{value:,.0f}" if value == int(value) or value >= 100 else f"{value:.1f}"


def _time(hour: int) -> str:
    return f"{dt.datetime.fromtimestamp(hour * 3_600, dt.UTC):%H:00}"
