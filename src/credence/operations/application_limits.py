"""What people decided about the limits of an application's customers, for operators and auditors."""

from credence.monitoring.limits import LimitPage, states_of
from credence.operations.acting import READ, Acting
from credence.operations.applications import APPLICATION
from credence.operations.pages import Page, first_of
from credence.operations.reading import reading
from credence.store.records import Application


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
