"""The lists of watched companies (portfolios): shows all, and makes one."""

from collections.abc import Iterable, Mapping
from contextlib import suppress

from credence import paths
from credence.blocks.forms import Field, Form
from credence.blocks.values import Cell, Table
from credence.monitoring.portfolios import find_portfolio
from credence.monitoring.schema import PortfolioBody
from credence.oauth.parameters.scopes import MONITOR
from credence.operations.portfolios import list_portfolios, make_portfolio
from credence.refusals.refusal import Refused
from credence.sites.kit.lists import page_of
from credence.sites.kit.screen import Act, ActResult, Page, Screen, Visit
from credence.sites.workbench.acting import perform_here
from credence.sites.workbench.figures import number_cell
from credence.sites.workbench.reader import reader_of, store_of
from credence.sites.workbench.texts import converted, text_in
from credence.store.portfolios import Portfolio

LISTS = f"{paths.WORKBENCH}/lists"

MAX_OFFERED = 50
"""The most lists that a form offers: a person does not choose among more."""

MAX_NAMED = 200
"""The most lists whose names are read at once: an application can make as many, and the operator may share further ones."""

WORDS = {"name": "A name has 1 to 100 characters.", "reference": "A reference has at most 100 characters."}


def address_of_list(identity: str) -> str:
    """Return the path of a list."""
    return f"{LISTS}/{identity}"


async def portfolio_at(visit: Visit) -> Portfolio:
    """Return the list that the path names.

    Raises Refused with the same 404 for another application's list as for an unknown one.
    """
    return await find_portfolio(store_of(visit), visit.request.segments[0], reader_of(visit).client_id)


async def offered_lists(visit: Visit, most: int = MAX_OFFERED) -> dict[str, str]:
    """Return id -> name of at most `most` lists of the reader, ordered by name."""
    found = await store_of(visit).portfolios_of(reader_of(visit).client_id, "", most)
    return {each.id: each.name for each in sorted(found, key=lambda each: each.name.casefold())}


async def with_names(visit: Visit, names: Mapping[str, str], identities: Iterable[str]) -> dict[str, str]:
    """Return `names` (id -> name) and the names of the lists in `identities`, without those that the reader may not use."""
    found = dict(names)
    for identity in dict.fromkeys(identities):
        if identity not in found:
            with suppress(Refused):
                kept = await find_portfolio(store_of(visit), identity, reader_of(visit).client_id)
                found[identity] = kept.name
    return found


def list_cell(names: Mapping[str, str], identity: str) -> Cell:
    """Return a cell with the name of a list and a link to it.

    `names` has the existing lists: id -> name.
    """
    return Cell(names[identity], address_of_list(identity)) if identity in names else Cell("deleted list")


async def read(visit: Visit) -> Page:
    """Return the lists that the application of the reader may use."""
    store, client_id = store_of(visit), reader_of(visit).client_id

    async def fetch(after: str, limit: int) -> list[Portfolio]:
        return await store.portfolios_of(client_id, after, limit)

    found, next_url = await page_of(visit, fetch, lambda each: each.id, lambda each: (each.name, each.reference))
    rows = [
        [
            Cell(each.name, address_of_list(each.id)),
            Cell(each.reference),
            number_cell(await store.count_watched(each.id)),
            number_cell(len(each.rules)),
            Cell("" if each.owner == client_id else "shared with you"),
        ]
        for each in found
    ]
    columns = ("List", "Reference", "Companies", "Rules", "Shared")
    empty = "You have no lists yet. Create one below, then add the companies you supply."
    table = Table("Your lists", columns, rows, empty, next_url, frozenset({2, 3}), cards=True)
    form = Form(
        "make",
        "Create a list",
        "Create list",
        "It starts with the rules a careful credit manager would use. You can change them.",
        fields=(
            Field("name", "Name", hint="For example, Customers in the north.", required=True),
            Field("reference", "Your reference"),
        ),
    )
    return Page("Lists", [table, form], "", lead="Companies you watch: their risk, your exposure and what has changed.")


async def make(visit: Visit, values: Mapping[str, str]) -> ActResult:
    """Create a list."""
    members = {"name": text_in(values, "name"), "reference": text_in(values, "reference")}
    body = converted(members, PortfolioBody, WORDS)
    made = await perform_here(visit, make_portfolio, reader_of(visit).client_id, body)
    return ActResult("List created.", next_url=address_of_list(made.after.id))


PORTFOLIOS = Screen(LISTS, "Lists", MONITOR, read, (Act("make", MONITOR, make),), shows=(list_portfolios,))
