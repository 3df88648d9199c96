"""Runs the statements and transactions of the store's parts in PostgreSQL (`store/statements.py`)."""

import re
from collections.abc import Callable, Mapping
from functools import lru_cache

from typing_extensions import override

from credence.store.postgres.connections import Connection, Connections
from credence.store.postgres.log import Log as ChangeLog
from credence.store.statements import (
    MEMBER,
    Act,
    Add,
    Do,
    Each,
    Log,
    P,
    Pair,
    Row,
    Statement,
    Statements,
    Step,
    T,
    Turn,
    is_storable,
)

LONG_QUERY_SECONDS = 60.0

_WITHOUT_HURRY = f"SET LOCAL statement_timeout = '{LONG_QUERY_SECONDS:.0f}s'"
_TURN = "SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))"
_LOG = "SELECT log_change(%s, subject, until) FROM unnest(%s::text[], %s::bigint[]) AS each (subject, until)"

_VALUE = re.compile(r"(?<!:):([a-z_]\w*)")


class PostgresStatements(Statements):
    """Runs each on a connection of the pool."""

    def __init__(self, connections: Connections, log: ChangeLog) -> None:
        self._connections = connections
        self._log = log

    @override
    async def _rows(self, statement: Statement, **values: object) -> list[Row]:
        possible = {name: _in_a_row(each) for name, each in values.items()}
        return await self._connections.rows(for_postgres(statement), possible)

    @override
    async def _long_query(self, statement: Statement, **values: object) -> list[Row]:
        async with self._connections.transaction(LONG_QUERY_SECONDS) as connection:
            await connection.execute(_WITHOUT_HURRY)
            return await _do(connection, Do(statement, {name: _in_a_row(each) for name, each in values.items()}))

    @override
    async def _write(self, statement: Statement, **values: object) -> list[Row]:
        return await self._connections.rows(for_postgres(statement), values)

    @override
    async def _transact(self, act: Callable[P, Act[T]], *arguments: P.args, **named: P.kwargs) -> T:
        logged: int | None = None
        async with self._connections.transaction() as connection:
            running, rows = act(*arguments, **named), None
            while True:
                try:
                    step = next(running) if rows is None else running.send(rows)
                except StopIteration as ended:
                    result: T = ended.value
                    break
                rows = await _do(connection, step)
                logged = rows[-1][0] if isinstance(step, Log) and rows else logged
        if logged is not None:
            self._log.note(logged)
        return result


async def _do(connection: Connection, step: Step) -> list[Row]:
    values: Mapping[str, object] | list[object] | tuple[object, ...]
    match step:
        case Do():
            statement, values = for_postgres(step.statement), step.values
        case Each() if step.types:
            given = ", ".join(f"%s::{each}[]" for each in step.types.values())
            rows = f" FROM unnest({given}) AS each ({', '.join(f'new_{name}' for name in step.types)}) WHERE "
            statement = _VALUE.sub(r"each.new_\1", step.statement).replace(" WHERE ", rows, 1)
            values = [[each[name] for each in step.values] for name in step.types]
        case Each():
            await connection.cursor().executemany(for_postgres(step.statement).encode(), step.values)
            return []
        case Add():
            if not step.rows:
                return []
            columns = ", ".join(f"%s::{each}[]" for each in step.types.values())
            statement = (
                f"INSERT INTO {step.table} ({', '.join(step.types)}) SELECT * FROM unnest({columns}) "  # noqa: S608 - constants
                f"ON CONFLICT {step.or_else}"
            )
            values = [list(column) for column in zip(*step.rows, strict=True)]
        case Log():
            subjects, ends = [each[0] for each in step.entries], [each[1] for each in step.entries]
            statement, values = _LOG, [step.kind, subjects, ends]
        case Turn():
            statement, values = _TURN, step
    cursor = await connection.execute(statement.encode(), values)
    return await cursor.fetchall() if cursor.description else []


def _in_a_row(value: object) -> object:
    """Return a value that a row can have: NULL, which is equal to nothing, in place of a text that cannot be written."""
    if isinstance(value, list):
        return [each for each in map(_in_a_row, value) if each is not None]
    return None if isinstance(value, str) and not is_storable(value) else value


@lru_cache(maxsize=1_024)
def for_postgres(statement: Statement) -> str:
    """Return a statement in the form of psycopg."""
    text = statement.postgres if isinstance(statement, Pair) else statement
    return _VALUE.sub(r"%(\1)s", MEMBER.sub(r"(convert_from(\1, 'UTF8')::json ->> \2)", text))
