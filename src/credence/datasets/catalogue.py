"""The catalogue: one small file that names the data set of each source. Every load replaces it, and a read finds that out.

A load writes a new data set next to the old one and then names it here. A reader of the catalogue gets the old data set or
the new one, and a load that fails leaves the old one in service. The catalogue changes whenever any data of a report
changes, so comparing this one file detects every change.
"""

import datetime as dt
import fcntl
import os
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from credence.clock import Milliseconds
from credence.errors import UnusableContent
from credence.files import OWNER_ONLY, sync, write_atomically
from credence.loop_pass import LoopPass

NAME = "catalogue.json"

LOADS_KEPT = 200


class CatalogueDamaged(UnusableContent):
    """The catalogue cannot be read; the message says what to do."""


class CatalogueEntry(msgspec.Struct, frozen=True, kw_only=True):
    """The data set of one source, as the catalogue describes it."""

    file: str = ""
    """The name of its file in the folder; `activate` sets it."""
    publisher: str
    """The publisher and its product, in the words of reports."""
    licence: str
    as_of: dt.date | None
    """The day of the snapshot, or of the newest document."""
    loaded_at: Milliseconds
    layout: int
    companies: int
    facts: int
    """The number of rows, documents or notices."""
    rows: int = 0
    """The rows, documents or notices of the last load, rejected ones among them."""
    refused: dict[str, int] = {}
    """Reason code -> rows that the last load rejected."""
    files: dict[str, tuple[int, int]] = {}
    """The files it was made from: name -> size in bytes and modification time in nanoseconds; a refresh skips these."""
    load_ms: int | None = None
    """The duration of the load in milliseconds; None if an earlier version loaded it."""


class Load(msgspec.Struct, frozen=True, kw_only=True):
    """One load or scoring run that was put into service on this node, or fetched from another one."""

    source: str
    loaded_at: Milliseconds
    load_ms: int | None
    as_of: dt.date | None
    companies: int
    facts: int
    rows: int
    refused: dict[str, int]


class Hold(msgspec.Struct, frozen=True):
    """A source that is held, and why (`datasets.holds`)."""

    since: Milliseconds
    by: str
    reason: str


class Catalogue(msgspec.Struct, frozen=True):
    """All data sets, by the name of their source."""

    changes: int = 0
    """How often the catalogue was replaced; part of the name of the next data set's file."""
    sources: dict[str, CatalogueEntry] = {}
    editions: dict[str, str] = {}
    """Shared data set -> the edition on this node; a data set that is not published has none."""
    loads: tuple[Load, ...] = ()
    """The newest loads, newest first."""
    holds: dict[str, Hold] = {}
    """Source -> why no newer data of it is put into service."""
    pending: tuple[str, ...] = msgspec.field(default=(), name="awaited")
    """The data sets of which a newer edition is published than the one on this node."""

    @property
    def unavailable(self) -> tuple[str, ...]:
        """The pending data sets of which this node has no edition at all."""
        return tuple(name for name in self.pending if name not in self.sources and name not in self.editions)


def read(folder: Path) -> Catalogue:
    """Return the catalogue of a folder, an empty one if there is no file. Raises CatalogueDamaged, OSError."""
    try:
        return _decode((folder / NAME).read_bytes(), folder)
    except FileNotFoundError:
        return Catalogue()


def activate(
    folder: Path,
    source: str,
    staged: Path,
    entry: CatalogueEntry,
    edition: str = "",
    check: Callable[[Catalogue], None] = lambda _: None,
) -> None:
    """Put a complete staging file into service as the data set of a source and remove the one it replaces.

    `edition` is its edition in the shared store; `check` is called with the catalogue that it changes. Readers with the old
    file open keep it until their next read. After an OSError, and an error of `check`, the old data set stays in service.
    """

    def change(catalogue: Catalogue) -> Catalogue:
        check(catalogue)
        sync(staged)
        file = f"{source}-{catalogue.changes + 1}.sqlite"
        staged.replace(folder / file)
        sync(folder)
        noted = msgspec.structs.replace(catalogue, loads=_loads(catalogue.loads, source, entry))
        return with_edition(_with(noted, source, msgspec.structs.replace(entry, file=file)), source, edition)

    updated = update(folder, change)
    _remove_all_but(folder, source, updated.sources[source].file)


def remove(folder: Path, source: str, edition: str = "") -> bool:
    """Take a source out of service and delete its data set; return False if there was none.

    The caller has the lock of the source (`loading.staging.source_lock`), so that no load adds to the data set.
    """
    loaded = source in read(folder).sources
    if loaded or edition:
        update(folder, lambda catalogue: with_edition(_with(catalogue, source, None), source, edition))
    _remove_all_but(folder, source, "")
    return loaded


