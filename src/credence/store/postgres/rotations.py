"""Rotations in PostgreSQL, all that have been asked for in one statement: they share a round trip and a sync.

One statement runs at a time and takes whatever has come meanwhile, so a rotation alone waits for nobody. What it does is
`rotate_families` in the schema.
"""

import asyncio
from collections.abc import Sequence

import msgspec

from credence.clock import Milliseconds
from credence.store.contract import StoreUnavailable
from credence.store.postgres.connections import Connections
from credence.store.records import AccessTokenParameters, TokenFamily

LARGEST_GROUP = 256

_FAMILY = ", ".join(f"(family).{name}" for name in TokenFamily.__struct_fields__)
# Arrays go in their binary form (%b): written as text they cost as much as the rest of the request.
_TYPES = ("bigint", "bytea", "bigint", "bigint", "bigint", "bigint", "text", "text", "text")
_ROTATE = f"SELECT place, {_FAMILY} FROM rotate_families({', '.join(f'%b::{name}[]' for name in _TYPES)})"  # noqa: S608


class _Asked(msgspec.Struct, frozen=True):
    future: asyncio.Future[TokenFamily | None]
    values: tuple[object, ...]


class Rotations:
    """The rotations of one process."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections
        self._asked: list[_Asked] = []
        self._running: asyncio.Task[None] | None = None

    async def rotate(
        self, family_id: bytes, generation: int, parameters: AccessTokenParameters, not_before: Milliseconds
    ) -> TokenFamily | None:
        """See the contract. A caller who goes away leaves the rotation as it is."""
        future: asyncio.Future[TokenFamily | None] = asyncio.get_running_loop().create_future()
        self._asked.append(_Asked(future, (family_id, generation, not_before, *msgspec.structs.astuple(parameters))))
        if self._running is None:
            self._running = asyncio.create_task(self._run())
        return await future

    async def close(self) -> None:
        """Finish what was asked for."""
        if self._running is not None:
            await self._running

    async def _run(self) -> None:
        while self._asked:
            group, self._asked = self._asked[:LARGEST_GROUP], self._asked[LARGEST_GROUP:]
            await self._answer(group)
        self._running = None

    async def _answer(self, group: Sequence[_Asked]) -> None:
        try:
            rotated = await self._rotate(group)
        except Exception as error:  # noqa: BLE001 - whatever it is, it must not leave those who wait without an answer
            for each in group:
                if not each.future.done():
                    each.future.set_exception(_said(error))
            return
        for place, each in enumerate(group):
            if not each.future.done():
                each.future.set_result(rotated.get(place))

    async def _rotate(self, group: Sequence[_Asked]) -> dict[int, TokenFamily]:
        columns = zip(*(each.values for each in group), strict=True)
        values = (list(range(len(group))), *(list(column) for column in columns))
        return {place: TokenFamily(*family) for place, *family in await self._connections.rows(_ROTATE, values)}


def _said(error: Exception) -> Exception:
    """Return an exception for one waiter: each raises its own."""
    return StoreUnavailable(str(error))
