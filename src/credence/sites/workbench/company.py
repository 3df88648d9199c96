"""The page of a company: a summary on which a person decides, and its report in tabs, as the API's HTML report has it."""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from credence import paths
from credence.blocks.forms import Field, Form
from credence.blocks.text import NONE, day, money, signed
from credence.blocks.values import Beside, Block, Items, Note, Section, Tabs, Tile, Tiles, Warnings
from credence.companies.durations import LEAST_DAYS, YEAR_DAYS, is_year
from credence.companies.number import normalise_or_none
from credence.monitoring.portfolios import find_portfolio
from credence.oauth.parameters.scopes import MONITOR, REPORT
from credence.operations.approved_limits import read_limits
from credence.refusals.refusal import Refused
from credence.refusals.resources import RESOURCE_UNKNOWN
from credence.report.render.charts.drawing import dot, drawing, line
from credence.report.render.compose import compose
from credence.report.render.sections.events import events_of
from credence.report.render.sections.years import amounts_of, currency_of, first_known, years_of
from credence.report.schema.report import LtdCompanyData
from credence.sites.kit.screen import Act, ActResult, InvalidForm, Page, Screen, Visit
from credence.sites.workbench.adding import company_fields, company_in, watch_one
from credence.sites.workbench.changes import change_blocks
from credence.sites.workbench.deciding import DECIDE_ACTS, limit_blocks
from credence.sites.workbench.figures import COMPANIES, address_of_company
from credence.sites.workbench.lists import MAX_OFFERED, address_of_list, offered_lists
from credence.sites.workbench.reader import reader_of, store_of
from credence.sites.workbench.recently_viewed import note_viewed

SUMMARY = ""
CHANGES = "changes"

TABS: Mapping[str, tuple[str, tuple[str, ...], str]] = {
    SUMMARY: ("Summary", ("limit", "position", "company"), ""),
    "score": ("Score", ("reasons", "change", "models", "formulas"), "The company is not scored: its summary says why."),
    "accounts": (
        "Accounts",
        ("accounts", "accounts-text", "ratios", "figures"),
        "No accounts are on record for this company.",
    ),
    "officers": ("Officers", ("officers",), "No officers are on record for this company."),
    "group": ("Group", ("ownership",), "No owners or subsidiaries are on record for this company."),
    "notices": (
        "Notices",
        ("timeline", "legal"),
        "No notices or insolvency cases are on record for this company.",
    ),
    "charges": ("Charges", ("charges",), "No charges are on record for this company."),
    "practice": ("Payments", ("practices",), "This company has not published any payment data."),
    CHANGES: ("Changes", (), ""),
    "sources": ("Sources", ("sources", "not-held", "rights"), ""),
}
"""Last segment of the address -> title of the tab, sections of the report by anchor, text if they are empty."""


async def read(visit: Visit) -> Page:
    """Return a tab of a company. This counts as a read of the report."""
    segments = visit.request.segments
    tab = segments[1] if len(segments) > 1 else SUMMARY
    number, report = report_of(visit, segments[0])
    if tab not in TABS:
        raise Refused(RESOURCE_UNKNOWN, "path.unknown")
    shown = compose(report, visit.service.pages.contact)
    links = [(title, address_of_company(number, name)) for name, (title, _, _) in TABS.items()]
    blocks: list[Block] = [
        replace(shown.verdict, gauge=None),
        Tabs("Parts of the report", links, address_of_company(number, tab)),
    ]
    _, anchors, empty = TABS[tab]
    sections = [each for each in shown.sections if each.anchor in anchors]
    if tab == SUMMARY:
        warnings = cautions_first(report, shown.warnings)
        blocks += [*((warnings,) if warnings.notes else ()), *summary_blocks(report, address_of_company(number))]
        blocks += await limit_blocks(visit, number, report) if visit.has(WATCH.needs) else ()
        blocks += [*sections, *(await watch_forms(visit) if visit.has(WATCH.needs) else ())]
        await note_viewed(visit, number)
    elif tab == CHANGES:
        blocks += await change_blocks(visit, number)
    else:
        blocks += sections or [Note(empty or "Nothing is on record.", "soft")]
    return Page(shown.name, blocks, "", lead=" · ".join(shown.facts), above=("Today", paths.WORKBENCH))


def report_of(visit: Visit, text: str) -> tuple[str, LtdCompanyData]:
    """Return a company's normalised number and its report, and record the read. Raises Refused with 404 without a report."""
    number = normalise_or_none(text)
    report = visit.service.reports.decoded(number, visit.request.now) if number else None
    if report is None or number is None:
        raise Refused(RESOURCE_UNKNOWN, "company.unknown")
    visit.service.unsaved_reads.note(reader_of(visit).client_id, number)
    return number, report


async def watch_forms(visit: Visit) -> list[Block]:
    """Return the form that adds the company to a list; empty if there is no list."""
    lists = await offered_lists(visit)
    if not lists:
        return []
    hint = f"These are {MAX_OFFERED} of your lists; others take companies on their own pages."
    offered = Field("list", "List", hint=hint if len(lists) == MAX_OFFERED else "", options=list(lists.items()))
    fields = (offered, *company_fields())
    return [Form("watch", "Watch this company", "Add to the list", fields=fields)]


async def add_to_list(visit: Visit, values: Mapping[str, str]) -> ActResult:
    """Add the company to a list and continue with the page of the list."""
    company = company_in(values, visit.request.segments[0])
    try:
        portfolio = await find_portfolio(store_of(visit), values.get("list", ""), reader_of(visit).client_id)
    except Refused as refused:
        if refused.refusal is not RESOURCE_UNKNOWN:
            raise
        raise InvalidForm("Choose one of your lists.", "list") from None
    text = await watch_one(visit, portfolio, company, "list")
    return ActResult(text, next_url=address_of_list(portfolio.id))


WATCH = Act("watch", MONITOR, add_to_list)
COMPANY = Screen(
    f"{COMPANIES}/{{company_number}}",
    "Company",
    REPORT,
    read,
    (WATCH, *DECIDE_ACTS),
    listed=False,
    shows=(read_limits,),
)
COMPANY_TAB = Screen(f"{COMPANIES}/{{company_number}}/{{tab}}", "Company tab", REPORT, read, listed=False)


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


_WIDTH, _HEIGHT, _EDGE = 120, 28, 4


def sparkline(values: Sequence[float | None], alt: str) -> str:
    """Return the drawing of values, the oldest first, with a text alternative; empty with less than two known ones.

    The line of zero is drawn where the values pass it; an unknown value is a gap.
    """
    known = [each for each in values if each is not None]
    if len(known) < 2:
        return ""
    lowest, highest = min(known), max(known)
    span = highest - lowest or 1.0
    step = (_WIDTH - 2 * _EDGE) / (len(values) - 1)

    def at(value: float) -> float:
        return _HEIGHT - _EDGE - (value - lowest) / span * (_HEIGHT - 2 * _EDGE)

    points = [(_EDGE + n * step, at(value), value) for n, value in enumerate(values) if value is not None]
    joined = itertools.pairwise(points)
    parts = [
        line(x1, y1, x2, y2, "trend" if x2 - x1 < 1.5 * step else "trend gap") for (x1, y1, _), (x2, y2, _) in joined
    ]
    if lowest < 0 < highest:
        parts.insert(0, line(0, at(0), _WIDTH, at(0), "grid"))
    x, y, newest = points[-1]
    return drawing(_HEIGHT, alt, [*parts, dot(x, y, "net" if newest >= 0 else "down", 3)], _WIDTH)
