"""Readings of the limits that people approved; `limit_decisions.py` has what people do (D31)."""

from typing import Final

from credence import paths
from credence.companies.number import normalise_or_none
from credence.monitoring.limits import LimitHistory, LimitPage, states_of
from credence.operations.acting import OWNERS, READ, Acting
from credence.operations.applications import APPLICATION
from credence.operations.operation import Noun, as_it_is
from credence.operations.pages import Page, first_of
from credence.operations.reading import reading, showing
from credence.store.records import Application


async def _find(by: Acting, text: str) -> LimitHistory | None:
    number, store, owner = normalise_or_none(text), by.means.store, by.owns or ""
    if number is None:
        return None
    return LimitHistory(number, await states_of(store, owner, await store.limit_history(owner, number)))


APPROVED_LIMIT: Final[Noun[LimitHistory]] = Noun(
    name="company",
    path="limits/{company_number}",
    base=paths.MONITORING,
    help="The company number.",
    example="99999901",
    find=_find,
    state=as_it_is(LimitHistory),
    within=APPLICATION,
    is_found_by_owner=True,
    reasons="limit",
)
read_limits = showing(
    APPROVED_LIMIT,
    "limit show",
    id="company_approved_limits",
    access=OWNERS,
    title="Decisions on the limit of a company",
    text=(
        "Show every decision of people about the limit of one company, the newest first: who approved what and why, and "
        "what was known on that day."
    ),
)


@reading(
    "limit list",
    on=APPROVED_LIMIT,
    lists=True,
    id="approved_limits",
    access=OWNERS,
    title="Approved limits",
    no_tool="`book_customers` has each approved limit, `approved_limits` the decisions on one.",
    rows="limits",
    columns=("company_number", "state", "amount", "terms", "review_on", "proposed_by", "decided_by", "decided_at"),
)
async def list_limits(by: Acting, _found: None, page: Page) -> LimitPage:
    """List, for each company, the limit that a person approved last, and a newer one that waits for a second person.

    People approve limits in the workbench; programs read them.
    """
    store, owner = by.means.store, by.owns or ""
    found = await store.open_limits(owner, page.after, page.size + 1)
    shown, following = first_of(found, lambda each: each.id, page)
    return LimitPage(await states_of(store, owner, shown), following)


@reading(
    "app approved-limits",
    on=APPLICATION,
    api="approved-limits",
    rows="limits",
    columns=("company_number", "state", "in_force", "amount", "terms", "why", "review_on", "proposed_by", "decided_by"),
    access=READ,
    title="List the approved limits of an application",
)
async def list_decisions(by: Acting, found: Application, page: Page) -> LimitPage:
    """List every decision of people about limits, with what was known on its day, by company number and place."""
    store = by.means.store
    decisions = await store.limit_decisions_of(found.client_id, page.after, page.size + 1)
    entries, following = first_of(decisions, lambda each: each.id, page)
    return LimitPage(await states_of(store, found.client_id, entries), following)
