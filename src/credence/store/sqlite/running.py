"""Runs the statements and transactions of the store's parts in SQLite (`store/statements.py`)."""

import re
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

from typing_extensions import override

from credence.store.sqlite.group_commit import GroupCommit
from credence.store.sqlite.reading import Reader
from credence.store.statements import MEMBER, Act, Add, Do, Each, Log, P, Pair, Row, Statement, Statements, Step, T


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


_LIST = re.compile(r"(= ANY|<> ALL)\(:([a-z_]\w*)(?:::\w+\[\])?\)")
_CAST = re.compile(r"::\w+(\[\])?")
_LOCK = re.compile(r"\s+FOR (?:NO KEY UPDATE|UPDATE|SHARE|KEY SHARE)(?: SKIP LOCKED)?\b")


def for_sqlite(statement: Statement, values: Mapping[str, object]) -> tuple[str, Mapping[str, object]]:
    """Return a statement in the form of SQLite, with its values."""
    text, lists = _for_sqlite(statement)
    if not lists:
        return text, values
    members: dict[str, Sequence[object]] = {name: values[name] for name in lists}  # type: ignore[misc]  # `= ANY` takes a sequence
    single = {name: each for name, each in values.items() if name not in members}
    for name, found in members.items():
        single |= {f"{name}_{number}": each for number, each in enumerate(found)}
    return _with_places(text, tuple((name, len(found)) for name, found in members.items())), single


@lru_cache(maxsize=1_024)
def _for_sqlite(statement: Statement) -> tuple[str, tuple[str, ...]]:
    """Return the statement with one place for each list, and the names of the lists."""
    text = statement.sqlite if isinstance(statement, Pair) else statement
    lists = tuple(dict.fromkeys(name for _, name in _LIST.findall(text)))
    text = _LIST.sub(lambda found: f"{'IN' if found[1] == '= ANY' else 'NOT IN'} (:{found[2]})", text)
    text = MEMBER.sub(r"(CAST(\1 AS TEXT) ->> \2)", text)
    text = _LOCK.sub("", _CAST.sub("", text))
    return text.replace("greatest(", "max(").replace("least(", "min("), lists


@lru_cache(maxsize=256)
def _with_places(text: str, lists: tuple[tuple[str, int], ...]) -> str:
    """Return the statement with as many places for each list as it has values."""
    for name, count in lists:
        text = text.replace(f"(:{name})", f"({', '.join(f':{name}_{number}' for number in range(count))})")
    return text
