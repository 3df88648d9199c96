"""The comparison of companies: the summaries of the MCP tools, as columns."""

import msgspec

from credence import paths
from credence.blocks.forms import Field, Query
from credence.blocks.values import Block, Cell, Note, Table
from credence.companies.number import normalise_or_none
from credence.mcp.answers import MAX_COMPARED, CompanySummary, Compared
from credence.mcp.tools import compare_companies
from credence.oauth.parameters.scopes import REPORT
from credence.sites.kit.screen import Page, Screen, Visit
from credence.sites.workbench.figures import address_of_company, amount_cell, band_cell
from credence.sites.workbench.reader import reader_of, sources_of

COMPARE = f"{paths.WORKBENCH}/compare"
PICKED = "c-"
"""Prefix of the name of a ticked check box; the company number follows."""

MAX_TYPED = 200

_ROWS = (
    ("Status", lambda each: Cell(each.Status)),
    ("Insolvency", lambda each: Cell(each.Insolvency)),
    ("Reasons for caution", lambda each: Cell("; ".join(each.Reservations))),
    ("Band", lambda each: band_cell(each.Band)),
    ("Score", lambda each: Cell("" if each.Score is None else str(each.Score))),
    ("In words", lambda each: Cell(each.NotScored or each.Headline)),
    ("Failure within a year", lambda each: Cell(each.Probability)),
    ("Suggested limit", lambda each: amount_cell(each.Limit)),
    ("Terms", lambda each: Cell(each.Terms)),
    ("Main reason", lambda each: Cell(each.Reasons[0] if each.Reasons else "")),
    ("Second reason", lambda each: Cell(each.Reasons[1] if len(each.Reasons) > 1 else "")),
    ("Alerts", lambda each: Cell("; ".join(each.Alerts))),
    ("Reliability of the facts", lambda each: Cell(each.Confidence)),
    ("Facts", lambda each: Cell(each.Facts)),
)


async def read(visit: Visit) -> Page:
    """Return the form, and the comparison of the companies in the query."""
    typed = visit.parameter("numbers")[:MAX_TYPED]
    ticked = [name.removeprefix(PICKED) for name in visit.request.parameters if name.startswith(PICKED)]
    texts = [*typed.replace(",", " ").split(), *ticked]
    numbers = dict.fromkeys(normalise_or_none(each) or "" for each in texts)
    wrong = _wrong(texts, list(numbers))
    form = Query(
        "Choose the companies",
        "Compare",
        (Field("numbers", "Company numbers", " ".join(texts), f"2 to {MAX_COMPARED}, separated by spaces."),),
        wrong=wrong if texts else "",
    )
    if wrong:
        return Page("Compare", [form], "", lead="2 to 5 companies side by side, lowest risk first.")
    found = await compare_companies.call(sources_of(visit), msgspec.convert({"numbers": list(numbers)}, Compared))
    for each in found.Companies:
        visit.service.unsaved_reads.note(reader_of(visit).client_id, each.RegNumber)
    blocks: list[Block] = [Note(f"Nothing is known about {number}.", "warn") for number in found.Unknown]
    return Page("Compare", [*blocks, _table(found.Companies), form], "")


def _wrong(texts: list[str], numbers: list[str]) -> str:
    """Return the error message for the numbers; empty if they can be compared."""
    if "" in numbers:
        unread = next(each for each in texts if normalise_or_none(each) is None)
        return f"{unread[:20]} is not a company number, such as 01234567 or SC123456."
    if not 2 <= len(numbers) <= MAX_COMPARED:
        return f"Name two to {MAX_COMPARED} different companies."
    return ""


def _table(companies: tuple[CompanySummary, ...]) -> Table:
    heads = ("Compared", *(each.Name or each.RegNumber for each in companies))
    numbers = [Cell("Number"), *(Cell(each.RegNumber, address_of_company(each.RegNumber)) for each in companies)]
    rows = [[Cell(words), *map(cell, companies)] for words, cell in _ROWS]
    return Table("Side by side", heads, [numbers, *rows], "None of these companies was found.", cards=False)


COMPARING = Screen(COMPARE, "Compare", REPORT, read)
