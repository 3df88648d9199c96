"""The newest refusals of all nodes in a shared store: each node can explain the answers of the others.

They are copies. The trail of each node has every refusal for longer (`telemetry/audit.py`).
"""

from collections.abc import Sequence

import msgspec

from credence.clock import Milliseconds
from credence.store.statements import Act, Add, Statements, do

MAX_ROWS = 100_000
"""Refusals that are kept, about 100 MB; each batch deletes the oldest beyond them."""

PAGE_ROWS = 2_000
"""Refusals in one page of a search."""


class SharedRefusal(msgspec.Struct, frozen=True):
    """One refusal, as in the audit trail of its node."""

    request_id: str
    node: str
    at: Milliseconds
    """When the refusal was written to the store."""
    line: bytes


_NOT_SYNCED = do("SET LOCAL synchronous_commit = off")
_TYPES = {"request_id": "text", "node": "text", "at": "bigint", "line": "bytea"}
# One node deletes at a time, so that no two wait for each other's rows.
_TRIM = (
    "DELETE FROM refusals WHERE number <= (SELECT max(number) FROM refusals) - :max_rows "
    "AND (SELECT pg_try_advisory_xact_lock(7308328431934137201))"
)
_OF_REQUEST = "SELECT request_id, node, at, line FROM refusals WHERE request_id = :request_id"
_PAGE = (
    "SELECT number, request_id, node, at, line FROM refusals WHERE number < coalesce(:before, 9223372036854775807) "
    "ORDER BY number DESC LIMIT :most"
)


class SharedRefusals(Statements):
    """The stored refusals of all nodes. Every method raises StoreUnavailable."""

    async def add(self, refusals: Sequence[SharedRefusal], max_rows: int = MAX_ROWS) -> None:
        """Add the refusals, at most 500 per call, and delete the oldest beyond `max_rows`.

        A refusal whose request is stored already is left out. The call does not wait for the disk: a crash of the database
        may lose the last ones.
        """

        def adding() -> Act[None]:
            yield _NOT_SYNCED
            yield Add("refusals", _TYPES, [msgspec.structs.astuple(each) for each in refusals])
            yield do(_TRIM, max_rows=max_rows)

        await self._transact(adding)

    async def of_request(self, request_id: str) -> SharedRefusal | None:
        """Return the refusal of the request with this id."""
        rows = await self._rows(_OF_REQUEST, request_id=request_id)
        return SharedRefusal(*rows[0]) if rows else None

    async def page(self, before: int | None = None) -> tuple[list[SharedRefusal], int | None]:
        """Return at most `PAGE_ROWS` refusals, the newest first, and the `before` of the next page, None at the end."""
        rows = await self._rows(_PAGE, before=before, most=PAGE_ROWS)
        return [SharedRefusal(*row[1:]) for row in rows], rows[-1][0] if len(rows) == PAGE_ROWS else None
