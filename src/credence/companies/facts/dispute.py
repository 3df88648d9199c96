"""A dispute: somebody says that a figure or a fact about a company is wrong, and it is looked into (credit §10)."""

import datetime as dt
from enum import StrEnum

import msgspec


class DisputeStatus(StrEnum):
    """How far a dispute has come."""

    OPEN = "open"
    REVIEWING = "reviewing"
    SENT = "sent"
    """Sent to the source, which alone can correct its register; disputed until it has answered."""
    CORRECTED = "corrected"
    UPHELD = "upheld"
    """Looked into, and what was said stands."""

    @property
    def closed(self) -> bool:
        """Whether reports have stopped carrying it."""
        return self in {DisputeStatus.CORRECTED, DisputeStatus.UPHELD}


class Dispute(msgspec.Struct, frozen=True):
    """One dispute; a company has at most one for each field."""

    field: str
    """What is disputed, a member of the report or plain words, such as `NumberOfEmployees`."""
    note: str
    """What is said about it, as the operator wrote it down; readers of the report see it."""
    status: DisputeStatus
    opened: dt.date
    changed: dt.date
