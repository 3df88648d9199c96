"""A store that serves nobody: it was copied to another place, or the copy to it is not finished.

Its tables have other names then, so every statement of every version fails, also in a server that is running: two stores
that both issued from one family would let a stolen token live on in the other (threats L1).
"""

from typing import Literal

import msgspec

from credence.clock import Milliseconds
from credence.errors import OperatorError
from credence.store.transfer.parts import PARTS

PREFIX = "aside_"
"""Stands before the name of every table that is put aside."""

TABLE = "put_aside"
"""Holds one row with the fields of `OutOfService` while the store is."""

TABLES = (*(part.table for part in PARTS), "scratch")
"""What is put aside."""

NO_TABLE = "a table is missing, as in a store that was copied elsewhere: credence migrate tells whether this one was"
"""What a running server says beside the words of its database."""


class OutOfService(msgspec.Struct, frozen=True):
    """Why a store serves nobody."""

    copy: str
    """The same in both stores of one copy."""
    role: Literal["origin", "destination"]
    other: str
    """The other store, without its password."""
    at: Milliseconds


class StoreOutOfService(OperatorError):
    """The store serves nobody."""

    def __init__(self, aside: OutOfService) -> None:
        if aside.role == "origin":
            super().__init__(f"This store was copied to {aside.other} and serves no more.")
        else:
            super().__init__(f"The copy from {aside.other} to this store is not finished: begin it again.")
        self.aside = aside


def require_in_service(aside: OutOfService | None) -> None:
    """Raise StorePutAside when there is a reason why the store serves nobody."""
    if aside is not None:
        raise StoreOutOfService(aside)
