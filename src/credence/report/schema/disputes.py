"""Disputes and the notice to readers of reports, as the API sends them (D43, credit §10)."""

import datetime as dt
from typing import Annotated

import msgspec

from credence.datasets.disputes import MAX_CHARACTERS
from credence.meanings import meaning

STATUSES = {
    "received": "received, not yet reviewed and not in reports",
    "open": "accepted for review, in reports",
    "reviewing": "under review",
    "sent": "sent to the source, which alone can correct its register",
    "corrected": "decided: the fact was wrong",
    "upheld": "decided: the fact is right",
}

Text = Annotated[str, msgspec.Meta(min_length=1, max_length=MAX_CHARACTERS)]


class DisputeRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A dispute about one field of a company's report."""

    RegNumber: Annotated[str, msgspec.Meta(max_length=100), meaning("The company number.", example="99999901")]
    Field: Annotated[Text, meaning("The disputed member of the report.", example="NumberOfEmployees")]
    Claim: Annotated[Text, meaning("What is right, without names of people.", example="The company employs 12.")]


class DisputeState(msgspec.Struct, frozen=True, omit_defaults=True):
    """A dispute with its clock. The answer is due 28 days after it was received (Consumer Credit Act 1974, s. 159)."""

    RegNumber: Annotated[str, meaning("The company number.", example="99999901")]
    Field: Annotated[str, meaning("The disputed member of the report.", example="NumberOfEmployees")]
    Claim: Annotated[str, meaning("The correct value, as shown in reports.", example="The company employs 12.")]
    Status: Annotated[str, meaning("The state of the dispute:", values=STATUSES)]
    Received: Annotated[dt.date, meaning("The day on which it was received.", example="2026-11-22")]
    AnswerDue: Annotated[dt.date, meaning("The day by which it must be decided.", example="2026-12-20")]
    Decided: Annotated[dt.date | None, meaning("The day of the decision.", example="2026-12-01")] = None
    DecidedBy: Annotated[str | None, meaning("Who decided, as the operator names them.", example="data desk")] = None


class Disputes(msgspec.Struct, frozen=True):
    """The disputes about one company: those in reports, those decided, and the caller's own."""

    Disputes: Annotated[tuple[DisputeState, ...], meaning("The disputes, the oldest first.")]


class DecidedDispute(msgspec.Struct, frozen=True):
    """A decided dispute, without its claim."""

    RegNumber: Annotated[str, meaning("The company number.", example="99999901")]
    Field: Annotated[str, meaning("The disputed member of the report.", example="NumberOfEmployees")]
    Status: Annotated[str, meaning("The decision:", values={each: STATUSES[each] for each in ("corrected", "upheld")})]
    Decided: Annotated[dt.date, meaning("The day of the decision.", example="2026-12-01")]


class Corrections(msgspec.Struct, frozen=True):
    """The notice to readers of reports."""

    Corrections: Annotated[
        tuple[DecidedDispute, ...], meaning("The disputes decided in the last six months, newest first.")
    ]
