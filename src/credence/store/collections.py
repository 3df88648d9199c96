"""Collections of versioned documents: a table with one JSON document a row, declared once and the same in each database.

A write is optimistic: a document is stored if the stored version is the one before its own, or none for version 1. What
else belongs to a document, such as the readers of a portfolio, is stored in the same transaction by its collection.
A write that is made from what was read is repeated after each concurrent change (threats E10).
"""

from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Any, Final, Generic, Protocol, TypeVar

import msgspec

from credence.clock import Milliseconds
from credence.store.change_log import CHANGE_NOTICE_MS
from credence.store.errors import Conflict, Full, StoreDamaged
from credence.store.records import ChangeKind
from credence.store.statements import Act, Log, Pair, Statement, Statements, Step, Turn, do

EVERY = 1 << 62
"""More rows than a table has."""


class Document(Protocol):
    """A record of a collection."""

    @property
    def version(self) -> int:
        """1 for the first one stored."""


D = TypeVar("D", bound=Document)


def _nothing(_document: Any, _at: Milliseconds) -> Act[None]:
    yield from ()


class Collection(msgspec.Struct, Generic[D], frozen=True, kw_only=True, eq=False):
    """The documents of one type."""

    table: str
    type: type[D]
    key: str = "id"
    """The field, and column, whose value names a document."""
    columns: tuple[str, ...] = ()
    """Further fields that are columns."""
    owned: Statement = ""
    """The condition on the documents that `:owner` has: those that `owned` lists, and that are counted against a maximum."""
    logged: ChangeKind | None = None
    """The kind of the entry that each change adds to the change log."""
    saving: Callable[[D, Milliseconds], Act[None]] = _nothing
    """What is stored with a document, before it."""
    deleting: Callable[[D, Milliseconds], Act[None]] = _nothing
    """What is deleted with a document, after it."""


class Collections(Statements):
    """The part of a store that has collections."""

    async def get(self, collection: Collection[D], key: str) -> D | None:
        """Return the document with exactly this key."""
        rows = await self._rows(f"SELECT document FROM {collection.table} WHERE {collection.key} = :key", key=key)  # noqa: S608 - constants, here and below
        return _decoded(collection, rows[0][0]) if rows else None

    async def some(self, collection: Collection[D], keys: Sequence[str]) -> list[D]:
        """Return the existing documents with these keys, at most a thousand, in any order."""
        statement = f"SELECT document FROM {collection.table} WHERE {collection.key} = ANY(:keys::text[])"  # noqa: S608 - constants
        return [_decoded(collection, each) for (each,) in await self._rows(statement, keys=list(keys))]

    async def page(self, collection: Collection[D], after: str = "", limit: int | None = None) -> list[D]:
        """Return the documents with keys above `after`, ordered by key: all, or at most `limit` of them."""
        statement = (
            f"SELECT document FROM {collection.table} WHERE {collection.key} > :after "  # noqa: S608 - constants
            f"ORDER BY {collection.key} LIMIT :limit"
        )
        rows = await self._rows(statement, after=after, limit=EVERY if limit is None else limit)
        return [_decoded(collection, each) for (each,) in rows]

    async def owned(self, collection: Collection[D], owner: str, after: str = "", limit: int | None = None) -> list[D]:
        """Return the documents that an owner has, as `page` does."""
        key = collection.key
        statement = _of_owner(collection, "document", f" AND {key} > :after ORDER BY {key} LIMIT :limit")
        rows = await self._rows(statement, owner=owner, after=after, limit=EVERY if limit is None else limit)
        return [_decoded(collection, each) for (each,) in rows]

    async def save(
        self,
        collection: Collection[D],
        document: D,
        at: Milliseconds = 0,
        *,
        most: int | None = None,
        also: Iterable[Step] = (),
    ) -> None:
        """Store a document if the stored version is the one before its own (or none and its own is 1), and log it.

        The steps `also` belong to the same transaction. Raises Conflict; Full if its owner would have more than `most`
        documents then.
        """
        await self._transact(saving, collection, document, at, most, tuple(also))

    async def delete(self, collection: Collection[D], document: D, at: Milliseconds = 0) -> None:
        """Delete a document if the stored version is this one; raises Conflict."""
        await self._transact(_deleting, collection, document, at)

    async def change(
        self,
        collection: Collection[D],
        key: str,
        change: Callable[[D], D | None],
        at: Milliseconds = 0,
        also: Callable[[D], Iterable[Step]] = lambda _: (),
    ) -> D | None:
        """Store what `change` makes of a document, again after each concurrent change, and return it.

        None if there is no such document, or `change` returns None or the document itself. `change` leaves the version as
        it is. Raises Conflict after several attempts (`conflicts.py`).
        """

        async def attempt() -> D | None:
            kept = await self.get(collection, key)
            new = None if kept is None else change(kept)
            if kept is None or new is None or new == kept:
                return None
            new = msgspec.structs.replace(new, version=kept.version + 1)  # type: ignore[type-var]  # D is a struct
            await self.save(collection, new, at, also=also(new))
            return new

        return await repeated(attempt)


