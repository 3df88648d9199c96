"""A store that is out of service: it was moved to another database, or the copy to it is not complete.

Its tables then have other names, so every statement of every version fails, in running servers as well. If two stores
served copies of one family, a stolen token that is revoked in one would remain valid in the other (threats L1).
"""

from typing import Literal

import msgspec

from credence.clock import Milliseconds
from credence.errors import OperatorError
from credence.store.transfer.tables import TABLES

PREFIX = "aside_"
"""Prefix of the name of every renamed table."""

MARKER_TABLE = "put_aside"
"""The table that exists while the store is out of service; its one row has the fields of `OutOfService`."""

RENAMED_TABLES = (*(table.name for table in TABLES), "scratch")

NO_TABLE = "a table is missing, as in a store that was copied elsewhere: credence migrate tells whether this one was"
"""Appended to the database's error message in a running server."""


class OutOfService(msgspec.Struct, frozen=True):
    """Why a store is out of service."""

    copy: str
    """Random id of the move; both stores have the same."""
    role: Literal["origin", "destination"]
    other: str
    """The name of the other store, without its password."""
    at: Milliseconds


class StoreOutOfService(OperatorError):
    """The store is out of service."""

    def __init__(self, reason: OutOfService) -> None:
        if reason.role == "origin":
            super().__init__(f"This store was copied to {reason.other} and is out of service.")
        else:
            super().__init__(f"The copy from {reason.other} to this store is not complete: start it again.")


def require_in_service(reason: OutOfService | None) -> None:
    """Raise StoreOutOfService if a reason is given."""
    if reason is not None:
        raise StoreOutOfService(reason)
