"""The page of a company: a summary on which a person decides, and its report in tabs, as the API's HTML report has it."""

from collections.abc import Mapping
from dataclasses import replace

from credence import paths
from credence.blocks.forms import Field, Form
from credence.blocks.values import Block, Note, Tabs
from credence.companies.number import normalise_or_none
from credence.monitoring.portfolios import find_portfolio
from credence.oauth.parameters.scopes import MONITOR, REPORT
from credence.operations.approved_limits import read_limits
from credence.refusals.refusal import Refused
from credence.refusals.resources import RESOURCE_UNKNOWN
from credence.report.render.compose import compose
from credence.report.schema.report import LtdCompanyData
from credence.sites.kit.screen import Act, ActResult, InvalidForm, Page, Screen, Visit
from credence.sites.workbench.adding import company_fields, company_in, watch_one
from credence.sites.workbench.changes import change_blocks
from credence.sites.workbench.company_summary import cautions_first, summary_blocks
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
