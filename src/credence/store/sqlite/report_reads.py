"""Which application read the report on which company, in a SQLite store (D43)."""

import sqlite3
from collections.abc import Iterable, Sequence

import msgspec
from typing_extensions import override

from credence.clock import Milliseconds
from credence.store.records import ReportRead
from credence.store.sqlite.sign_ins import SqliteSignIns

_NOTE = (
    "INSERT INTO report_reads (client_id, company, until) VALUES (?, ?, ?) "
    "ON CONFLICT (client_id, company) DO UPDATE SET until = excluded.until WHERE until < excluded.until"
)
_READ = (
    "SELECT company, until FROM json_each(?2) CROSS JOIN report_reads ON client_id = ?1 AND company = json_each.value"
)


def note_report_reads(connection: sqlite3.Connection, reads: Iterable[ReportRead]) -> None:
    """Store reads of reports."""
    connection.executemany(_NOTE, map(msgspec.structs.astuple, reads))


class SqliteReportReads(SqliteSignIns):
    """The part of the SQLite store for report reads."""

    @override
    async def note_report_reads(self, reads: Sequence[ReportRead]) -> None:
        await self._writer.run(lambda connection: note_report_reads(connection, reads))

    @override
    async def report_reads(self, client_id: str, companies: Sequence[str]) -> dict[str, Milliseconds]:
        return dict(self._read(_READ, client_id, msgspec.json.encode(companies).decode()))
