"""Moves a store to another database of either kind: copies every row, after which only the new store serves (threats §6).

No process may write to the origin meanwhile, and at no moment may both stores serve: a family ended in one would remain
valid in the other. So there are three commits: the destination is complete but out of service; the origin goes out of
service; the destination goes into service. After a failure between them the same command continues or starts again.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping

import msgspec

from credence.clock import Milliseconds
from credence.crypto.digest import sha256
from credence.errors import OperatorError
from credence.store.contract import StoreUnavailable
from credence.store.transfer.location import StoreLocation, StoreTransaction
from credence.store.transfer.out_of_service import OutOfService, StoreOutOfService
from credence.store.transfer.tables import SECRETS, TABLES, Row, StoreTable

_encode = msgspec.json.Encoder().encode


class NotEmpty(OperatorError):
    """The destination already contains a store."""


def move(
    origin: StoreLocation,
    destination: StoreLocation,
    check: Callable[[Mapping[str, bytes]], None],
    move_id: str,
    at: Milliseconds,
) -> dict[str, int]:
    """Move the store and return the number of rows of each table.

    `check` gets the sealed secrets and may raise; `move_id` is a random id of this move. Raises NotEmpty if the destination
    contains anything, StoreOutOfService if either store was moved before, StoreUnavailable if either fails. The origin then
    serves as before, unless the copy was complete: the same command continues from there.
    """
    with origin.exclusive() as here:
        with destination.exclusive(create=True) as there:
            origin_state, destination_state = here.out_of_service(), there.out_of_service()
            if origin_state is None:
                _empty(there, destination_state, origin.name, destination.name)
                check(dict(here.rows(SECRETS)))
                counts = {table.name: _copy(table, here, there) for table in TABLES}
                there.start_after(*here.last_numbers())
                there.put_out_of_service(OutOfService(move_id, "destination", origin.name, at))
            elif destination_state is None or destination_state.copy != origin_state.copy:
                raise StoreOutOfService(origin_state)
        if origin_state is None:
            here.put_out_of_service(OutOfService(move_id, "origin", destination.name, at))
    with destination.exclusive() as there:
        there.return_to_service()
        return {table.name: sum(1 for _ in there.rows(table)) for table in TABLES} if origin_state else counts


def require_empty(transaction: StoreTransaction, name: str) -> None:
    """Raise NotEmpty unless the store has no rows."""
    if not transaction.is_empty():
        raise NotEmpty(f"There is a store in {name} already: name an empty place.")


def _empty(there: StoreTransaction, destination_state: OutOfService | None, origin: str, name: str) -> None:
    """Require an empty destination, after deleting the incomplete copy of an earlier move from the same origin."""
    if destination_state is not None:
        if destination_state.role == "origin" or destination_state.other != origin:
            raise StoreOutOfService(destination_state)
        there.return_to_service()
        there.clear()
    require_empty(there, name)


def _copy(table: StoreTable, here: StoreTransaction, there: StoreTransaction) -> int:
    """Copy one table, read it back from the destination, compare, and return the number of rows."""
    sent, stored = _Checksum(), _Checksum()
    there.write(table, sent.over(here.rows(table)))
    for _ in stored.over(there.rows(table)):
        pass
    if (sent.rows, sent.digest) != (stored.rows, stored.digest):
        raise StoreUnavailable(f"the rows of {table.name} differ from those sent")
    return stored.rows


class _Checksum:
    """The number of the rows passed through, and a digest of them in order."""

    def __init__(self) -> None:
        self.rows, self.digest = 0, b""

    def over(self, rows: Iterable[Row]) -> Iterator[Row]:
        for row in rows:
            self.rows, self.digest = self.rows + 1, sha256(self.digest + _encode(row))
            yield row
