"""The screen that says which companies the customers of a ledger are: candidates with a confidence, to accept."""

from collections.abc import Mapping
from typing import Final
from urllib.parse import urlencode

from credence.blocks.forms import Field, Form
from credence.blocks.values import Block, Cell, Links, Note, Table
from credence.monitoring.customers import STATES
from credence.oauth.parameters.scopes import MONITOR
from credence.operations.customer_matches import ChosenCompany, MatchBody, MatchResult, list_customers, match_customers
from credence.sites.kit.screen import Act, ActResult, InvalidForm, Page, Screen, Visit
from credence.sites.workbench.acting import perform_here
from credence.sites.workbench.figures import address_of_company, amount_cell
from credence.sites.workbench.lists import address_of_list, portfolio_at
from credence.sites.workbench.one_list import PATH
from credence.sites.workbench.reader import store_of
from credence.store.customers import Customer, State

PAGE_ROWS: Final = 20
SURE: Final = 90
"""The confidence from which the page offers to accept all."""
_LEVELS: Final = tuple((str(level), f"{level} and more") for level in (95, SURE, 85, 80))
_SHOWN: Final[tuple[State, ...]] = ("proposed", "none", "declined", "accepted", "number", "list")
_NO_COMPANY: Final = "-"


async def read(visit: Visit) -> Page:
    """Return the counts, and a page of customers in one state; those with candidates have a choice each."""
    portfolio = await portfolio_at(visit)
    store, address = store_of(visit), f"{address_of_list(portfolio.id)}/matching"
    counts = await store.count_customers(portfolio.id)
    asked = visit.parameter("state")
    state: State = next((each for each in _SHOWN if each == asked), "proposed")
    found = await store.customers_in(portfolio.id, state, visit.parameter("after"), PAGE_ROWS + 1)
    shown = found[:PAGE_ROWS]
    following = (
        f"{address}?{urlencode({'state': state, 'after': shown[-1].reference})}" if len(found) > PAGE_ROWS else ""
    )
    blocks: list[Block] = []
    waiting = counts.get("waiting", 0)
    if waiting:
        blocks.append(
            Note(f"{waiting:,} customers are still being compared with the register. Reload the page.", "soft")
        )
    ways = [(f"{_words(each)}: {counts.get(each, 0):,}", f"{address}?state={each}") for each in _SHOWN]
    blocks.append(Links("Customers", ways))
    if state == "proposed" and shown:
        blocks.append(_all_form())
    blocks.append(_table(shown, state, following))
    if state in ("proposed", "none", "declined", "accepted") and shown:
        blocks.append(_form(shown, state))
    if counts.get("none") or counts.get("proposed"):
        text = "After a newer register was loaded, for customers whose company is not known."
        blocks.append(Form("again", "Search again", "Search again", text))
    known = sum(counts.get(each, 0) for each in ("number", "list", "accepted"))
    lead = f"{known:,} of {sum(counts.values()):,} customers have a company"
    return Page("Match customers", blocks, "", lead=lead, above=(portfolio.name, address_of_list(portfolio.id)))


async def accept_all(visit: Visit, values: Mapping[str, str]) -> ActResult:
    """Accept every first candidate with at least this confidence."""
    level = values.get("confidence", "")
    if level not in dict(_LEVELS):
        raise InvalidForm("Choose a confidence.", "confidence")
    return await _done(visit, MatchBody(confidence=int(level)))


async def choose(visit: Visit, values: Mapping[str, str]) -> ActResult:
    """Take what the person chose for the customers of the page."""
    chosen = []
    for place in range(PAGE_ROWS):
        reference, typed = values.get(f"reference-{place}", ""), values.get(f"company-{place}", "").strip()
        if reference and typed:
            chosen.append(ChosenCompany(reference, "" if typed == _NO_COMPANY else typed))
    if not chosen:
        raise InvalidForm("Choose a company for at least one customer.")
    return await _done(visit, MatchBody(tuple(chosen)))


async def again(visit: Visit, _values: Mapping[str, str]) -> ActResult:
    """Search candidates again."""
    return await _done(visit, MatchBody(search_again=True))


async def _done(visit: Visit, body: MatchBody) -> ActResult:
    portfolio = await portfolio_at(visit)
    outcome = await perform_here(visit, match_customers, portfolio.id, body)
    result = outcome.state
    if not isinstance(result, MatchResult):
        raise TypeError("the act answers what came of it")
    said = [
        f"{result.accepted:,} accepted",
        f"{result.declined:,} without a company",
        f"{result.searched:,} searched again",
    ]
    if result.changed:
        said.append(f"{result.changed:,} changed in the meantime and are as they were")
    return ActResult(", ".join(each for each in said if not each.startswith("0 ")) + ".")


def _words(state: State) -> str:
    words = {"proposed": "Candidates found", "none": "Nothing found", "declined": "No company", "accepted": "Accepted"}
    return words.get(state, "Number in the ledger" if state == "number" else "Known from the list")


def _all_form() -> Form:
    text = "Accepts the first candidate of every customer, on all pages, whose confidence is high enough."
    field = Field("confidence", "Confidence", str(SURE), options=_LEVELS)
    return Form("accept-all", "Accept many", "Accept", text, fields=(field,))


def _table(customers: list[Customer], state: State, following: str) -> Table:
    rows = [
        [
            Cell(each.reference),
            Cell(each.name),
            Cell(each.postcode),
            amount_cell(each.owed.balance / 100, each.currency),
            *_found_cells(each),
        ]
        for each in customers
    ]
    columns = (
        "Reference",
        "Customer",
        "Postcode",
        "Balance",
        "Company",
        "Name in the register",
        "Office",
        "Confidence",
    )
    return Table(
        f"{_words(state)}: {STATES[state]}", columns, rows, "No customers.", following, frozenset({3, 7}), cards=True
    )


def _found_cells(customer: Customer) -> list[Cell]:
    known = next((each for each in customer.candidates if each.company == customer.company), None)
    best = known or (customer.candidates[0] if customer.candidates and not customer.company else None)
    number = customer.company or (best.company if best else "")
    name = "" if best is None else f"{best.name} (former name)" if best.is_former else best.name
    return [
        Cell(number, address_of_company(number) if number else ""),
        Cell(name),
        Cell(best.place if best else ""),
        Cell(str(best.confidence) if best else ""),
    ]


def _form(customers: list[Customer], state: State) -> Form:
    fields, hidden = [], []
    for place, each in enumerate(customers):
        hidden.append((f"reference-{place}", each.reference))
        label = f"{each.reference} {each.name}"[:100]
        if state == "proposed":
            options = [("", "decide later")]
            options += [
                (
                    found.company,
                    f"{found.confidence}: {found.name}{' (former)' if found.is_former else ''}, {found.place}",
                )
                for found in each.candidates
            ]
            options.append((_NO_COMPANY, "none of these"))
            fields.append(Field(f"company-{place}", label, options=options))
        else:
            fields.append(Field(f"company-{place}", label, "", "A company number, or - for none."))
    return Form("choose", "Choose", "Save choices", fields=fields, hidden=hidden, wide=True)


MATCHING = Screen(
    f"{PATH}/matching",
    "Match customers",
    MONITOR,
    read,
    (Act("accept-all", MONITOR, accept_all), Act("choose", MONITOR, choose), Act("again", MONITOR, again)),
    shows=(list_customers,),
    listed=False,
)
