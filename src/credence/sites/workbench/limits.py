"""The screen of approved limits: what waits for a second person, what is to be reviewed, and what holds; all as CSV."""

from urllib.parse import urlencode

from credence import paths
from credence.blocks.forms import Field, Query
from credence.blocks.values import Block, Cell, Links, Table
from credence.clock import london_day
from credence.companies.number import normalise_or_none
from credence.monitoring.limits import LimitDispute, states_of
from credence.oauth.parameters.scopes import MONITOR
from credence.operations.approved_limits import list_limits
from credence.sites.kit.lists import page_of
from credence.sites.kit.screen import Exported, Page, Screen, Visit
from credence.sites.workbench.deciding import history_table
from credence.sites.workbench.disputes import is_disputed
from credence.sites.workbench.figures import amount_cell, band_cell, company_cell, day_cell
from credence.sites.workbench.reader import reader_of, store_of
from credence.store.limit_decisions import LimitDecision

LIMITS = f"{paths.WORKBENCH}/limits"

_COLUMNS = (
    "company_number",
    "name",
    "place",
    "state",
    "in_force",
    "amount",
    "terms",
    "why",
    "conditions",
    "note",
    "review_on",
    "proposed_by",
    "proposed_at",
    "decided_by",
    "decided_at",
    "authority",
    "answer",
)
_GROUNDS = (
    "day",
    "score",
    "band",
    "suggested_limit",
    "not_scored",
    "model",
    "policy",
    "policy_date",
    "policy_hash",
    "outcome",
    "policy_limit",
    "input_hash",
)


async def read(visit: Visit) -> Page:
    """Return the limits that hold and those that wait; every decision on a company that the query names."""
    store, owner = store_of(visit), reader_of(visit).client_id
    typed = visit.parameter("company")[:100]
    number = normalise_or_none(typed) if typed else ""
    wrong = "" if number is not None else "Enter a company number, such as 01234567."
    query = Query(
        "One company", "Show", (Field("company", "Company number", typed),), wrong, "company" if wrong else ""
    )
    address = f"{LIMITS}.csv" + (f"?{urlencode({'company': number})}" if number else "")
    words = f"the decisions on {number}" if number else "every decision"
    blocks: list[Block] = [Links("Export", [(f"Download {words} as CSV", address)]), query]
    if number:
        states = await states_of(store, owner, await store.limit_history(owner, number))
        blocks.append(history_table(states, f"Decisions on {number}"))
    elif not wrong:
        blocks.append(await _open(visit))
    return Page(
        "Approved limits",
        blocks,
        "",
        lead="The credit limits your team has approved, and those that wait for a second person.",
    )


async def _open(visit: Visit) -> Table:
    store, owner, today = store_of(visit), reader_of(visit).client_id, london_day(visit.request.now)

    async def fetch(after: str, limit: int) -> list[LimitDecision]:
        return await store.open_limits(owner, after, limit)

    def texts(each: LimitDecision) -> tuple[str, ...]:
        return each.company, each.grounds.name, each.proposed_by, each.decided_by

    found, next_link = await page_of(visit, fetch, lambda each: each.id, texts)
    rows = [
        [
            company_cell(each.grounds.name, each.company),
            amount_cell(each.amount),
            _state(each),
            Cell(each.decided_by or each.proposed_by),
            day_cell(each.review_on.isoformat(), "review due" if each.review_on <= today else ""),
            band_cell(each.grounds.band),
            Cell(each.terms),
        ]
        for each in found
    ]
    columns = ("Company", "Limit", "State", "By", "Review", "Band at decision", "Terms")
    empty = "No limits have been approved yet. Open a company and decide on its limit."
    return Table("Limits", columns, rows, empty, next_link, frozenset({1}), cards=True)


def _state(each: LimitDecision) -> Cell:
    if each.state == "waiting":
        return Cell("waits for a second person", tone="warn")
    return Cell("disputed, waits for a review", tone="warn") if is_disputed(each) else Cell("in force", tone="good")


async def export(visit: Visit) -> Exported:
    """Return every decision with what was known on its day; of one company if the query names it."""
    store, owner = store_of(visit), reader_of(visit).client_id
    typed = visit.parameter("company")
    number = normalise_or_none(typed) or "" if typed else ""
    decisions = await (store.limit_history(owner, number) if typed else store.limit_decisions_of(owner))
    rows = []
    for each in await states_of(store, owner, decisions):
        values = [each.grounds.name if name == "name" else getattr(each, name) for name in _COLUMNS]
        values += [getattr(each.grounds, name) for name in _GROUNDS]
        held = " ".join(reservation.sentence for reservation in each.grounds.reservations)
        values += [held, " ".join(each.grounds.findings)]
        rows.append(["" if value is None else str(value) for value in values])
        rows[-1].append("; ".join(map(_dispute, each.disputes)))
    grounds = [f"then_{name}" for name in _GROUNDS]
    return Exported((*_COLUMNS, *grounds, "then_reservations", "then_findings", "disputes"), rows)


def _dispute(each: LimitDispute) -> str:
    said = f"{each.received_on} {each.said} (recorded by {each.recorded_by})"
    if not each.outcome:
        return f"{said} - waits for a review"
    return f"{said} - {each.outcome} by {each.reviewed_by} on {each.reviewed_at[:10]}: {each.review}"


APPROVED_LIMITS = Screen(LIMITS, "Limits", MONITOR, read, export=export, shows=(list_limits,))
