"""What a person reads of a company before deciding: reasons for caution first, figures with their trend, reasons, events."""

from collections.abc import Iterator

from credence.blocks.text import NONE, day, money, signed
from credence.blocks.values import Beside, Block, Items, Note, Section, Tile, Tiles, Warnings
from credence.companies.annual import LEAST_DAYS, YEAR_DAYS, is_year
from credence.report.render.charts.sparkline import sparkline
from credence.report.render.sections.events import events_of
from credence.report.render.sections.years import amounts_of, currency_of, first_known, years_of
from credence.report.schema.report import LtdCompanyData

SHOWN_REASONS = 3
SHOWN_EVENTS = 5

_ENDED = frozenset({"DISSOLVED", "INSOLVENCY"})

_FIGURES = (("Turnover",), ("Net assets", "Equity"), ("Cash",))
"""The figures of a tile, of which the first known one of each year counts; the first names the tile."""
_OF_A_DAY = frozenset({"Net assets", "Cash"})
"""Figures of the last day of a period; others grow with its length, so they are compared as of whole years."""


def cautions_first(report: LtdCompanyData, warnings: Warnings) -> Warnings:
    """Return what has to be seen first: that the company has ended or is insolvent, then the reasons for caution."""
    headline = report.Assessment.Headline if report.Assessment else None
    reserved = headline.Reservations if headline else ()
    sentences = {each.Sentence for each in reserved if each.Sentence}
    cautions = [Note(each.Sentence, head=f"{each.Words[:1].upper()}{each.Words[1:]}") for each in reserved]
    others = [each for each in warnings.notes if each.text not in sentences]
    ended = {note.AlertNote for alerts in report.Alerts for note in alerts.Notes if note.AlertCode in _ENDED}
    first = [each for each in others if each.text in ended]
    return Warnings((*first, *cautions, *(each for each in others if each not in first)))


def summary_blocks(report: LtdCompanyData, address: str) -> list[Block]:
    """Return the figures, the weightiest reasons and the newest events; `address` is that of the company's page."""
    figures, reasons, events = _figures(report), list(_reasons(report, address)), list(_events(report, address))
    sides = [each for each in (reasons, events) if each]
    beside: list[Block] = [Beside(*sides)] if len(sides) > 1 else [block for each in sides for block in each]
    return [*figures, *beside]


def _figures(report: LtdCompanyData) -> list[Block]:
    years = years_of(report)
    if not years:
        return []
    by_year = [amounts_of(year) for year in reversed(years)]
    currency, ends = currency_of(report), [year.DateOfAccounts for year in reversed(years)]
    tiles = []
    for names in (*_FIGURES, (_profit(by_year[-1]),)):
        name = names[0]
        filed = [first_known(found, *names) for found in by_year]
        days = [each.Days for each in reversed(years)] if name not in _OF_A_DAY else [None] * len(years)
        values = [_of_a_year(value, length) for value, length in zip(filed, days, strict=True)]
        yearly = values[-2:] != filed[-2:]
        known = [
            f"{money(value, currency)} in {end.year}"
            for value, end in zip(values, ends, strict=True)
            if value is not None
        ]
        before = values[-2] if len(values) > 1 else None
        newest = NONE if filed[-1] is None else money(filed[-1], currency)
        detail = (
            "not in the newest accounts"
            if filed[-1] is None
            else ""
            if before is None or values[-1] is None
            else f"{f'a year {money(values[-1], currency)}, ' if yearly else ''}{_change(values[-1], before, currency)}"
        )
        tiles.append(Tile(name, newest, detail, sparkline(values, f"{name}: {', '.join(known)}")))
    return [Section("figures-now", f"Accounts to {day(ends[-1])}", (Tiles(tiles),))]


def _of_a_year(value: float | None, days: int | None) -> float | None:
    """Return what a flow would be in a year, as the score counts it; None for too short a period."""
    if value is None or days is None or is_year(days):
        return value
    return round(value * YEAR_DAYS / days) if days >= LEAST_DAYS else None


def _profit(newest: dict[str, float]) -> str:
    """Return the figure of the last tile for every year: a profit after tax and one before it are no trend."""
    return "Profit before tax" if "Profit" not in newest and "Profit before tax" in newest else "Profit"


def _change(now: float, before: float, currency: str) -> str:
    word = "up from" if now > before else "down from" if now < before else "as before:"
    return f"{word} {money(before, currency)}"


def _reasons(report: LtdCompanyData, address: str) -> Iterator[Block]:
    score = report.Assessment.Score if report.Assessment else None
    if score is None or not score.Reasons:
        return
    items = tuple((each.Sentence, "", signed(each.Points)) for each in score.Reasons[:SHOWN_REASONS])
    more = Note("", link=(f"All {len(score.Reasons)} reasons", f"{address}/score"))
    yield Section(
        "weightiest", "Why this score", (Items(items), more) if len(score.Reasons) > SHOWN_REASONS else (Items(items),)
    )


def _events(report: LtdCompanyData, address: str) -> Iterator[Block]:
    today = report.Assessment.ReportDate if report.Assessment else None
    found = sorted(
        (each for each in events_of(report) if today is None or each[0] <= today),
        key=lambda each: each[0],
        reverse=True,
    )
    if found:
        items = tuple((words, "", day(when)) for when, _, words in found[:SHOWN_EVENTS])
        yield Section(
            "newest-events", "Recent events", (Items(items), Note("", link=("All notices", f"{address}/notices")))
        )
