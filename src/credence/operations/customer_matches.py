"""The customers of a portfolio, and which companies they are: said by one, or all whose candidate is sure enough."""

from collections.abc import Iterator
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from credence.companies.number import normalise_or_none
from credence.errors import InvalidInput
from credence.meanings import Input, meaning
from credence.monitoring.customers import CustomerPage, state_of
from credence.operations.acting import OWNERS, Acting
from credence.operations.operation import Change, operation
from credence.operations.pages import Page, first_of
from credence.operations.portfolios import PORTFOLIO
from credence.operations.reading import reading
from credence.refusals.refusal import Refused, because
from credence.refusals.resources import RESOURCE_CHANGED
from credence.store.customers import MAX_CUSTOMERS, Customer
from credence.store.errors import Full
from credence.store.portfolios import Portfolio

LEAST_ACCEPTED = 60
"""The least confidence with which many candidates may be accepted at once."""

_FULL = because(RESOURCE_CHANGED, f"A portfolio has at most {MAX_CUSTOMERS:,} companies.")


class ChosenCompany(Struct, frozen=True, forbid_unknown_fields=True):
    """Which company a customer is."""

    reference: Annotated[str, Meta(max_length=100), meaning("The owner's own reference.", example="C-1001")]
    company_number: Annotated[
        str, Meta(max_length=20), meaning("The company number; empty declines the companies found.", example="99999901")
    ] = ""


class MatchBody(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Which companies customers are."""

    customers: Annotated[
        Annotated[tuple[ChosenCompany, ...], Meta(max_length=100)],
        meaning("The company of each of these customers."),
        Input("File with a JSON array of customers and their companies.", file=True, default="none"),
    ] = ()
    confidence: Annotated[
        Annotated[int, Meta(ge=LEAST_ACCEPTED, le=100)] | None,
        meaning("Also accept the first candidate of every customer whose confidence is at least this.", example=90),
        Input(default="none is accepted by its confidence"),
    ] = None
    search_again: Annotated[
        bool,
        meaning("Also search again for customers without an accepted company.", example=False),
        Input(flag="--again"),
    ] = False


class MatchResult(Struct, frozen=True):
    """What came of it."""

    accepted: Annotated[int, meaning("Customers whose company is known now.", example=12)]
    declined: Annotated[int, meaning("Customers whose candidates were declined.", example=1)]
    searched: Annotated[int, meaning("Customers for which candidates are searched again.", example=0)]
    changed: Annotated[int, meaning("Customers that changed meanwhile and stay as they are.", example=0)]


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


@operation(
    "portfolio match",
    on=PORTFOLIO,
    api=("POST", "matches"),
    access=OWNERS,
    title="Match customers with companies",
    event="customers_matched",
    answers=MatchResult,
)
async def match_customers(by: Acting, found: Portfolio, body: MatchBody) -> Change[Portfolio]:
    """Accept candidates, or name the companies of customers yourself; they are watched, with what they owe as exposure."""
    store = by.means.store
    pairs = dict(_named(body, {each.reference: each for each in await store.customers(found.id)}))

    async def apply() -> MatchResult:
        try:
            stored = set(await store.exchange_customers([*pairs.values()]))
        except Full:
            raise Refused(_FULL, "portfolio.full") from None
        after = [each for reference, (_, each) in pairs.items() if reference in stored]
        return MatchResult(
            accepted=sum(bool(each.company) for each in after),
            declined=sum(each.state == "declined" for each in after),
            searched=sum(each.state == "waiting" for each in after),
            changed=len(pairs) - len(after),
        )

    return Change(found, effect=apply, effects={"customers": {"after": len(pairs)}})


def _named(body: MatchBody, known: dict[str, Customer]) -> Iterator[tuple[str, tuple[Customer, Customer]]]:
    """Yield reference -> the customer as it is and as it would be. Raises InvalidInput."""
    for each in known.values():
        best = each.candidates[0] if each.state == "proposed" and each.candidates else None
        if best is not None and body.confidence is not None and best.confidence >= body.confidence:
            yield each.reference, (each, _with(each, best.company))
        elif body.search_again and each.state in ("proposed", "none"):
            yield each.reference, (each, msgspec.structs.replace(each, state="waiting", candidates=()))
    for chosen in body.customers:
        customer = known.get(chosen.reference)
        number = normalise_or_none(chosen.company_number) if chosen.company_number else ""
        if customer is None:
            raise InvalidInput(f"There is no customer {chosen.reference!r}.", member="customers")
        if number is None:
            raise InvalidInput(f"{chosen.company_number!r} is not a company number.", member="customers")
        yield chosen.reference, (customer, _with(customer, number))


def _with(customer: Customer, number: str) -> Customer:
    state = "accepted" if number else "declined"
    return msgspec.structs.replace(customer, company=number, state=state)
