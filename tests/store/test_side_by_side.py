"""The version before and this one on one store, while the schema is brought up to date between them (threats F5)."""

import asyncio
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import psycopg
import pytest

from credence.crypto import base64url
from credence.store.contract import Store
from credence.store.migrations import scripts
from credence.store.records import TokenFamily
from tests.store.earlier import ACCOUNT, APPLICATION, SCHEMA, Earlier, EarlierPostgres, EarlierSqlite
from tests.store.locations import Somewhere
from tests.store.records import NOW, family, parameters

KINDS = ("postgres", "sqlite")


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


@pytest.fixture
def somewhere(kind: str, request: pytest.FixtureRequest, tmp_path: Path) -> Somewhere:
    return Somewhere(tmp_path / "s.sqlite" if kind == "sqlite" else request.getfixturevalue("postgres"))


def at_schema(somewhere: Somewhere, number: int) -> None:
    """Make a store as programs of this schema number made it, with an application and an account of theirs."""
    if isinstance(somewhere.said, Path):
        with closing(sqlite3.connect(somewhere.said, isolation_level=None)) as connection:
            for script in list(scripts("sqlite").values())[:number]:
                connection.executescript(script)
            connection.execute(f"PRAGMA user_version = {number}")
            connection.execute("INSERT INTO applications VALUES ('crd_sbx_app_a', 1, ?)", (APPLICATION,))
            connection.execute("INSERT INTO accounts VALUES ('ada', 1, ?)", (ACCOUNT,))
    else:
        with psycopg.connect(somewhere.said) as database:
            for script in list(scripts("postgres").values())[:number]:
                database.execute(script.encode())
            database.execute("CREATE TABLE schema_number (id integer PRIMARY KEY, number bigint, oldest bigint)")
            database.execute("INSERT INTO schema_number VALUES (1, %s, 1)", (number,))
            database.execute("INSERT INTO applications VALUES ('crd_sbx_app_a', 1, %s)", (APPLICATION,))
            database.execute("INSERT INTO accounts VALUES ('ada', 1, %s)", (ACCOUNT,))


def keep(somewhere: Somewhere, kept: TokenFamily) -> None:
    """Add a family with the columns that the schema then has."""
    if isinstance(somewhere.said, Path):
        with closing(sqlite3.connect(somewhere.said, isolation_level=None)) as connection:
            columns = [row[1] for row in connection.execute("PRAGMA table_info(families)")]
            marks, values = ", ".join("?" * len(columns)), [getattr(kept, name) for name in columns]
            connection.execute(f"INSERT INTO families ({', '.join(columns)}) VALUES ({marks})", values)  # noqa: S608
    else:
        with psycopg.connect(somewhere.said) as database:
            columns = [each.name for each in database.execute("SELECT * FROM families").description or ()]
            marks, values = ", ".join(["%s"] * len(columns)), [getattr(kept, name) for name in columns]
            database.execute(f"INSERT INTO families ({', '.join(columns)}) VALUES ({marks})".encode(), values)  # noqa: S608


@contextmanager
def earlier_on(somewhere: Somewhere) -> Iterator[Earlier]:
    said = somewhere.said
    earlier: Earlier = EarlierSqlite(said) if isinstance(said, Path) else EarlierPostgres(said)
    try:
        yield earlier
    finally:
        earlier.close()


def test_the_version_before_is_the_one_before(kind: str) -> None:
    """Who adds a file to the schema freezes the statements that it must go on with."""
    assert SCHEMA[kind] == max(1, len(scripts(kind)) - 1)


@pytest.mark.parametrize("number", range(1, len(scripts("sqlite")) + 1))
async def test_a_login_from_before_any_migration_of_sqlite_is_refreshed_after_it(tmp_path: Path, number: int) -> None:
    await refreshes_after(Somewhere(tmp_path / "s.sqlite"), number)


@pytest.mark.parametrize("number", range(1, len(scripts("postgres")) + 1))
async def test_a_login_from_before_any_migration_of_postgresql_is_refreshed_after_it(
    postgres: str, number: int
) -> None:
    await refreshes_after(Somewhere(postgres), number)


async def refreshes_after(somewhere: Somewhere, number: int) -> None:
    at_schema(somewhere, number)
    keep(somewhere, family(1))
    store = await somewhere.open()
    application, account = await store.application("crd_sbx_app_a"), await store.account("ada")
    assert (application and application.name, account and account.status) == ("Ledger", "active")
    rotated = await store.rotate(family(1).id, 0, parameters())
    assert (rotated and rotated.generation, rotated and rotated.kid) == (1, "k2")
    assert account is not None
    await store.open_family(family(2), account)
    await store.close()


async def test_each_version_continues_the_logins_of_the_other(kind: str, somewhere: Somewhere) -> None:
    """The earlier version runs before, during and after the migration, without a restart."""
    at_schema(somewhere, SCHEMA[kind])
    with earlier_on(somewhere) as before:
        assert before.open_family(family(1))
        now = await somewhere.open()  # which migrates
        account = await now.account("ada")
        assert account is not None
        await now.open_family(family(2), account)
        assert before.open_family(family(3))

        for number in (1, 2, 3):
            assert before.rotate(family(number).id, 0, NOW + 1) == 1
            assert (await rotated(now, number, 1)) == 2
            assert before.rotate(family(number).id, 2, NOW + 1) == 3
            assert before.rotate(family(number).id, 2, NOW + 1) is None  # already rotated, by one of the versions
            assert await rotated(now, number, 2) is None

        assert before.end_family(family(2).id, NOW)
        assert await rotated(now, 2, 3) is None
        assert await now.end_family(family(3).id, NOW, "revoked")
        assert before.rotate(family(3).id, 3, NOW + 1) is None
        told = [("family", base64url.encode(family(number).id)) for number in (2, 3)]
        assert before.changes(0) == told
        assert [(change.kind, change.subject) for change in await now.changes(0)] == told
        await now.close()


async def rotated(store: Store, number: int, generation: int) -> int | None:
    found = await store.rotate(family(number).id, generation, parameters())
    return found.generation if found else None


async def test_of_two_versions_that_refresh_one_token_at_once_one_succeeds(kind: str, somewhere: Somewhere) -> None:
    """threats L1, D7."""
    at_schema(somewhere, SCHEMA[kind])
    with earlier_on(somewhere) as before:
        assert before.open_family(family(1))
        now = await somewhere.open()
        for generation in range(50):
            won = await asyncio.gather(
                asyncio.to_thread(before.rotate, family(1).id, generation, NOW + 1),
                rotated(now, 1, generation),
            )
            assert sorted(won, key=str) == [generation + 1, None]
        await now.close()