def saving(
    collection: Collection[D], document: D, at: Milliseconds, most: int | None = None, also: Sequence[Step] = ()
) -> Act[None]:
    """Store a document (see `Collections.save`)."""
    key, owner = getattr(document, collection.key), getattr(document, "owner", "")
    values = {name: getattr(document, name) for name in (collection.key, *collection.columns, "version")}
    values["document"] = msgspec.json.encode(document)
    if most is not None:
        yield Turn(owner)
    yield from collection.saving(document, at)
    if not (yield do(_insertion(collection) if document.version == 1 else _update(collection), **values)):
        raise Conflict(key)
    if most is not None:
        ((count,),) = yield do(_of_owner(collection, "count(*)"), owner=owner)
        if count > most:
            raise Full(owner)
    for step in also:  # noqa: UP028 - a sequence takes no rows
        yield step
    if collection.logged is not None:
        yield Log(collection.logged, [(key, at + CHANGE_NOTICE_MS)])


def _deleting(collection: Collection[D], document: D, at: Milliseconds) -> Act[None]:
    key = getattr(document, collection.key)
    statement = f"DELETE FROM {collection.table} WHERE {collection.key} = :key AND version = :version RETURNING 1"  # noqa: S608 - constants
    if not (yield do(statement, key=key, version=document.version)):
        raise Conflict(key)
    yield from collection.deleting(document, at)


def _insertion(collection: Collection[D]) -> str:
    names = (collection.key, *collection.columns, "version", "document")
    places = ", ".join(f":{name}" for name in names)
    return f"INSERT INTO {collection.table} ({', '.join(names)}) VALUES ({places}) ON CONFLICT DO NOTHING RETURNING 1"  # noqa: S608 - constants


def _update(collection: Collection[D]) -> str:
    changes = ", ".join(f"{name} = :{name}" for name in (*collection.columns, "version", "document"))
    where = f"{collection.key} = :{collection.key} AND version = :version - 1"
    return f"UPDATE {collection.table} SET {changes} WHERE {where} RETURNING 1"  # noqa: S608 - constants


def _of_owner(collection: Collection[D], selected: str, rest: str = "") -> Statement:
    def statement(condition: str) -> str:
        return f"SELECT {selected} FROM {collection.table} WHERE {condition}{rest}"  # noqa: S608 - constants

    owned = collection.owned
    return Pair(*map(statement, owned)) if isinstance(owned, Pair) else statement(owned)


def _decoded(collection: Collection[D], document: bytes) -> D:
    """Return the record in a document; StoreDamaged if it is unreadable."""
    try:
        return msgspec.json.decode(document, type=collection.type)
    except (msgspec.DecodeError, UnicodeDecodeError, TypeError) as error:
        raise StoreDamaged(f"a document cannot be read: {error}") from error


ATTEMPTS: Final = 5
"""How often a write is tried; each failure is a concurrent change."""

T = TypeVar("T")


async def repeated(attempt: Callable[[], Awaitable[T]]) -> T:
    """Return what `attempt`, which reads and writes, returns; it is called again after each Conflict.

    Raises the Conflict of the last of `ATTEMPTS` attempts.
    """
    for _ in range(ATTEMPTS - 1):
        try:
            return await attempt()
        except Conflict:
            continue
    return await attempt()
