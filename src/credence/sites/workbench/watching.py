"""The form on a company's page that adds the company to a list."""

from collections.abc import Mapping

from credence.monitoring.portfolios import find_portfolio
from credence.oauth.parameters.scopes import MONITOR
from credence.refusals.refusal import Refused
from credence.refusals.resources import RESOURCE_UNKNOWN
from credence.sites.kit.blocks import Block, Field, Form
from credence.sites.kit.screen import Act, ActResult, InvalidForm, Visit
from credence.sites.workbench.adding import company_fields, company_in, watch_one
from credence.sites.workbench.lists import MAX_OFFERED, address_of_list, offered_lists
from credence.sites.workbench.reader import reader_of, store_of


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
    return ActResult(text, events=("company_watched",), next_url=address_of_list(portfolio.id))


WATCH = Act("watch", MONITOR, add_to_list)
