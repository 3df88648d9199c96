"""Where each figure of the newest accounts comes from (credit §3.4)."""

from credence.report.render.page.blocks import Section, Table, Words, capped
from credence.report.render.page.text import day, plain
from credence.report.render.sections.years import WORDS
from credence.report.schema.assessment import FigureOrigin, YearFigures


def figures_section(year: YearFigures) -> Section:
    """Return the section."""
    return Section("figures", "Where the figures come from", (_origins(year),))


def _origins(year: YearFigures) -> Table | Words:
    rows, more = capped(
        tuple(
            (WORDS.get(each.Figure, each.Figure), plain(each.Value), _method(each), _source(each))
            for each in year.Figures
            if each.Method
        )
    )
    if not rows:
        return Words("This report does not say where its figures come from.")
    when = day(year.DateOfAccounts)
    return Table(
        f"Figures of the year to {when}", ("Figure", "Amount", "Method", "Tag or arithmetic"), "lrll", rows, more
    )


def _method(figure: FigureOrigin) -> str:
    return f"{figure.Method}, filed as {plain(figure.Filed)}" if figure.Filed is not None else figure.Method


def _source(figure: FigureOrigin) -> str:
    return figure.Tag or figure.Document
