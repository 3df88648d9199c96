"""Runs the statements and transactions of the store's parts in SQLite (`store/statements.py`)."""

import sqlite3
from collections.abc import Callable

from typing_extensions import override

from credence.store.sqlite.group_commit import GroupCommit
from credence.store.sqlite.reading import Reader
from credence.store.statements import Act, Add, Do, Each, Log, P, Row, Statement, Statements, Step, T, for_sqlite


class SqliteStatements(Statements):
    """Reads in the thread of the caller, and writes in the thread that commits."""

    _reader: Reader
    _writer: GroupCommit
    _logged = False
    """Whether the transaction that is open has added to the change log; used by the thread that writes."""

    @override
    async def _rows(self, statement: Statement, **values: object) -> list[Row]:
        return self._reader.fetch(*for_sqlite(statement, values))

    @override
    async def _long_query(self, statement: Statement, **values: object) -> list[Row]:
        return await self._reader.fetch_apart(*for_sqlite(statement, values))

    @override
    async def _write(self, statement: Statement, **values: object) -> list[Row]:
        text, named = for_sqlite(statement, values)
        return await self._writer.run(lambda connection: connection.execute(text, named).fetchall(), single=True)

    @override
    async def _transact(self, act: Callable[P, Act[T]], *arguments: P.args, **named: P.kwargs) -> T:
        return await self._writer.run(lambda connection: self._play(connection, act(*arguments, **named)))

    def _play(self, connection: sqlite3.Connection, running: Act[T]) -> T:
        rows: list[Row] | None = None
        while True:
            try:
                step = next(running) if rows is None else running.send(rows)
            except StopIteration as ended:
                result: T = ended.value
                return result
            rows = self._do(connection, step)

    def _do(self, connection: sqlite3.Connection, step: Step) -> list[Row]:
        match step:
            case Do():
                return connection.execute(*for_sqlite(step.statement, step.values)).fetchall()
            case Each():
                connection.executemany(for_sqlite(step.statement, {})[0], step.values)
            case Add():
                places = ", ".join("?" * len(step.types))
                statement = (
                    f"INSERT INTO {step.table} ({', '.join(step.types)}) VALUES ({places}) ON CONFLICT {step.or_else}"  # noqa: S608 - constants
                )
                connection.executemany(statement, step.rows)
            case Log():
                values = [(step.kind, *entry) for entry in step.entries]
                connection.executemany("INSERT INTO changes (kind, subject, until) VALUES (?, ?, ?)", values)
                self._logged |= bool(values)
        return []
