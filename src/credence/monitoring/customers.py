"""Customers of a portfolio as the API sends them: the accounts of the ledgers that were uploaded to it."""

import datetime as dt
from typing import Annotated

import msgspec

from credence.meanings import meaning
from credence.store.customers import Candidate, Customer

HUNDREDTHS = "hundredths of the currency"

STATES = {
    "number": "the ledger has the number",
    "list": "the portfolio had the company under the same reference",
    "accepted": "a person accepted it",
    "proposed": "candidates wait for a person",
    "waiting": "candidates are being searched",
    "none": "no company was found",
    "declined": "a person declined the companies found",
}


class CandidateState(msgspec.Struct, frozen=True):
    """A company that the customer may be."""

    company_number: Annotated[str, meaning("Its number.", example="99999901")]
    name: Annotated[str, meaning("Its name that fits.", example="THE SPECIMEN COMPANY LIMITED")]
    is_former: Annotated[bool, meaning("Whether this is a former name.", example=False)]
    place: Annotated[str, meaning("Town and postcode of the registered office.", example="London SW1A 1AA")]
    confidence: Annotated[int, meaning("How well name and postcode fit, from 0 to 100.", example=96)]


class CustomerState(msgspec.Struct, frozen=True):
    """A customer: one account of a ledger. Amounts are negative for a credit."""

    reference: Annotated[str, meaning("The owner's own reference.", example="C-1001")]
    name: Annotated[str, meaning("The name in the ledger.", example="Specimen Co Ltd")]
    postcode: Annotated[str, meaning("The postcode in the ledger; empty if it has none.", example="SW1A 1AA")]
    company_number: Annotated[str, meaning("The company number; empty if it is not known.", example="99999901")]
    state: Annotated[str, meaning("How the number is known, or why not:", values=STATES, example="accepted")]
    candidates: Annotated[tuple[CandidateState, ...], meaning("The companies found, the most likely first.")]
    balance: Annotated[int, meaning("What the customer owes in all.", unit=HUNDREDTHS, example=1250050)]
    current: Annotated[
        int | None, meaning("What is not overdue; null if the ledger does not say.", unit=HUNDREDTHS, example=1000000)
    ]
    days_30: Annotated[int | None, meaning("Overdue for 1 to 30 days.", unit=HUNDREDTHS, example=250050)]
    days_60: Annotated[int | None, meaning("Overdue for 31 to 60 days.", unit=HUNDREDTHS, example=0)]
    days_90: Annotated[int | None, meaning("Overdue for 61 to 90 days.", unit=HUNDREDTHS, example=0)]
    over_90: Annotated[int | None, meaning("Overdue for more than 90 days.", unit=HUNDREDTHS, example=0)]
    currency: Annotated[str, meaning("The currency (ISO 4217).", example="GBP")]
    as_of: Annotated[dt.date, meaning("The day of the ledger.", example="2026-11-20")]
    upload: Annotated[str, meaning("The id of the upload that says it.", example="up_1795168200000_2o6x4hk3tmy7q5c3")]


class CustomerPage(msgspec.Struct, frozen=True):
    """A page of customers."""

    customers: Annotated[tuple[CustomerState, ...], meaning("The customers, ordered by reference.")]
    next_page_token: Annotated[str, meaning("The token of the next page; empty at the end.", example="")]


def state_of(customer: Customer) -> CustomerState:
    """Return a customer in the form in which it is sent."""
    return CustomerState(
        reference=customer.reference,
        name=customer.name,
        postcode=customer.postcode,
        company_number=customer.company,
        state=customer.state,
        candidates=tuple(map(_candidate, customer.candidates)),
        **msgspec.structs.asdict(customer.owed),
        currency=customer.currency,
        as_of=customer.as_of,
        upload=customer.upload,
    )


def _candidate(found: Candidate) -> CandidateState:
    return CandidateState(found.company, found.name, found.is_former, found.place, found.confidence)
