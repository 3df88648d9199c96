"""Reading the register: one company by its number, and the names for a search (D19, D23)."""

import json
from collections.abc import Collection, Iterator
from pathlib import Path

import msgspec

from credence.companies.codes import is_dissolved
from credence.companies.facts.register import RegisterEntry
from credence.companies.words import address_key, dissolved_at
from credence.datasets import register_schema
from credence.datasets.catalogue import Catalogue, CatalogueEntry, CatalogueWatcher
from credence.datasets.data_set import DataSetFile, UnusableDataSet
from credence.datasets.fact_kinds import REGISTER
from credence.datasets.name_index import NameIndex

MAX_ATTEMPTS = 10
"""Maximum attempts to open the data sets of the newest catalogue; a load may replace one between reading and opening."""


class RegisterReader:
    """Reads one register, for one thread at a time; an empty one when there is no file. Reads raise UnusableDataSet."""

    def __init__(self, path: Path | None) -> None:
        """Open the file; None means an empty register. Raises FileNotFoundError, UnusableDataSet."""
        self._file = DataSetFile(path, register_schema.LAYOUT, "load the register again") if path else None
        if self._file and not self._file.rows("SELECT 1 FROM about"):
            self._file.close()
            raise self._file.damaged()

    def entry(self, number: str) -> RegisterEntry | None:
        """Return the entry of a normalised company number; None for an unknown one."""
        if self._file is None:
            return None
        rows = self._file.rows("SELECT entry FROM company WHERE number = ?", number)
        if not rows:
            return None
        entry = self._file.decoded(register_schema.decode_entry, rows[0][0])
        address = address_key(entry.office)
        if not address:
            return entry
        counts = self._file.rows("SELECT companies FROM place WHERE place = ?", address)
        gone = self._file.rows("SELECT companies FROM place WHERE place = ?", dissolved_at(address))
        others = (gone[0][0] if gone else 0) - is_dissolved(entry)
        return msgspec.structs.replace(
            entry, companies_at_office=counts[0][0] if counts else 1, dissolved_at_office=others if others > 0 else None
        )

    def unknown(self, numbers: Collection[str]) -> list[str]:
        """Return those of these numbers that are not in the register, in ascending order."""
        if self._file is None:
            return sorted(numbers)
        statement = (
            "SELECT value FROM json_each(?) WHERE NOT EXISTS (SELECT 1 FROM company WHERE company.number = value)"
        )
        return [number for (number,) in self._file.rows(statement, json.dumps(sorted(numbers)))]

    def entries(self, first: int, last: int) -> Iterator[RegisterEntry]:
        """Yield the entries with the row ids `first` to `last`, without `companies_at_office`."""
        if self._file is not None:
            for (entry,) in self._file.rows("SELECT entry FROM company WHERE id BETWEEN ? AND ?", first, last):
                yield self._file.decoded(register_schema.decode_entry, entry)

    def last_id(self) -> int:
        """Return the highest row id, 0 in an empty register; row ids begin with 1."""
        return int(self._file.rows("SELECT max(id) FROM company")[0][0] or 0) if self._file else 0

    def divisions(self) -> dict[str, int]:
        """Return the number of companies whose first activity is in each two-digit division of SIC 2007 (credit §2.2).

        Companies without an activity of SIC 2007 are not counted.
        """
        return dict(self._file.rows("SELECT division, companies FROM division")) if self._file else {}

    def index(self) -> NameIndex | None:
        """Return the index of names; None in an empty register."""
        return NameIndex(self._file) if self._file else None

    def close(self) -> None:
        """Close the file; the register is empty afterwards."""
        if self._file is not None:
            self._file.close()
        self._file = None


class CurrentRegister:
    """Opens the newest register, for callers that need no other source, such as a search (D23).

    For one thread at a time.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._watcher = CatalogueWatcher(folder)
        self._entry: CatalogueEntry | None = None
        self._register = RegisterReader(None)

    def newest(self) -> RegisterReader:
        """Return the newest register, usable until the next call. Raises UnusableDataSet, CatalogueDamaged."""
        for _ in range(MAX_ATTEMPTS):
            if not self._watcher.changed():
                return self._register
            try:
                require_available(self._watcher.catalogue, REGISTER)
                self._reload(self._watcher.catalogue.sources.get(REGISTER))
            except FileNotFoundError:  # replaced since the catalogue was read: read it again
                self._watcher.close()
            except BaseException:
                self._watcher.close()
                raise
        raise UnusableDataSet("The catalogue names a register that is not there: load the register again.")

    def close(self) -> None:
        """Close every file. The next call opens them again."""
        self._register.close()
        self._entry = None
        self._watcher.close()

    def _reload(self, entry: CatalogueEntry | None) -> None:
        if entry is not None and entry == self._entry:
            return
        self._entry = None
        self._register.close()
        self._register = open_register(self._folder, entry)
        self._entry = entry


def require_available(catalogue: Catalogue, source: str) -> None:
    """Raise UnusableDataSet for a source that is published but not fetched yet, because "no facts" would be wrong."""
    if source in catalogue.unavailable:
        raise UnusableDataSet(f"The data set {source} is being fetched from the store that nodes share.")


def open_register(folder: Path, entry: CatalogueEntry | None) -> RegisterReader:
    """Open the register of an entry, an empty one if `entry` is None. Raises UnusableDataSet, FileNotFoundError."""
    return RegisterReader(folder / entry.file if entry else None)
