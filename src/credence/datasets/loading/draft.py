"""A data set in the making: one load at a time for each source, and nothing left of one that fails (credit §11)."""

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path

from credence.datasets.catalogue import CatalogueEntry
from credence.datasets.fact_kinds import FactKind
from credence.datasets.fact_reader import TABLES
from credence.datasets.loading.alone import alone
from credence.datasets.sources import FilesRejected, LoadError
from credence.files import replacing

# Until it is complete the file is a draft that nobody reads, so it may be written carelessly.
_CARELESS = """
PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE; PRAGMA secure_delete = ON;
PRAGMA cache_size = -32768; PRAGMA temp.cache_size = -32768; PRAGMA temp_store = FILE;
CREATE TEMP TABLE loose (number TEXT, id TEXT, value BLOB);
CREATE TEMP TABLE loose_mention (mentioned TEXT, number TEXT);
"""
"""Facts as they come, to be sorted at the end, which is many times faster than to insert them in their places."""


@contextmanager
def draft_of(folder: Path, source: str) -> Iterator[Path]:
    """Yield where to write the draft of a source's data set; it is removed unless it was put into service.

    Raises LoadError while another process loads the source, and for whatever the disk does not take.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    draft = folder / f"{source}.sqlite.draft"
    with alone(folder / source):
        draft.unlink(missing_ok=True)
        try:
            yield draft
        except OSError as error:
            raise LoadError(f"The data set cannot be written to {folder}: {error.strerror or error}.") from error
        finally:
            draft.unlink(missing_ok=True)


@contextmanager
def opened(draft: Path, part: FactKind, base: CatalogueEntry | None) -> Iterator[sqlite3.Connection]:
    """Yield a draft ready to be written: empty, or a copy of `base`. Raises LoadError for what the disk refuses."""
    try:
        with closing(sqlite3.connect(draft.absolute().as_uri(), uri=True)) as new:
            new.executescript(_CARELESS + ("" if base else f"{TABLES} PRAGMA user_version = {part.layout};"))
            yield new
    except sqlite3.Error as error:
        raise LoadError(f"The data set cannot be written to {draft.parent}: {error}.") from error


def rejects_of(folder: Path, source: str) -> Path:
    """Return the file that names what the last load of a source refused."""
    return folder / f"{source}.rejects.csv"


@contextmanager
def rejects_written(folder: Path, source: str) -> Iterator[Path]:
    """Yield where to write that file; the old one stays unless the load ends well or its files are not taken."""
    refusal: FilesRejected | None = None
    with replacing(rejects_of(folder, source)) as rejects:
        try:
            yield rejects
        except FilesRejected as error:
            refusal = error
    if refusal is not None:
        raise FilesRejected(f"{refusal} See {rejects_of(folder, source)}.") from refusal


def counted(refused: Mapping[str, int]) -> str:
    """Return the reasons of a load that kept nothing, the commonest first, for its one line."""
    reasons = sorted(refused.items(), key=lambda item: (-item[1], item[0]))
    return ", ".join(f"{reason} {rows:,}" for reason, rows in reasons) or "they have no rows"


def counts(new: sqlite3.Connection) -> tuple[int, int]:
    """Return how many facts a draft holds, and of how many companies."""
    facts = one(new, "SELECT count(*) FROM fact WHERE id != ''")
    return facts, one(new, "SELECT count(DISTINCT number) FROM fact")


def one(connection: sqlite3.Connection, statement: str) -> int:
    """Return the one number a statement asks for."""
    ((value,),) = connection.execute(statement).fetchall()
    return int(value)
