"""A store is moved to another place, whatever database either is: every row goes over, and one of the two serves (§6).

Nobody writes to the origin meanwhile. At no moment may both serve, or what was ended in one would live on in the other, so
three commits follow one another: the destination is whole but put aside, the origin is put aside, the destination serves.
After a break between two of them the same move goes on where it was, or begins again.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping

import msgspec

from credence.clock import Milliseconds
from credence.crypto.digest import sha256
from credence.errors import OperatorError
from credence.store.contract import StoreUnavailable
from credence.store.transfer.location import StoreLocation, StoreTransaction
from credence.store.transfer.out_of_service import OutOfService, StoreOutOfService
from credence.store.transfer.parts import PARTS, SECRETS, Part, Row

_encode = msgspec.json.Encoder().encode


class NotEmpty(OperatorError):
    """There is something where a store is to be written."""


def move(
    origin: StoreLocation,
    destination: StoreLocation,
    check: Callable[[Mapping[str, bytes]], None],
    copy: str,
    at: Milliseconds,
) -> dict[str, int]:
    """Move the store and return the number of rows of each table; `check` looks at the sealed secrets and may raise.

    NotEmpty when the destination holds anything, StorePutAside when either was moved away before, StoreUnavailable when
    one of them fails. The origin then serves as before, unless the copy was whole: the same command goes on from there.
    """
    with origin.exclusive() as here:
        with destination.exclusive(create=True) as there:
            left, arriving = here.aside(), there.aside()
            if left is None:
                _make_room(there, arriving, origin.name, destination.name)
                check(dict(here.rows(SECRETS)))
                counts = {part.table: _carry_over(part, here, there) for part in PARTS}
                there.start_after(*here.numbers())
                there.put_out_of_service(OutOfService(copy, "destination", origin.name, at))
            elif arriving is None or arriving.copy != left.copy:
                raise StoreOutOfService(left)
        if left is None:
            here.put_out_of_service(OutOfService(copy, "origin", destination.name, at))
    with destination.exclusive() as there:
        there.return_to_service()
        return {part.table: sum(1 for _ in there.rows(part)) for part in PARTS} if left else counts


def require_empty(whole: StoreTransaction, name: str) -> None:
    """Raise NotEmpty unless nothing is there."""
    if not whole.is_empty():
        raise NotEmpty(f"There is a store in {name} already: name an empty place.")


def _make_room(there: StoreTransaction, arriving: OutOfService | None, origin: str, name: str) -> None:
    """See that the destination is empty; what an earlier move from the same origin left half way serves nobody, and goes."""
    if arriving is not None:
        if arriving.role == "origin" or arriving.other != origin:
            raise StoreOutOfService(arriving)
        there.return_to_service()
        there.clear()
    require_empty(there, name)


def _carry_over(part: Part, here: StoreTransaction, there: StoreTransaction) -> int:
    """Copy one part and return the number of its rows, which are read again from where they were written."""
    sent, kept = _Sum(), _Sum()
    there.write(part, sent.over(here.rows(part)))
    for _ in kept.over(there.rows(part)):
        pass
    if (sent.rows, sent.digest) != (kept.rows, kept.digest):
        raise StoreUnavailable(f"{part.table} did not arrive as they were sent")
    return kept.rows


class _Sum:
    """The number of rows that went by, and a digest of them all in their order."""

    def __init__(self) -> None:
        self.rows, self.digest = 0, b""

    def over(self, rows: Iterable[Row]) -> Iterator[Row]:
        for row in rows:
            self.rows, self.digest = self.rows + 1, sha256(self.digest + _encode(row))
            yield row
