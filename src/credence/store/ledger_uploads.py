"""Ledgers that were uploaded to portfolios: what came of each, and its lines until a person has chosen the columns."""

import datetime as dt
from typing import Literal

import msgspec

from credence.clock import Milliseconds
from credence.store.collections import Collection, Collections
from credence.store.statements import Act, do

KEPT_MS = 86_400_000
"""Milliseconds for which the lines of an upload wait for a person."""

State = Literal["read", "taken"]
"""`read`: its columns are to be chosen."""


class LedgerUpload(msgspec.Struct, frozen=True, omit_defaults=True):
    """One file that a person or program uploaded."""

    id: str
    """Ids of one portfolio sort by the time of the upload."""
    portfolio: str
    file_name: str
    digest: str
    """The SHA-256 of the file, in hexadecimal."""
    uploaded_by: str
    """The login name of a person, or the client_id of a program."""
    uploaded_at: Milliseconds
    header: tuple[str, ...]
    """The names of the columns, no two alike."""
    version: int = 1
    state: State = "read"
    sample: tuple[tuple[str, ...], ...] = ()
    """The first lines below the headings, cut short."""
    below: int = 0
    """How many lines there are above those of customers, the headings included."""
    columns: dict[str, tuple[str, ...]] = {}
    """What a customer has -> the names of its columns: as recognised, then as chosen."""
    currency: str = ""
    decimal: str = ""
    """The sign before the hundredths; empty: as the amounts show it."""
    in_hundredths: bool = False
    as_of: dt.date | None = None
    """The day of the ledger: as its titles say, then as chosen."""
    lines: int = 0
    """Lines of the file that are customers."""
    added: int = 0
    changed: int = 0
    settled: int = 0
    """Customers that the file does not have any more, who owe nothing now."""
    total: int = 0
    """The sum of the balances in the currency of the upload, in hundredths."""


_KEEP_LINES = (
    "INSERT INTO ledger_lines (upload, until, document) VALUES (:upload, :until, :document) "
    "ON CONFLICT (upload) DO UPDATE SET until = excluded.until, document = excluded.document"
)
_LINES = "SELECT document FROM ledger_lines WHERE upload = :upload AND until > :now"
_WAITING = (
    "SELECT count(*) FROM ledger_uploads JOIN ledger_lines ON ledger_lines.upload = ledger_uploads.id "
    "WHERE portfolio = :portfolio AND until > :now"
)
_NEWEST = "SELECT document FROM ledger_uploads WHERE portfolio = :portfolio ORDER BY id DESC LIMIT :limit"


def _saving(upload: LedgerUpload, _at: Milliseconds) -> Act[None]:
    if upload.state == "taken":
        yield do("DELETE FROM ledger_lines WHERE upload = :upload", upload=upload.id)


LEDGER_UPLOADS = Collection(
    table="ledger_uploads",
    type=LedgerUpload,
    columns=("portfolio",),
    saving=_saving,
)


class LedgerUploads(Collections):
    """The part of a store that has uploaded ledgers."""

    async def ledger_uploads(self, portfolio: str, limit: int) -> list[LedgerUpload]:
        """Return the newest uploads of a portfolio, the newest first."""
        rows = await self._rows(_NEWEST, portfolio=portfolio, limit=limit)
        return [msgspec.json.decode(document, type=LedgerUpload) for (document,) in rows]

    async def count_waiting_ledgers(self, portfolio: str, now: Milliseconds) -> int:
        """Return how many uploads of a portfolio wait for a person to choose their columns."""
        return int((await self._rows(_WAITING, portfolio=portfolio, now=now))[0][0])

    async def keep_ledger(self, upload: LedgerUpload, lines: bytes) -> None:
        """Store a new upload with its lines, which wait for `KEPT_MS`. Raises Conflict if there is one with this id."""
        until = upload.uploaded_at + KEPT_MS
        await self.save(LEDGER_UPLOADS, upload, also=[do(_KEEP_LINES, upload=upload.id, until=until, document=lines)])

    async def ledger_lines(self, upload: str, now: Milliseconds) -> bytes | None:
        """Return the lines of an upload whose columns are to be chosen; None if it waited too long."""
        rows = await self._rows(_LINES, upload=upload, now=now)
        return bytes(rows[0][0]) if rows else None
