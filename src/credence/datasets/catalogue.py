"""Which file serves which source: one small file that every load replaces, and that readers look at once a read.

A load writes a new data set beside the old one and then names it here. That is the activate: who reads the catalogue
sees the old data set or the new one, and a load that dies before it leaves the old one serving. Everything that a
report is made from changes together with this file, so one look at it tells whether anything did.
"""

import datetime as dt
import fcntl
import os
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from credence.clock import Milliseconds
from credence.files import FOR_ITS_OWNER, sync, write_whole

NAME = "catalogue.json"


class CatalogueDamaged(RuntimeError):
    """The catalogue cannot be understood; the message says what to do."""


class CatalogueEntry(msgspec.Struct, frozen=True, kw_only=True):
    """The data set of one source."""

    file: str = ""
    """Its name in the folder; given by `activate`."""
    publisher: str
    """The publisher and its product, as reports say it."""
    licence: str
    as_of: dt.date | None
    """Of a snapshot its day, of single documents the newest of them."""
    loaded_at: Milliseconds
    layout: int
    companies: int
    facts: int
    """Rows, documents or notices that are held."""
    files: dict[str, tuple[int, int]] = {}
    """What it was made from: name -> size in bytes and time of change in nanoseconds; a refresh skips these."""


class Catalogue(msgspec.Struct, frozen=True):
    """All data sets, by the name of their source."""

    changes: int = 0
    """How often it was replaced; the next data set takes this number into its name."""
    sources: dict[str, CatalogueEntry] = {}
    editions: dict[str, str] = {}
    """Of what nodes share: which edition is here. What was made here and is not published has none."""
    pending: tuple[str, ...] = msgspec.field(default=(), name="awaited")
    """Of which a newer edition is published than is here."""

    @property
    def unavailable(self) -> tuple[str, ...]:
        """Return the sources that are published and of which nothing is here yet."""
        return tuple(name for name in self.pending if name not in self.sources and name not in self.editions)


def read(folder: Path) -> Catalogue:
    """Return the catalogue of a folder, an empty one without a file. Raises CatalogueDamaged, OSError."""
    try:
        return _decode((folder / NAME).read_bytes(), folder)
    except FileNotFoundError:
        return Catalogue()


def activate(folder: Path, source: str, draft: Path, entry: CatalogueEntry, edition: str = "") -> None:
    """Put a finished draft into service as the data set of a source and remove the one it replaces.

    `edition` is what nodes know it by. Readers that have the old file open keep it until they look again. OSError leaves
    the old one serving.
    """

    def change(catalogue: Catalogue) -> Catalogue:
        sync(draft)
        file = f"{source}-{catalogue.changes + 1}.sqlite"
        draft.replace(folder / file)
        sync(folder)
        return with_edition(_with(catalogue, source, msgspec.structs.replace(entry, file=file)), source, edition)

    switched = update(folder, change)
    _remove_all_but(folder, source, switched.sources[source].file)


def remove(folder: Path, source: str, edition: str = "") -> bool:
    """Take a source out of service and delete its data set; False when there was none.

    To be called while nobody loads the source (`sources.retention.remove`), which might add to what it removes.
    """
    held = source in read(folder).sources
    if held or edition:
        update(folder, lambda catalogue: with_edition(_with(catalogue, source, None), source, edition))
    _remove_all_but(folder, source, "")
    return held


def update(folder: Path, change: Callable[[Catalogue], Catalogue]) -> Catalogue:
    """Replace the catalogue by what `change` makes of it, alone; readers read everything again. Raises what it raises."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with _alone(folder):
        changed = change(read(folder))
        counted = msgspec.structs.replace(changed, changes=changed.changes + 1)
        data = msgspec.json.format(msgspec.json.encode(counted), indent=1)
        write_whole(folder / NAME, data, FOR_ITS_OWNER)
        return counted


def with_edition(catalogue: Catalogue, name: str, edition: str) -> Catalogue:
    """Return the catalogue once this edition of a data set is here; an empty one stands for a set that is not published."""
    others = {each: kept for each, kept in catalogue.editions.items() if each != name}
    pending = tuple(each for each in catalogue.pending if each != name)
    editions = others | ({name: edition} if edition else {})
    return msgspec.structs.replace(catalogue, editions=editions, pending=pending)


class CatalogueWatcher:
    """Sees the newest catalogue. A look costs a microsecond; the file is read only when it was replaced."""

    def __init__(self, folder: Path) -> None:
        self._path = str(folder / NAME)
        self._folder = folder
        self._descriptor: int | None = None
        self.version: Hashable = None
        self.catalogue = Catalogue()
        self.fault: CatalogueDamaged | None = None
        """Why the newest catalogue is not the one that is followed: the last that could be read still is."""

    def moved(self) -> bool:
        """Look; say whether another catalogue is followed than at the last look.

        Raises OSError, and CatalogueDamaged when none was ever read: without one nobody knows what is held.
        """
        try:
            found = os.stat(self._path)  # noqa: PTH116 - looked at for every report: a Path takes as long again
        except FileNotFoundError:
            found = None
        version = (found.st_dev, found.st_ino, found.st_mtime_ns) if found else None
        if version == self.version:
            return False
        return self._read()

    def close(self) -> None:
        """Let go of the file; the next look reads it again."""
        if self._descriptor is not None:
            os.close(self._descriptor)
        self._descriptor, self.version, self.catalogue, self.fault = None, None, Catalogue(), None

    def _read(self) -> bool:
        followed = self.catalogue if self.version is not None else None
        self.close()
        try:
            descriptor = os.open(self._path, os.O_RDONLY)
        except FileNotFoundError:
            return True
        # Kept open, because an open file keeps its inode from being given to its successor.
        self._descriptor = descriptor
        with open(descriptor, "rb", closefd=False) as stream:
            data = stream.read()
        try:
            self.catalogue = _decode(data, self._folder)
        except CatalogueDamaged as fault:
            if followed is None:
                raise
            self.catalogue, self.fault = followed, fault
        found = os.fstat(descriptor)
        self.version = (found.st_dev, found.st_ino, found.st_mtime_ns)
        return self.fault is None


def _with(catalogue: Catalogue, source: str, entry: CatalogueEntry | None) -> Catalogue:
    others = {name: each for name, each in catalogue.sources.items() if name != source}
    return msgspec.structs.replace(catalogue, sources=others | ({source: entry} if entry else {}))


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    with (folder / f"{NAME}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # held for the moment of a activate, never for a load
        yield


def _remove_all_but(folder: Path, source: str, kept: str) -> None:
    """Remove the data sets of a source that nothing names, also those of a load that died between its two steps."""
    for path in folder.glob(f"{source}-*.sqlite"):
        if path.name != kept and path.stem.removeprefix(f"{source}-").isdigit():
            path.unlink(missing_ok=True)


def _decode(data: bytes, folder: Path) -> Catalogue:
    try:
        return msgspec.json.decode(data, type=Catalogue)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise CatalogueDamaged(f"{folder / NAME} is damaged: remove it and load every source again.") from error
