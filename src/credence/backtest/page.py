"""The answer of a backtest as a page with charts: HTML in one file, without scripts and without anything fetched."""

from collections.abc import Iterable, Mapping, Sequence
from html import escape

from credence.backtest.answer import Answer, Group, Rival
from credence.backtest.calibration import Calibration, Part
from credence.backtest.charts import calibration_chart, intervals_chart
from credence.backtest.discrimination import Area, Capture
from credence.clock import day_in_words

_STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;color:#1c2733;background:#fff;max-width:60rem;margin:2rem auto;padding:0 1rem}"
    "table{border-collapse:collapse;margin:1rem 0;display:block;overflow-x:auto}"
    "th,td{border-bottom:1px solid #d5dce4;padding:.3rem .7rem;text-align:left}td{font-variant-numeric:tabular-nums}"
    "svg{max-width:40rem;width:100%;height:auto}h2{margin-top:2.5rem}"
)

Row = Mapping[str, str]


def page(answer: Answer) -> str:
    """Return the page."""
    title = f"The score of {day_in_words(answer.at)}, measured by {day_in_words(answer.until)}"
    parts = [
        f"<h1>{escape(title)}</h1>",
        _paragraph(f"Model {answer.model}. Failure means an insolvency within {answer.months} months."),
        *_caveats(answer.caveats),
        "<h2>Companies</h2>",
        _table(_counts(answer)),
        "<h2>Ranking</h2>",
        _table(_areas(answer)),
        *_chart_of_groups(answer.breakdowns.get("Section", ()), "Area under the curve by section"),
        _table(map(_capture, answer.captures)),
        *(_calibration(answer.calibration) if answer.calibration else ()),
        "<h2>Other ways to rank, on the same companies</h2>",
        _table(map(_rival, answer.rivals)),
        "<h2>Groups of companies</h2>",
        *(part for title, groups in answer.breakdowns.items() for part in _groups(title, groups)),
        *_drift(answer),
        "<h2>Files</h2>",
        _table({"read as": name, "files": ", ".join(files) or "none"} for name, files in answer.files.items()),
    ]
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{escape(title)}</title>'
    body = "\n".join(parts)
    return (
        f'<!doctype html>\n<html lang="en"><head>{head}<style>{_STYLE}</style></head>\n<body>\n{body}\n</body></html>\n'
    )


def area_in_words(area: Area) -> str:
    """Return an area with its interval, such as `0.801 (0.795 to 0.807)`."""
    if area.auc is None:
        return "-"
    if area.low is None or area.high is None:
        return f"{area.auc:.3f}"
    return f"{area.auc:.3f} ({area.low:.3f} to {area.high:.3f})"


def rate(share: float) -> str:
    """Return a failure rate with as many digits as it needs."""
    return f"{share:.1%}" if share == 0 or share >= 0.01 else f"{share:.2%}" if share >= 0.001 else f"{share:.4%}"


def part_row(name: str, part: Part | Group) -> dict[str, str]:
    """Return expected and observed rate of some companies as a row."""
    return {
        name: part.name,
        "companies": f"{part.companies:,}",
        "failed": f"{part.failed:,}",
        "expected": rate(part.expected),
        "observed": rate(part.observed),
        "95 % interval": f"{rate(part.low)} to {rate(part.high)}",
    }


def _counts(answer: Answer) -> Iterable[Row]:
    yield {"": "In the register on the day", "companies": f"{answer.companies:,}"}
    for reason, companies in answer.excluded.items():
        yield {"": f"Not measured: {reason}", "companies": f"{companies:,}"}
    for kind, companies in answer.outcomes.items():
        yield {"": f"Outcome: {kind}", "companies": f"{companies:,}"}


def _areas(answer: Answer) -> Iterable[Row]:
    rows = (
        ("Failed against survived", answer.area),
        ("Failed against all others whose outcome is known", answer.area_with_other_ends),
        ("Dissolved without insolvency against survived", answer.area_of_dissolution),
    )
    for words, area in rows:
        yield {
            "area under the ROC curve": words,
            "companies": f"{area.failed:,} and {area.others:,}",
            "area (95 % interval)": area_in_words(area),
        }
    left = answer.left
    if left.least_auc is not None and left.greatest_auc is not None and left.unresolved + left.unknown_liquidations:
        yield {
            "area under the ROC curve": "Least and greatest that the unknown outcomes allow",
            "companies": f"{left.unresolved + left.unknown_liquidations:,} unknown",
            "area (95 % interval)": f"{left.least_auc:.3f} to {left.greatest_auc:.3f}",
        }


def _calibration(found: Calibration) -> Iterable[str]:
    yield "<h2>Calibration</h2>"
    yield _paragraph(
        f"Expected {rate(found.all.expected)}, observed {rate(found.all.observed)} "
        f"({rate(found.all.low)} to {rate(found.all.high)}). "
        f"Brier score {found.brier:.6f}, of one rate for all {found.brier_of_rate:.6f}; "
        f"logarithmic score {found.log_score:.6f}, of one rate for all {found.log_score_of_rate:.6f}."
    )
    yield calibration_chart(found.deciles, "Expected and observed failures by tenths of the companies")
    yield _table(part_row("tenth, the safest first", each) for each in found.deciles)
    yield _table(part_row("band", each) for each in found.bands)


def _rival(each: Rival) -> Row:
    found = each.difference
    spread = "" if found is None or found.low is None else f" ({found.low:+.3f} to {found.high:+.3f})"
    return {
        "model": each.name,
        "companies": f"{each.area.failed + each.area.others:,}",
        "its area": area_in_words(each.area),
        "area of the score": area_in_words(each.ours),
        "difference": each.why_not if found is None else f"{found.difference:+.3f}{spread}",
    }


def _groups(title: str, groups: Sequence[Group]) -> Iterable[str]:
    yield f"<h3>{escape(title)}</h3>"
    yield _table({**part_row(title, each), "area (95 % interval)": area_in_words(each.area)} for each in groups)


def _chart_of_groups(groups: Iterable[Group], title: str) -> Iterable[str]:
    rows = [(each.name, each.area.auc, each.area.low, each.area.high) for each in groups]
    known = [(name, auc, low, high) for name, auc, low, high in rows if auc is not None and low is not None]
    if known:
        yield intervals_chart(known, title)


def _drift(answer: Answer) -> Iterable[str]:
    if answer.drift:
        yield "<h2>Drift</h2>"
        yield _paragraph(
            "Population stability index against the fitting data. Above 0.25 a population counts as another one."
        )
        yield _table(
            {"input": each.code, "companies": f"{each.companies:,}", "index": f"{each.index:.2f}"}
            for each in answer.drift
        )


def _capture(each: Capture) -> Row:
    interval = f"{each.low:.1%} to {each.high:.1%}"
    return {
        "worst companies": f"{each.worst:.0%}",
        "of all failures": f"{each.captured:.1%}",
        "95 % interval": interval,
    }


def _caveats(caveats: Sequence[str]) -> Iterable[str]:
    if caveats:
        yield f"<h2>Limits</h2><ul>{''.join(f'<li>{escape(each)}</li>' for each in caveats)}</ul>"


def _paragraph(text: str) -> str:
    return f"<p>{escape(text)}</p>"


def _table(rows: Iterable[Row]) -> str:
    cells = list(rows)
    if not cells:
        return ""
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in cells[0])
    lines = ("".join(f"<td>{escape(text)}</td>" for text in row.values()) for row in cells)
    return (
        f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(f'<tr>{line}</tr>' for line in lines)}</tbody></table>"
    )
