"""An upgrade of a SQLite store that is taken back: the program of before opens the file and goes on (threats F5)."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from credence.store.migrations import SchemaTooNew, scripts
from credence.store.sqlite.migrations import migrate_sqlite, schema_number
from credence.store.sqlite.store import SqliteStore
from tests.store.records import family, log_in, parameters

FILES = scripts("sqlite")
NEXT = len(FILES) + 1

EXPANSION = """-- Serves programs of schema 1 and later.
ALTER TABLE families ADD COLUMN of_the_next TEXT NOT NULL DEFAULT 'none';
CREATE TABLE of_the_next (id INTEGER PRIMARY KEY);
"""

STRICT = 3
"""The schema of version 0.2.0: it opens a file whose `user_version` is this number and no other."""


def upgrade(file: Path, script: str) -> int:
    """Open the file as the next version does, whose schema has one more file."""
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        return migrate_sqlite(connection, FILES | {"next": script})


def version_check_of_0_2(file: Path) -> int:
    with closing(sqlite3.connect(file)) as connection:
        return int(connection.execute("PRAGMA user_version").fetchone()[0])


async def test_this_program_goes_on_with_a_file_that_the_next_one_had_and_the_next_one_with_it(tmp_path: Path) -> None:
    """This version plays the one before. A login survives both ways."""
    file = tmp_path / "s.sqlite"
    before = SqliteStore(file)
    await log_in(before, family(1))
    await before.close()
    assert upgrade(file, EXPANSION) == NEXT

    back = SqliteStore(file)
    rotated = await back.rotate(family(1).id, 0, parameters())
    assert rotated is not None
    await log_in(back, family(2))
    await back.close()
    assert schema_number(file) == NEXT

    assert upgrade(file, EXPANSION) == NEXT  # which applies nothing a second time
    with closing(sqlite3.connect(file)) as connection:
        rows = connection.execute("SELECT generation, of_the_next FROM families ORDER BY id").fetchall()
    assert rows == [(1, "none"), (0, "none")]


async def test_a_file_that_no_longer_serves_this_program_is_refused(tmp_path: Path) -> None:
    """Contract: what this version needs has gone."""
    file = tmp_path / "s.sqlite"
    await SqliteStore(file).close()
    upgrade(file, f"-- Serves programs of schema {NEXT} and later.\nDROP TABLE scratch;\n")
    with pytest.raises(SchemaTooNew, match=f"serves programs of {NEXT}; this one is {NEXT - 1}"):
        SqliteStore(file)
    assert version_check_of_0_2(file) == NEXT


async def test_version_0_2_opens_a_file_of_this_one(tmp_path: Path) -> None:
    file = tmp_path / "s.sqlite"
    await SqliteStore(file).close()
    assert (version_check_of_0_2(file), schema_number(file)) == (STRICT, len(FILES))


@pytest.mark.parametrize("number", range(1, len(FILES) + 1))
async def test_a_file_whose_number_only_its_header_has_is_brought_up_to_date(tmp_path: Path, number: int) -> None:
    """As version 0.2 and those before it left it, and 0.2 after an upgrade was taken back."""
    file = tmp_path / "s.sqlite"
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        for script in list(FILES.values())[:number]:
            connection.executescript(script)
        connection.execute(f"PRAGMA user_version = {number}")
    await SqliteStore(file).close()
    assert schema_number(file) == len(FILES)
