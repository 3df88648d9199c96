"""The work that an answer cannot do without, each as small as it can be: signatures, durable commits, a look-up, encoding.

Nothing here is of Credence, so that a faster Credence does not move its own floor.
"""

import asyncio
import queue
import sqlite3
import threading
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path

import msgspec
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
from cryptography.hazmat.primitives.hashes import SHA256

Work = Callable[[bytes], Awaitable[None]]
"""Given the body of the request."""

SIGNED_OCTETS = 600
"""The signing input of an access token, about."""

ROWS = 1_000
ROW_OCTETS = 250
MAX_GROUP = 256
"""Of the commits, as in Credence."""


def sign_es256(answer: bytes, _folder: Path) -> Work:
    """One P-256 signature with a deterministic nonce (RFC 6979), which a repeated answer needs."""
    key, scheme = ec.generate_private_key(ec.SECP256R1()), ec.ECDSA(SHA256(), deterministic_signing=True)
    data = answer[:SIGNED_OCTETS].ljust(SIGNED_OCTETS)

    async def work(_body: bytes) -> None:
        key.sign(data, scheme)

    return work


def sign_rs256(answer: bytes, _folder: Path) -> Work:
    """One signature with a key of 2,048 bits."""
    key = rsa.generate_private_key(public_exponent=65_537, key_size=2_048)
    scheme, digest = padding.PKCS1v15(), SHA256()
    data = answer[:SIGNED_OCTETS].ljust(SIGNED_OCTETS)

    async def work(_body: bytes) -> None:
        key.sign(data, scheme, digest)

    return work


def look_up(_answer: bytes, _folder: Path) -> Work:
    """The token of the form, found in a dictionary."""
    known: dict[bytes, bool] = {}

    async def work(body: bytes) -> None:
        token = body.partition(b"token=")[2]
        if token not in known:
            known[token] = True

    return work


def encode(answer: bytes, _folder: Path) -> Work:
    """The answer, encoded as JSON from its values."""
    values = msgspec.json.decode(answer)

    async def work(_body: bytes) -> None:
        msgspec.json.encode(values)

    return work


def commit(_answer: bytes, folder: Path) -> Work:
    """One row of a SQLite file changed, durable; all that wait together share a commit."""
    commits = _Commits(folder / "floor.sqlite")

    async def work(_body: bytes) -> None:
        await commits.next()

    return work


class _Commits:
    """A thread that commits what has come meanwhile. It ends with the process."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._batch: list[asyncio.Future[None]] = []
        self._queue: queue.SimpleQueue[list[asyncio.Future[None]]] = queue.SimpleQueue()
        threading.Thread(target=self._serve, daemon=True).start()

    def next(self) -> asyncio.Future[None]:
        """Return what is done when one more row has been changed."""
        loop = asyncio.get_running_loop()
        if not self._batch:
            loop.call_soon(self._hand_over)
        future = loop.create_future()
        self._batch.append(future)
        return future

    def _hand_over(self) -> None:
        self._queue.put(self._batch)
        self._batch = []

    def _serve(self) -> None:
        connection = sqlite3.connect(self._file, isolation_level=None)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("DROP TABLE IF EXISTS family")
        connection.execute("CREATE TABLE family (id INTEGER PRIMARY KEY, generation INTEGER, rest BLOB)")
        rows = ((number, bytes(ROW_OCTETS)) for number in range(ROWS))
        connection.executemany("INSERT INTO family VALUES (?, 0, ?)", rows)
        changed = 0
        while True:
            group = self._queue.get()
            while len(group) < MAX_GROUP and not self._queue.empty():
                group = group + self._queue.get()
            connection.execute("BEGIN IMMEDIATE")
            for _ in group:
                changed += 1
                connection.execute("UPDATE family SET generation = generation + 1 WHERE id = ?", (changed % ROWS,))
            connection.execute("COMMIT")
            group[0].get_loop().call_soon_threadsafe(_complete, group)


def _complete(group: list[asyncio.Future[None]]) -> None:
    for future in group:
        if not future.done():
            future.set_result(None)


WORK: Mapping[str, Callable[[bytes, Path], Work]] = {
    "ES256": sign_es256,
    "RS256": sign_rs256,
    "look-up": look_up,
    "encode": encode,
    "commit": commit,
}
"""Each is given the answer and a folder on the disk under measurement."""
