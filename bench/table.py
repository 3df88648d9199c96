"""The measurements as a table for people."""

from collections.abc import Iterable

from rich.table import Table

from bench.measurement import Measurement

VERDICTS = {True: "[green]reached", False: "[red]missed", None: ""}


def table(measurements: Iterable[Measurement]) -> Table:
    """Return one line per measurement."""
    shown = Table("measured", "unit", title="Credence, and what ran beside it")
    for heading in ("median", "from", "to", "p50 ms", "p99 ms", "beside", "ratio", "target"):
        shown.add_column(heading, justify="right")
    shown.add_column("")
    for each in measurements:
        shown.add_row(*_row(each))
    return shown


def _row(measurement: Measurement) -> tuple[str, ...]:
    record = measurement.as_record()
    beside = record["beside_median"]
    return (
        measurement.name,
        measurement.unit,
        _number(measurement.median),
        _number(record["minimum"]),
        _number(record["maximum"]),
        _latency([figure.p50 for figure in measurement.ours]),
        _latency([figure.p99 for figure in measurement.ours]),
        _number(beside) if beside is not None else "",
        f"{measurement.ratio:.3f}" if measurement.ratio is not None else "",
        _target(measurement),
        VERDICTS[measurement.reached],
    )


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 1_000 else f"{value:.3g}"


def _latency(values: list[float | None]) -> str:
    known = sorted(value for value in values if value is not None)
    return f"{known[len(known) // 2]:.1f}" if known else ""


def _target(measurement: Measurement) -> str:
    target = measurement.target
    if target is None:
        return ""
    if target.at == "near":
        return f"{target.figure} ± {target.within}"
    sign = "≥" if target.at == "least" else "≤"
    return f"{sign} {target.figure:.0%}" if target.about == "ratio" else f"{sign} {target.figure:,.0f}"
