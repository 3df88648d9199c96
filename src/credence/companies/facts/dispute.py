"""A dispute: a claim, under review, that a fact about a company is wrong (credit §10)."""

import datetime as dt
from enum import StrEnum

import msgspec

ANSWER_DAYS = 28
"""Days to answer (Consumer Credit Act 1974, s. 159(2)); UK GDPR article 12(3) allows a month, which is never shorter."""


class DisputeStatus(StrEnum):
    """The state of a dispute."""

    RECEIVED = "received"
    """Received through the API and not yet reviewed; reports do not show it, because the claim may name a person."""
    OPEN = "open"
    REVIEWING = "reviewing"
    SENT = "sent"
    """Sent to the source, which alone can correct its register; disputed until the source answers."""
    CORRECTED = "corrected"
    UPHELD = "upheld"
    """Reviewed; the fact is right."""

    @property
    def closed(self) -> bool:
        """Whether reports no longer show the dispute."""
        return self in {DisputeStatus.CORRECTED, DisputeStatus.UPHELD}


class Dispute(msgspec.Struct, frozen=True):
    """One dispute; a company has at most one for each field."""

    field: str
    """The disputed member of the report, such as `NumberOfEmployees`, or a description in words."""
    note: str
    """The claim, worded by the operator; readers of the report see it."""
    status: DisputeStatus
    opened: dt.date
    changed: dt.date
    by: str = ""
    """The application that sent it; empty for the operator."""
    decided: dt.date | None = None
    decided_by: str = ""

    @property
    def answer_due(self) -> dt.date:
        """The day by which it must be decided."""
        return self.opened + dt.timedelta(days=ANSWER_DAYS)
