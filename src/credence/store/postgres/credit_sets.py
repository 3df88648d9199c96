"""Credit data in PostgreSQL: published there by one node, fetched from there by every other, and read there by no request.

A publication is one transaction, with the row that names it last: whoever looks sees the old edition or the new one, whole.
A fetch reads one snapshot, so an edition that is replaced meanwhile is still read to its end. Each has a connection of its
own, which is cut off when nothing comes of it for a while, however long the whole takes. To be awaited on a loop of its own:
files are read and written between the steps.
"""

import asyncio
import hashlib
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import LiteralString

import msgspec
from psycopg import AsyncConnection
from psycopg.conninfo import make_conninfo
from psycopg.sql import SQL, Literal

from credence.clock import thread_time
from credence.crypto.digest import sha256
from credence.crypto.randomness import random_bytes
from credence.store.contract import Conflict
from credence.store.postgres.connections import (
    DEADLINE,
    DURABLE,
    Connection,
    Row,
    answering_until,
    conninfo,
    cut,
    failures_told,
    replicated,
)

PIECE = 1_048_576
"""Octets of a file in one row."""

POLL_EVERY = 1.0
"""Seconds between two looks at what is published, for what no notice brought."""

PATIENCE = 60.0
"""Seconds for one step of a publication or a fetch, such as a piece, the removal of what was before, or the commit."""

EDITION_BYTES = 16

_LOCK = 1_129_464_131
"""The first half of the advisory locks of publications; the second is the name of the set."""

_SESSION = (
    "SELECT set_config('statement_timeout', '0', true), set_config('idle_in_transaction_session_timeout', '60s', true), "
    # Or a machine that is gone would keep everybody else from publishing for hours.
    "set_config('tcp_keepalives_idle', '20', true), set_config('tcp_keepalives_interval', '10', true), "
    "set_config('tcp_keepalives_count', '3', true)"
)
_LISTEN = "LISTEN credence_credit"
_PUBLISHED = "SELECT name, edition, entry IS NULL FROM credit_sets ORDER BY name"
_ALONE = "SELECT pg_try_advisory_xact_lock(%s, hashtext(%s))"
_EDITION = "SELECT edition FROM credit_sets WHERE name = %s"
_NAME = """
INSERT INTO credit_sets (name, edition, entry, size, digest) VALUES (%s, %s, %s, %s, %s)
ON CONFLICT (name) DO UPDATE SET edition = excluded.edition, entry = excluded.entry,
    size = excluded.size, digest = excluded.digest
"""
_DROP = "DELETE FROM credit_pieces WHERE edition = %s"
_TELL = "SELECT pg_notify('credence_credit', '')"
_SNAPSHOT = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY"
_SET = "SELECT entry, size, digest FROM credit_sets WHERE edition = %s"
_SEND = "COPY credit_pieces (edition, place, digest, data) FROM STDIN (FORMAT BINARY)"
_RECEIVE = SQL(
    "COPY (SELECT place, digest, data FROM credit_pieces WHERE edition = {} ORDER BY place) TO STDOUT (FORMAT BINARY)"
)


class Published(msgspec.Struct, frozen=True):
    """The newest edition of a data set."""

    name: str
    edition: bytes
    removed: bool


class SetDamaged(Exception):
    """What is stored of an edition is not what was published."""


class NotWritten(Exception):
    """The disk did not take the file."""


class Superseded(Exception):
    """The edition was replaced before it was fetched; the next look finds its successor."""


async def published(address: str) -> list[Published]:
    """Return what is published. StoreUnavailable when the database cannot be asked."""
    async with failures_told(), await AsyncConnection.connect(conninfo(address), autocommit=True) as connection:
        return await _published(connection)


async def follow(address: str) -> AsyncGenerator[list[Published], None]:
    """Yield what is published: at once, when somebody publishes, and every second. StoreUnavailable when that ends."""
    async with failures_told(), await AsyncConnection.connect(conninfo(address), autocommit=True) as connection:
        while True:
            yield await _published(connection)
            async for _ in connection.notifies(timeout=POLL_EVERY, stop_after=1):
                pass


