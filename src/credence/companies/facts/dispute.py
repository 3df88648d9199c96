"""A dispute: a claim, under review, that a fact about a company is wrong (credit §10)."""

import datetime as dt
from enum import StrEnum

import msgspec


class DisputeStatus(StrEnum):
    """The state of a dispute."""

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
    """The disputed member of the report, such as `NumberOfEmployees`, or plain words."""
    note: str
    """The claim, in the operator's words; readers of the report see it."""
    status: DisputeStatus
    opened: dt.date
    changed: dt.date
