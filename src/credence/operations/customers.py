"""Customers of a portfolio: what is read of the ledgers that were uploaded to it."""

from credence.monitoring.customers import CustomerPage, state_of
from credence.operations.acting import OWNERS, Acting
from credence.operations.pages import Page, first_of
from credence.operations.portfolios import PORTFOLIO
from credence.operations.reading import reading
from credence.store.portfolios import Portfolio


@reading(
    "portfolio customers",
    on=PORTFOLIO,
    api="customers",
    access=OWNERS,
    title="Customers of a portfolio",
    rows="customers",
    columns=("reference", "name", "company_number", "state", "balance", "currency", "as_of"),
)
async def list_customers(by: Acting, found: Portfolio, page: Page) -> CustomerPage:
    """List the accounts of the ledgers that were uploaded to a portfolio, those whose company is not known included."""
    kept = await by.means.store.customers(found.id, page.after, page.size + 1)
    entries, following = first_of(kept, lambda each: each.reference, page)
    return CustomerPage(tuple(map(state_of, entries)), following)