async def publish(address: str, name: str, content: Path | bytes | None, entry: bytes, base: bytes) -> bytes:
    """Publish a data set with its entry of the catalogue in the place of the edition `base`; return the new edition.

    None as content says that the source was removed; an empty `base`, that nothing is published of it. Conflict when
    another edition is, or somebody publishes it now. After StoreUnavailable or Conflict nothing has changed, unless the
    answer to the commit was what got lost: then nodes fetch it like any other.
    """
    edition = random_bytes(EDITION_BYTES)
    async with _session(address) as (connection, progress):
        await connection.execute(_SESSION)
        await connection.execute(DURABLE, (True,))
        if await _one(connection, _ALONE, (_LOCK, name)) != (True,):
            raise Conflict(f"The published {name}")
        if await _one(connection, _EDITION, (name,)) != ((base,) if base else None):
            raise Conflict(f"The published {name}")
        size, digest = await _send(connection, edition, _pieces(content), progress)
        await connection.execute(_DROP, (base,))
        progress()
        await connection.execute(_NAME, (name, edition, None if content is None else entry, size, digest))
        await connection.execute(_TELL)
    return edition


async def fetch(address: str, edition: bytes, into: Path, rest: float = 0) -> bytes:
    """Write the file of an edition and return its entry of the catalogue; `rest` seconds for each of processor time.

    SetDamaged when a piece, or the whole, is not what was published; NotWritten, Superseded, StoreUnavailable.
    """
    async with _session(address) as (connection, progress):
        await connection.execute(_SNAPSHOT)
        await connection.execute(_SESSION)
        found = await _one(connection, _SET, (edition,))
        if found is None or found[0] is None:
            raise Superseded
        entry, size, digest = found
        try:
            received = await _receive(connection, edition, into, progress, rest)
        except OSError as error:
            raise NotWritten(error.strerror or str(error)) from error
        if received != (size, digest):
            raise SetDamaged("The whole is not what was published.")
    return bytes(entry)


@asynccontextmanager
async def _session(address: str) -> AsyncIterator[tuple[Connection, Callable[[], None]]]:
    """Lend a connection in a transaction, and what to call after each step. Undone by any exception."""
    loop = asyncio.get_running_loop()
    async with failures_told():
        connection = await AsyncConnection.connect(_patient(address), autocommit=True, prepare_threshold=None)
        alarm = loop.call_later(PATIENCE, cut, connection)

        def progress() -> None:
            nonlocal alarm
            alarm.cancel()
            alarm = loop.call_later(PATIENCE, cut, connection)

        try:
            async with connection, replicated(connection), connection.transaction():
                yield connection, progress
                progress()
        finally:
            alarm.cancel()


def _patient(address: str) -> str:
    """Return the address for long work: a server that writes a checkpoint takes nothing more for seconds."""
    return make_conninfo(conninfo(address), tcp_user_timeout=int(PATIENCE * 1000))


async def _published(connection: Connection) -> list[Published]:
    async with answering_until(connection, asyncio.get_running_loop().time() + DEADLINE):
        await connection.execute(_LISTEN)  # again each time: it costs nothing, and the session may be another
        rows = await (await connection.execute(_PUBLISHED)).fetchall()
    return [Published(*row) for row in rows]


async def _send(
    connection: Connection, edition: bytes, pieces: Iterator[bytes], progress: Callable[[], None]
) -> tuple[int, bytes]:
    size, whole = 0, hashlib.sha256()
    async with connection.cursor() as cursor, cursor.copy(_SEND) as copy:
        copy.set_types(["bytea", "int4", "bytea", "bytea"])
        for place, piece in enumerate(pieces):
            await copy.write_row((edition, place, sha256(piece), piece))
            size += len(piece)
            whole.update(piece)
            progress()
    return size, whole.digest()


async def _receive(
    connection: Connection, edition: bytes, into: Path, progress: Callable[[], None], rest: float
) -> tuple[int, bytes]:
    size, whole, spent = 0, hashlib.sha256(), thread_time()
    with into.open("wb") as stream:
        async with connection.cursor() as cursor, cursor.copy(_RECEIVE.format(Literal(edition))) as copy:
            copy.set_types(["int4", "bytea", "bytea"])
            expected = 0
            async for place, digest, piece in copy.rows():
                if place != expected or sha256(piece) != digest:
                    raise SetDamaged(f"Piece {expected} is not what was published.")
                stream.write(piece)
                expected += 1
                size += len(piece)
                whole.update(piece)
                progress()
                if rest:
                    await asyncio.sleep((thread_time() - spent) / 1e9 * rest)
                    spent = thread_time()
    return size, whole.digest()


def _pieces(content: Path | bytes | None) -> Iterator[bytes]:
    if isinstance(content, Path):
        with content.open("rb") as stream:
            while piece := stream.read(PIECE):
                yield piece
    elif content:
        yield content


async def _one(connection: Connection, statement: LiteralString, values: tuple[object, ...]) -> Row | None:
    return await (await connection.execute(statement, values)).fetchone()