def update(folder: Path, change: Callable[[Catalogue], Catalogue]) -> Catalogue:
    """Replace the catalogue by the result of `change`, under a lock, and return it. Raises the errors of `change`."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with _locked(folder):
        changed = change(read(folder))
        counted = msgspec.structs.replace(changed, changes=changed.changes + 1)
        data = msgspec.json.format(msgspec.json.encode(counted), indent=1)
        write_atomically(folder / NAME, data, OWNER_ONLY)
        return counted


def with_edition(catalogue: Catalogue, name: str, edition: str) -> Catalogue:
    """Return the catalogue with a data set's new edition; the empty string means unpublished."""
    others = {each: known for each, known in catalogue.editions.items() if each != name}
    pending = tuple(each for each in catalogue.pending if each != name)
    editions = others | ({name: edition} if edition else {})
    return msgspec.structs.replace(catalogue, editions=editions, pending=pending)


class CatalogueWatcher:
    """Gives the newest catalogue. The file is read only after it was replaced.

    Requests that wait together compare it once (`loop_pass`).
    """

    def __init__(self, folder: Path) -> None:
        self._path = str(folder / NAME)
        self._folder = folder
        self._descriptor: int | None = None
        self._compared = LoopPass()
        self.version: Hashable = None
        self.catalogue = Catalogue()
        self.error: CatalogueDamaged | None = None
        """Why the newest catalogue cannot be read; `catalogue` is then the last readable one."""

    def changed(self) -> bool:
        """Read the catalogue if it was replaced; return whether `catalogue` changed.

        Raises OSError, and CatalogueDamaged if no catalogue was readable so far.
        """
        if self._compared.holds():
            return False
        try:
            found = os.stat(self._path)  # noqa: PTH116 - called for many reports; Path.stat takes twice as long
        except FileNotFoundError:
            found = None
        version = (found.st_dev, found.st_ino, found.st_mtime_ns) if found else None
        if version == self.version:
            self._compared.hold()
            return False
        return self._read()

    def close(self) -> None:
        """Close the file; the next call of `changed` reads it again."""
        if self._descriptor is not None:
            os.close(self._descriptor)
        self._compared.end()
        self._descriptor, self.version, self.catalogue, self.error = None, None, Catalogue(), None

    def _read(self) -> bool:
        last = self.catalogue if self.version is not None else None
        self.close()
        try:
            descriptor = os.open(self._path, os.O_RDONLY)
        except FileNotFoundError:
            return True
        # An open file keeps its inode, so the next catalogue has another one.
        self._descriptor = descriptor
        with open(descriptor, "rb", closefd=False) as stream:
            data = stream.read()
        try:
            self.catalogue = _decode(data, self._folder)
        except CatalogueDamaged as error:
            if last is None:
                raise
            self.catalogue, self.error = last, error
        found = os.fstat(descriptor)
        self.version = (found.st_dev, found.st_ino, found.st_mtime_ns)
        return self.error is None


def _loads(before: tuple[Load, ...], source: str, entry: CatalogueEntry) -> tuple[Load, ...]:
    """Return the loads with that of an entry added, unless its data set was only rewritten, as by retention."""
    if any((each.source, each.loaded_at) == (source, entry.loaded_at) for each in before):
        return before
    return (load_of(source, entry), *before)[:LOADS_KEPT]


def load_of(source: str, entry: CatalogueEntry) -> Load:
    """Return the load that made a data set."""
    return Load(
        source=source,
        loaded_at=entry.loaded_at,
        load_ms=entry.load_ms,
        as_of=entry.as_of,
        companies=entry.companies,
        facts=entry.facts,
        rows=entry.rows,
        refused=entry.refused,
    )


def _with(catalogue: Catalogue, source: str, entry: CatalogueEntry | None) -> Catalogue:
    others = {name: each for name, each in catalogue.sources.items() if name != source}
    return msgspec.structs.replace(catalogue, sources=others | ({source: entry} if entry else {}))


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    with (folder / f"{NAME}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # for the moment of a replacement, never for a whole load
        yield


def _remove_all_but(folder: Path, source: str, kept: str) -> None:
    """Remove all data sets of a source but `kept`, including those of a load that was killed before it ended."""
    for path in folder.glob(f"{source}-*.sqlite"):
        if path.name != kept and path.stem.removeprefix(f"{source}-").isdigit():
            path.unlink(missing_ok=True)


def _decode(data: bytes, folder: Path) -> Catalogue:
    try:
        return msgspec.json.decode(data, type=Catalogue)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise CatalogueDamaged(f"{folder / NAME} is damaged: remove it and load every source again.") from error
