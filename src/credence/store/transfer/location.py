"""A whole store in one transaction: how commands copy, fill and retire it. A server uses `store/contract.py` instead."""

from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager
from typing import Protocol

from credence.store.transfer.out_of_service import OutOfService
from credence.store.transfer.tables import Row, StoreTable


class StoreTransaction(Protocol):
    """One transaction on a store."""

    def is_empty(self) -> bool:
        """Return whether no table has a row."""

    def rows(self, table: StoreTable) -> Iterator[Row]:
        """Yield the rows of a table in the order of its primary key, which is the same in every database."""

    def write(self, table: StoreTable, rows: Iterable[Row]) -> None:
        """Insert rows into a table."""

    def clear(self) -> None:
        """Delete every row of every table."""

    def last_numbers(self) -> tuple[int, int]:
        """Return the last used sequence of the change log and the last used number of a status block."""

    def start_after(self, log: int, blocks: int) -> None:
        """Number the next change and the next status block after these two numbers."""

    def out_of_service(self) -> OutOfService | None:
        """Return why the store is out of service, or None."""

    def put_out_of_service(self, reason: OutOfService) -> None:
        """Take the store out of service with the commit."""

    def return_to_service(self) -> None:
        """Put the store back into service with the commit."""


class StoreLocation(Protocol):
    """A database that contains a store, or is to contain one."""

    @property
    def name(self) -> str:
        """The name in messages, without secrets."""

    def snapshot(self) -> AbstractContextManager[StoreTransaction]:
        """Open the store for reading as of this instant, while others write.

        Raises StoreUnavailable, and StoreOutOfService if the store is out of service.
        """

    def exclusive(self, *, create: bool = False) -> AbstractContextManager[StoreTransaction]:
        """Open the store while no other process can write. Commits at the end of the block; an exception rolls back.

        With `create` a missing schema is created. Raises StoreUnavailable, having written nothing.
        """
