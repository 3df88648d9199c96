"""Rotations in PostgreSQL: concurrent ones run in one statement and share a round trip and a disk sync.

One statement runs at a time and takes all rotations that arrived meanwhile, so a single rotation does not wait for others.
The statement calls `rotate_families_bound` of the schema.
"""

import asyncio
from collections.abc import Sequence

import msgspec

from credence.clock import Milliseconds
from credence.store.contract import StoreUnavailable
from credence.store.postgres.connections import Connections
from credence.store.records import AccessTokenParameters, TokenFamily

MAX_GROUP = 256

_FAMILY = ", ".join(f"(family).{name}" for name in TokenFamily.__struct_fields__)
_TYPES = {
    "place": "bigint",  # in the group
    "family_id": "bytea",
    "generation": "bigint",
    "not_before": "bigint",
    "issued_at": "bigint",  # from here on the members of AccessTokenParameters, in their order
    "expires_in": "bigint",
    "kid": "text",
    "narrowed": "text",
    "confirmation": "text",
}
"""The arguments of the database function. They are sent as binary arrays (%b): text would cost as much as all the rest."""

_ROTATE = (
    # S608: both parts are constants of this file and of the table.
    f"SELECT place, {_FAMILY} FROM rotate_families_bound({', '.join(f'%b::{name}[]' for name in _TYPES.values())})"  # noqa: S608 - constants
)


class _Pending(msgspec.Struct, frozen=True):
    future: asyncio.Future[TokenFamily | None]
    values: tuple[object, ...]


class Rotations:
    """Groups the rotations of one process."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections
        self._pending: list[_Pending] = []
        self._running: asyncio.Task[None] | None = None

    async def rotate(
        self, family_id: bytes, generation: int, parameters: AccessTokenParameters, not_before: Milliseconds
    ) -> TokenFamily | None:
        """See `Store.rotate`. The rotation is completed even if its caller is cancelled."""
        future: asyncio.Future[TokenFamily | None] = asyncio.get_running_loop().create_future()
        self._pending.append(
            _Pending(future, (family_id, generation, not_before, *msgspec.structs.astuple(parameters)))
        )
        if self._running is None:
            self._running = asyncio.create_task(self._run())
        return await future

    async def close(self) -> None:
        """Finish the pending rotations."""
        if self._running is not None:
            await self._running

    async def _run(self) -> None:
        while self._pending:
            group, self._pending = self._pending[:MAX_GROUP], self._pending[MAX_GROUP:]
            await self._answer(group)
        self._running = None

    async def _answer(self, group: Sequence[_Pending]) -> None:
        try:
            rotated = await self._rotate(group)
        except Exception as error:  # noqa: BLE001 - every waiting caller needs an answer
            for each in group:
                if not each.future.done():
                    each.future.set_exception(StoreUnavailable(str(error)))  # one object for each waiter
            return
        for place, each in enumerate(group):
            if not each.future.done():
                each.future.set_result(rotated.get(place))

    async def _rotate(self, group: Sequence[_Pending]) -> dict[int, TokenFamily]:
        columns = zip(*(each.values for each in group), strict=True)
        values = (list(range(len(group))), *(list(column) for column in columns))
        return {place: TokenFamily(*family) for place, *family in await self._connections.rows(_ROTATE, values)}
