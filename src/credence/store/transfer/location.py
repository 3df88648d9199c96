"""A whole store in one transaction: how commands read it, fill it and put it aside, past the contract of a service."""

from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager
from typing import Protocol

from credence.store.transfer.out_of_service import OutOfService
from credence.store.transfer.parts import Part, Row


class StoreTransaction(Protocol):
    """One store as one transaction sees it."""

    def is_empty(self) -> bool:
        """Tell whether no part has a row."""

    def rows(self, part: Part) -> Iterator[Row]:
        """Yield the rows of a part in the order of its key, which is the same in every database."""

    def write(self, part: Part, rows: Iterable[Row]) -> None:
        """Add rows to a part."""

    def clear(self) -> None:
        """Delete every row of every part."""

    def numbers(self) -> tuple[int, int]:
        """Return the sequence of the last change that was logged, and the number of the last status block."""

    def start_after(self, log: int, blocks: int) -> None:
        """Let the next change and the next status block come after these numbers."""

    def aside(self) -> OutOfService | None:
        """Return why the store serves nobody, None when it may serve."""

    def put_out_of_service(self, aside: OutOfService) -> None:
        """Let the store serve nobody from the commit on."""

    def return_to_service(self) -> None:
        """Let it serve again."""


class StoreLocation(Protocol):
    """Where a store lies, or is to lie."""

    @property
    def name(self) -> str:
        """What it is called in messages: nothing secret."""

    def snapshot(self) -> AbstractContextManager[StoreTransaction]:
        """Open the store for reading as it is at this instant, while others write.

        StoreUnavailable when it cannot be, StorePutAside when it serves nobody.
        """

    def exclusive(self, *, create: bool = False) -> AbstractContextManager[StoreTransaction]:
        """Open the store so that nobody else writes; commit at the end, whole or not at all. `make` it where there is none.

        StoreUnavailable when that cannot be done: nothing was written then.
        """
