"""The search for companies: by a form, and while a person types (`suggest`)."""

import msgspec

from credence import paths
from credence.blocks.forms import Field, Query
from credence.blocks.values import Block, Cell, Note, Pick, Table
from credence.mcp.answers import CompaniesFound, Search
from credence.mcp.tools import search_companies
from credence.oauth.parameters.scopes import MONITOR, SEARCH
from credence.operations.company_alerts import alerts_of_companies
from credence.refusals.credit import SEARCH_MALFORMED
from credence.refusals.refusal import Refused
from credence.sandbox.examples import STOPS
from credence.settings import Environment
from credence.sites.kit.screen import Act, Page, Screen, Visit
from credence.sites.workbench.company_alert import acknowledge
from credence.sites.workbench.compare import COMPARE, PICKED
from credence.sites.workbench.figures import band_cell, company_cell, number_cell, short_held_cell, standing_cell
from credence.sites.workbench.morning import morning
from credence.sites.workbench.outlines import Outlines, load_outlines
from credence.sites.workbench.reader import sources_of
from credence.sites.workbench.recently_viewed import viewed_blocks
from credence.web.messages.answer import JSON, Answer
from credence.web.messages.caching import NO_STORE

SUGGEST = f"{paths.WORKBENCH}/suggest"
MAX_SUGGESTED = 8
MAX_TYPED = 160

_HINT = "Company name, former name or number"


async def read(visit: Visit) -> Page:
    """Return the form and its results."""
    typed = {name: visit.parameter(name)[:MAX_TYPED] for name in ("q", "town", "postcode", "dissolved")}
    lead = "Search for a company to see its credit report."
    if not any(typed[name] for name in ("q", "town", "postcode")):
        shown = await morning(visit) if visit.has(MONITOR) else []
        rest = [*await viewed_blocks(visit), *await _examples(visit)]
        return Page("Today", [_form(typed), *shown, *rest], "", lead=lead)
    try:
        found = await find(visit, typed)
    except Refused as refused:
        if refused.refusal.name != SEARCH_MALFORMED.name:
            raise
        return Page("Companies", [_form(typed, refused.refusal.message)], "", lead=lead)
    known = await load_outlines(visit, [each.RegNumber for each in found.Companies])
    return Page("Companies", [_form(typed), *known.notes, *_results(found, known)], "")


async def find(visit: Visit, typed: dict[str, str]) -> CompaniesFound:
    """Return the companies that match.

    A text in the form of a company number is first searched as a number.
    """
    text, dissolved = typed["q"], bool(typed.get("dissolved"))
    town, postcode = typed.get("town", ""), typed.get("postcode", "")
    if any(each.isdigit() for each in text) and len(text) <= len("SC123456") + 2:
        by_number = Search(number=text, dissolved=True)
        try:
            found = await search_companies.call(sources_of(visit), by_number)
        except Refused as refused:
            if refused.refusal.name != SEARCH_MALFORMED.name:
                raise
        else:
            if found.Companies:
                return found
    asked = Search(name=text, town=town, postcode=postcode, dissolved=dissolved)
    return await search_companies.call(sources_of(visit), asked)


async def suggest(visit: Visit) -> Answer:
    """Return the first companies for the text typed so far; an empty list if the text cannot be searched."""
    text = visit.parameter("q")[:MAX_TYPED]
    found: tuple[object, ...] = ()
    if len(text) > 1:
        try:
            found = (await find(visit, {"q": text})).Companies[:MAX_SUGGESTED]
        except Refused as refused:
            if refused.refusal.name != SEARCH_MALFORMED.name:
                raise
    return Answer(200, JSON, msgspec.json.encode(found), (NO_STORE,))


async def _examples(visit: Visit) -> list[Block]:
    """Return the companies of the sandbox that a newcomer opens first; nothing elsewhere."""
    if visit.service.settings.environment is not Environment.SANDBOX:
        return []
    known = await load_outlines(visit, [each.number for each in STOPS])
    rows = [
        [
            band_cell(known.of[each.number].band),
            number_cell(known.of[each.number].score),
            company_cell(known.of[each.number].name, each.number),
            Cell(each.shows),
        ]
        for each in STOPS
    ]
    return [
        Table(
            "Try these",
            ("Band", "Score", "Company", "What its report shows"),
            rows,
            "",
            numbers=frozenset({1}),
            cards=True,
        )
    ]


def _form(typed: dict[str, str], wrong: str = "") -> Query:
    return Query(
        "Find a company",
        "Search",
        (
            Field("q", "Name or number", typed["q"], _HINT),
            Field("town", "Town", typed["town"]),
            Field("postcode", "Postcode", typed["postcode"]),
            Field("dissolved", "Include dissolved companies", typed["dissolved"], kind="box"),
        ),
        wrong=wrong,
        suggests=SUGGEST,
    )


def _results(found: CompaniesFound, known: Outlines) -> list[Block]:
    has_former_names = any(each.MatchedName for each in found.Companies)
    rows = [
        [
            company_cell(each.Name, each.RegNumber),
            band_cell(known.of[each.RegNumber].band),
            standing_cell(known.of[each.RegNumber]),
            short_held_cell(known.of[each.RegNumber]),
            *([Cell(each.MatchedName)] if has_former_names else []),
            Cell(each.Address),
        ]
        for each in found.Companies
    ]
    former = ("Found by former name",) if has_former_names else ()
    columns = ("Company", "Band", "State", "Reasons for caution", *former, "Registered office")
    names = [f"{PICKED}{each.RegNumber}" for each in found.Companies]
    title = f"{found.Matches:,} found" if found.Matches != 1 else "One found"
    table = Table(
        title,
        columns,
        rows,
        "No companies found. Try fewer words, or enter the company number.",
        pick=Pick("Compare selected", COMPARE, names) if len(rows) > 1 else None,
        cards=True,
    )
    shown: list[Block] = [table]
    if found.Matches > len(found.Companies):
        shown.append(
            Note(
                f"These are the best {len(found.Companies)} matches. Add a town or postcode to narrow the search.",
                "soft",
            )
        )
    return shown


FIND = Screen(
    paths.WORKBENCH, "Today", SEARCH, read, (Act("acknowledge", MONITOR, acknowledge),), shows=(alerts_of_companies,)
)
SUGGESTING = Screen(SUGGEST, "Suggestions", SEARCH, suggest, listed=False)
