"""The screen of one list: its companies with band, score, limit and exposure, sorted and filtered; adds companies."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple
from urllib.parse import urlencode

from credence.blocks.forms import Field, Form, Query
from credence.blocks.values import Bar, Bars, Block, Cell, Links, Note, Table, Tone
from credence.monitoring.rules import RULES
from credence.oauth.parameters.scopes import MONITOR
from credence.operations.portfolios import read_portfolio
from credence.operations.watched_companies import list_watched
from credence.report.outline import Outline
from credence.screening.limits import KIB
from credence.sites.kit.screen import Act, ActResult, Page, Screen, Visit
from credence.sites.workbench.adding import company_fields, company_in, watch_one
from credence.sites.workbench.figures import (
    amount_cell,
    band_cell,
    company_cell,
    number_cell,
    short_held_cell,
    standing_cell,
)
from credence.sites.workbench.list_import import IMPORT_FORM, take_in
from credence.sites.workbench.lists import LISTS, address_of_list, portfolio_at
from credence.sites.workbench.outlines import load_outlines
from credence.sites.workbench.reader import store_of
from credence.store.portfolios import Portfolio, WatchedCompany

PATH = f"{LISTS}/{{portfolio}}"
PAGE_ROWS = 50
MAX_SORTED = 3_000
"""The most companies of a list that can be sorted and filtered; a longer one is shown by number, and exported whole."""

MAX_FORM_OCTETS = 4_096 * KIB
_PIECE = 1_000
_BANDS = ("A", "B", "C", "D", "E")
_TONES: Mapping[str, Tone] = {"A": "good", "B": "good", "C": "warn", "D": "warn", "E": "bad"}
_NO_BAND = "none"


class Line(NamedTuple):
    """One company of a list with what its report says now."""

    kept: WatchedCompany
    seen: Outline


_ORDERS: Mapping[str, tuple[str, Callable[[Line], tuple[object, ...]]]] = {
    "": ("Number", lambda each: (each.kept.company,)),
    "name": ("Name", lambda each: (not each.seen.name, each.seen.name.casefold())),
    "risk": ("Highest risk", lambda each: (each.seen.score is None, each.seen.score or 0)),
    "limit": ("Lowest limit", lambda each: (each.seen.limit is None, each.seen.limit or 0)),
    "exposure": ("Greatest exposure", lambda each: (-(each.kept.exposure or 0),)),
    "over": ("Most above the limit", lambda each: (-_above(each),)),
}


async def read(visit: Visit) -> Page:
    """Return one page of the companies of a list."""
    portfolio = await portfolio_at(visit)
    count = await store_of(visit).count_watched(portfolio.id)
    address = address_of_list(portfolio.id)
    ways = [
        ("Ledger", f"{address}/ledger"),
        ("Match customers", f"{address}/matching"),
        ("Rules and name", f"{address}/rules"),
        ("Alerts", f"{LISTS.rpartition('/')[0]}/alerts?list={portfolio.id}"),
    ]
    if count:
        ways.append(("Download as CSV", f"{address}/companies.csv"))
    blocks: list[Block] = [Links("This list", ways)]
    if count > MAX_SORTED:
        found = await store_of(visit).watched(portfolio.id, visit.parameter("after"), PAGE_ROWS + 1)
        lines, notes = await _lines(visit, found[:PAGE_ROWS])
        following = f"{address}?{urlencode({'after': lines[-1].kept.company})}" if len(found) > PAGE_ROWS else ""
        blocks.append(
            Note(f"More than {MAX_SORTED:,} companies: in the order of their numbers. CSV has them all.", "soft")
        )
    else:
        every, notes = await _lines(visit, await _watched(visit, portfolio.id))
        wanted = _sorted_and_filtered(visit, every)
        blocks += _charts(every) if every else []
        blocks += [_query(visit)] if every else []
        lines, following = _page(visit, wanted)
    blocks += [*notes, await _table(visit, portfolio, lines, following), *_forms()]
    lead = f"{count:,} {'company' if count == 1 else 'companies'}"
    lead += f" · {portfolio.reference}" if portfolio.reference else ""
    return Page(portfolio.name, blocks, "", lead=lead, above=("Lists", LISTS))


async def add(visit: Visit, values: Mapping[str, str]) -> ActResult:
    """Add one company to the list."""
    portfolio = await portfolio_at(visit)
    return ActResult(await watch_one(visit, portfolio, company_in(values), "number"))


async def _watched(visit: Visit, identity: str) -> list[WatchedCompany]:
    found: list[WatchedCompany] = []
    while page := await store_of(visit).watched(identity, found[-1].company if found else "", _PIECE):
        found += page
    return found


async def _lines(visit: Visit, companies: Sequence[WatchedCompany]) -> tuple[list[Line], list[Block]]:
    """Return the companies with what is known of them, and the note on data that cannot be read."""
    known = await load_outlines(visit, [each.company for each in companies])
    return [Line(each, known.of[each.company]) for each in companies], known.notes


def _sorted_and_filtered(visit: Visit, lines: list[Line]) -> list[Line]:
    text, band, order = visit.parameter("q")[:100].casefold(), visit.parameter("band"), visit.parameter("order")
    wanted = lines
    if band:
        wanted = [each for each in wanted if (each.seen.band or _NO_BAND) == band]
    if text:
        wanted = [
            each for each in wanted if any(text in value.casefold() for value in (each.seen.name, *_texts(each.kept)))
        ]
    return sorted(wanted, key=_ORDERS[order][1]) if order in _ORDERS and order else wanted  # they come by their numbers


def _texts(kept: WatchedCompany) -> tuple[str, str, str]:
    return kept.company, kept.reference, kept.note


def _page(visit: Visit, lines: list[Line]) -> tuple[list[Line], str]:
    text = visit.parameter("page")
    page = int(text) if text.isascii() and text.isdigit() and len(text) < 4 else 0
    shown = lines[page * PAGE_ROWS : (page + 1) * PAGE_ROWS]
    if len(lines) <= (page + 1) * PAGE_ROWS:
        return shown, ""
    return shown, f"{visit.request.path}?{urlencode({**visit.request.parameters, 'page': str(page + 1)})}"


def _query(visit: Visit) -> Query:
    bands = (("", "Any"), *((each, each) for each in _BANDS), (_NO_BAND, "Not scored"))
    return Query(
        "Filter and sort",
        "Show",
        (
            Field("q", "Name, number, reference or note", visit.parameter("q")[:100]),
            Field("band", "Band", visit.parameter("band"), options=bands),
            Field(
                "order",
                "Sort by",
                visit.parameter("order"),
                options=[(code, words) for code, (words, _) in _ORDERS.items()],
            ),
        ),
    )


def _charts(lines: Sequence[Line]) -> list[Block]:
    """Return the exposure by band; the number of companies by band if no exposure is in pounds."""
    pounds = [each for each in lines if each.kept.exposure and each.kept.currency in {"", "GBP"}]
    sums = Counter[str]()
    for each in pounds or lines:
        sums[each.seen.band or _NO_BAND] += (each.kept.exposure or 0) if pounds else 1
    bars = [
        Bar(f"Band {band}" if band != _NO_BAND else "Not scored", sums[band], _TONES.get(band, "soft"), f"?band={band}")
        for band in (*_BANDS, _NO_BAND)
        if sums[band]
    ]
    title, unit = ("Exposure by band, in pounds", "Pounds") if pounds else ("Companies by band", "Companies")
    return [Bars(title, unit, bars, "")]


async def _table(visit: Visit, portfolio: Portfolio, lines: Sequence[Line], following: str) -> Table:
    last = await store_of(visit).newest_events(portfolio.id, [each.kept.company for each in lines])
    rows = []
    for kept, seen in lines:
        event = last.get(kept.company)
        above = _above(Line(kept, seen))
        rows.append(
            [
                _company(kept, seen),
                band_cell(seen.band),
                number_cell(seen.score),
                standing_cell(seen),
                amount_cell(seen.limit),
                short_held_cell(seen),
                amount_cell(kept.exposure, kept.currency),
                Cell(amount_cell(above).text, tone="bad") if above > 0 else Cell(""),
                Cell(_event_words(event.rule), f"{LISTS.rpartition('/')[0]}/alerts/{event.number}")
                if event
                else Cell(""),
                Cell("Edit", f"{address_of_list(portfolio.id)}/{kept.company}"),
            ]
        )
    columns = (
        *("Company", "Band", "Score", "State", "Limit", "Reasons for caution"),
        *("Exposure", "Above", "Last event", "Edit"),
    )
    empty = "No company matches." if visit.request.query else "No companies in this list yet. Add one below."
    return Table("Companies", columns, rows, empty, following, frozenset({2, 4, 6, 7}), cards=True)


def _company(kept: WatchedCompany, seen: Outline) -> Cell:
    """Return the company with its number and the customer's own reference below."""
    cell = company_cell(seen.name, kept.company)
    return replace(cell, detail=" \N{MIDDLE DOT} ".join(filter(None, (cell.detail, kept.reference))))


def _forms() -> list[Block]:
    return [
        Form(
            "add",
            "Add a company",
            "Add",
            fields=(Field("number", "Company number", required=True), *company_fields()),
        ),
        IMPORT_FORM,
    ]


def _above(line: Line) -> int:
    """Return the pounds by which the exposure exceeds the limit; 0 if it does not, or if one of them is unknown."""
    kept, limit = line.kept, line.seen.limit
    if kept.exposure is None or limit is None or kept.currency not in {"", "GBP"}:
        return 0
    return max(0, kept.exposure - limit)


def _event_words(rule: str) -> str:
    return RULES[rule].words.rstrip(".") if rule in RULES else rule


PORTFOLIO = Screen(
    PATH,
    "List",
    MONITOR,
    read,
    (Act("add", MONITOR, add), Act("import", MONITOR, take_in)),
    shows=(read_portfolio, list_watched),
    listed=False,
    max_body=MAX_FORM_OCTETS,
)
