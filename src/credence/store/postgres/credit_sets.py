"""Credit data in PostgreSQL: one node publishes a data set, every other node fetches it. No request reads it there.

A publication is one transaction that writes the row with its name last: readers see the old edition or the new one,
complete. A fetch reads one snapshot, so it can finish reading an edition that is replaced meanwhile. Each uses its own
connection, which is closed when a step takes too long, however long the whole takes. Run these on an event loop of their
own: they read and write files between the steps.
"""

import asyncio
import hashlib
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import LiteralString, NamedTuple

import msgspec
from psycopg import AsyncConnection
from psycopg.conninfo import make_conninfo
from psycopg.sql import SQL, Literal

from credence.clock import thread_time
from credence.crypto.digest import sha256
from credence.crypto.randomness import random_bytes
from credence.store.contract import Conflict
from credence.store.postgres.connections import (
    DEADLINE_SECONDS,
    DURABLE,
    Connection,
    Row,
    answering_until,
    conninfo,
    cut,
    replicated,
    translate_errors,
)

PIECE_BYTES = 1_048_576
"""The bytes of a file that one row holds, at most."""

POLL_SECONDS = 1.0
"""The interval between two queries of the published sets, which find publications whose notice was lost."""

STEP_SECONDS = 60.0
"""The deadline of one step of a publication or a fetch: a piece, the deletion of the previous edition, or the commit."""

EDITION_BYTES = 16

_LOCK = 1_129_464_131
"""The advisory lock of the last step of publications, and with the name of the set that of one publication."""

_SESSION = (
    "SELECT set_config('statement_timeout', '0', true), set_config('idle_in_transaction_session_timeout', '60s', true), "
    # Otherwise a machine that disappeared would block all publications for hours.
    "set_config('tcp_keepalives_idle', '20', true), set_config('tcp_keepalives_interval', '10', true), "
    "set_config('tcp_keepalives_count', '3', true)"
)
_LISTEN = "LISTEN credence_credit"
_PUBLISHED = "SELECT name, edition, entry IS NULL FROM credit_sets ORDER BY name"
_TRY_LOCK = "SELECT pg_try_advisory_xact_lock(%s, hashtext(%s))"
_EDITION = "SELECT edition FROM credit_sets WHERE name = %s"
_NAME = """
INSERT INTO credit_sets (name, edition, entry, size, digest) VALUES (%s, %s, %s, %s, %s)
ON CONFLICT (name) DO UPDATE SET edition = excluded.edition, entry = excluded.entry,
    size = excluded.size, digest = excluded.digest
"""
_DROP = "DELETE FROM credit_pieces WHERE edition = %s"
_TAKE_TURN = "SELECT pg_advisory_xact_lock(%s)"
_CONTENT = """
SELECT data FROM credit_sets JOIN credit_pieces USING (edition) WHERE name = %s ORDER BY place
"""
_NOTIFY = "SELECT pg_notify('credence_credit', '')"
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


class Condition(NamedTuple):
    """A check of another, small set at the moment at which a set becomes current."""

    name: str
    """The name of the other set."""
    require: Callable[[bytes], None]
    """Takes its published content, empty if it is not published. Its error undoes the publication."""


class SetDamaged(Exception):
    """The stored edition differs from the published one."""


class NotWritten(Exception):
    """The file could not be written."""


class Superseded(Exception):
    """The edition was replaced before it was fetched. The next query returns its successor."""


async def published(address: str) -> list[Published]:
    """Return the published editions. StoreUnavailable if the database does not answer."""
    async with translate_errors(), await AsyncConnection.connect(conninfo(address), autocommit=True) as connection:
        return await _published(connection)


async def follow(address: str) -> AsyncGenerator[list[Published], None]:
    """Yield the published editions: at once, after each publication, and every second. Ends with StoreUnavailable."""
    async with translate_errors(), await AsyncConnection.connect(conninfo(address), autocommit=True) as connection:
        while True:
            yield await _published(connection)
            async for _ in connection.notifies(timeout=POLL_SECONDS, stop_after=1):
                pass


async def publish(
    address: str, name: str, content: Path | bytes | None, entry: bytes, base: bytes, condition: Condition | None = None
) -> bytes:
    """Publish a data set and its catalogue entry, replacing the edition `base`; return the new edition.

    `content` None means that the source was removed; an empty `base` means that the source has no published edition. Sets
    become current in turn, so the set of the `condition` cannot change before this one is current. Raises Conflict
    if another edition is published, or is being published; the errors of the `condition`. After these and StoreUnavailable
    nothing has changed, unless only the answer to the commit was lost: then nodes fetch the edition like any other.
    """
    edition = random_bytes(EDITION_BYTES)
    async with _session(address) as (connection, progress):
        await connection.execute(_SESSION)
        await connection.execute(DURABLE, (True,))
        if await _one(connection, _TRY_LOCK, (_LOCK, name)) != (True,):
            raise Conflict(f"The published {name}")
        if await _one(connection, _EDITION, (name,)) != ((base,) if base else None):
            raise Conflict(f"The published {name}")
        size, digest = await _send(connection, edition, _pieces(content), progress)
        await connection.execute(_DROP, (base,))
        progress()
        await connection.execute(_TAKE_TURN, (_LOCK,))
        if condition is not None:
            pieces = await connection.execute(_CONTENT, (condition.name,))
            condition.require(b"".join([bytes(piece) for (piece,) in await pieces.fetchall()]))
        await connection.execute(_NAME, (name, edition, None if content is None else entry, size, digest))
        await connection.execute(_NOTIFY)
    return edition


async def fetch(address: str, edition: bytes, into: Path, rest: float = 0) -> bytes:
    """Write the file of an edition to `into` and return its catalogue entry. Sleeps `rest` seconds for each second of CPU
    time.

    Raises SetDamaged if a piece or the whole differs from what was published; NotWritten, Superseded, StoreUnavailable.
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
            raise SetDamaged("The whole differs from what was published.")
    return bytes(entry)


@asynccontextmanager
async def _session(address: str) -> AsyncIterator[tuple[Connection, Callable[[], None]]]:
    """Open a connection in a transaction; yield it and the function to call after each step. Any exception rolls back."""
    loop = asyncio.get_running_loop()
    async with translate_errors():
        connection = await AsyncConnection.connect(_long_timeout(address), autocommit=True, prepare_threshold=None)
        alarm = loop.call_later(STEP_SECONDS, cut, connection)

        def progress() -> None:
            nonlocal alarm
            alarm.cancel()
            alarm = loop.call_later(STEP_SECONDS, cut, connection)

        try:
            async with connection, replicated(connection), connection.transaction():
                yield connection, progress
                progress()
        finally:
            alarm.cancel()


def _long_timeout(address: str) -> str:
    """Return the address with a long TCP timeout: a server may not read for seconds while it writes a checkpoint."""
    return make_conninfo(conninfo(address), tcp_user_timeout=int(STEP_SECONDS * 1000))


async def _published(connection: Connection) -> list[Published]:
    async with answering_until(connection, asyncio.get_running_loop().time() + DEADLINE_SECONDS):
        await connection.execute(_LISTEN)  # every time: it is cheap, and a pooler may have changed the session
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
                    raise SetDamaged(f"Piece {expected} differs from what was published.")
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
            while piece := stream.read(PIECE_BYTES):
                yield piece
    elif content:
        yield content


async def _one(connection: Connection, statement: LiteralString, values: tuple[object, ...]) -> Row | None:
    return await (await connection.execute(statement, values)).fetchone()
