"""The register that the catalogue names, for a reader of the register alone, such as a search (D23)."""

from pathlib import Path

from credence.datasets.catalogue import Catalogue, CatalogueEntry, CatalogueWatcher
from credence.datasets.fact_kinds import REGISTER
from credence.datasets.register import RegisterReader, UnusableDataSet

MAX_ATTEMPTS = 10
"""Times to begin again when a load replaces a data set between the look and the opening."""


class CurrentRegister:
    """Opens the newest register. For one thread at a time."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._follower = CatalogueWatcher(folder)
        self._entry: CatalogueEntry | None = None
        self._register = RegisterReader(None)

    def newest(self) -> RegisterReader:
        """Return the register as it is now; good until the next call. Raises UnusableDataSet, CatalogueDamaged."""
        for _ in range(MAX_ATTEMPTS):
            if not self._follower.moved():
                return self._register
            try:
                require_available(self._follower.catalogue, REGISTER)
                self._turn(self._follower.catalogue.sources.get(REGISTER))
            except FileNotFoundError:  # replaced again since the look; the next look sees what by
                self._follower.close()
            except BaseException:
                self._follower.close()
                raise
        raise UnusableDataSet("The catalogue names a register that is not there: load the register again.")

    def close(self) -> None:
        """Let go of every file. The next call opens them again."""
        self._register.close()
        self._entry = None
        self._follower.close()

    def _turn(self, entry: CatalogueEntry | None) -> None:
        if entry is not None and entry == self._entry:
            return
        self._entry = None
        self._register.close()
        self._register = open_register(self._folder, entry)
        self._entry = entry


def require_available(catalogue: Catalogue, source: str) -> None:
    """Raise UnusableDataSet for a source that is published and of which nothing is here yet: "none" would be untrue."""
    if source in catalogue.unavailable:
        raise UnusableDataSet(f"The data set {source} is being fetched from the store that nodes share.")


def open_register(folder: Path, entry: CatalogueEntry | None) -> RegisterReader:
    """Open the register of an entry, an empty one without. Raises UnusableDataSet, FileNotFoundError."""
    return RegisterReader(folder / entry.file if entry else None)
