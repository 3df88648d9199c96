"""The register that the catalogue names, for a reader of the register alone, such as a search (D23)."""

from pathlib import Path

from credence.datasets.catalogue import Catalogue, Entry, Follower
from credence.datasets.parts import REGISTER
from credence.datasets.register import LayoutError, Register

ATTEMPTS = 10
"""Times to begin again when a load replaces a data set between the look and the opening."""


class RegisterInService:
    """Opens the newest register. For one thread at a time."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._follower = Follower(folder)
        self._entry: Entry | None = None
        self._register = Register(None)

    def newest(self) -> Register:
        """Return the register as it is now; good until the next call. Raises LayoutError, CatalogueDamaged."""
        for _ in range(ATTEMPTS):
            if not self._follower.moved():
                return self._register
            try:
                require_here(self._follower.catalogue, REGISTER)
                self._turn(self._follower.catalogue.sources.get(REGISTER))
            except FileNotFoundError:  # replaced again since the look; the next look sees what by
                self._follower.close()
            except BaseException:
                self._follower.close()
                raise
        raise LayoutError("The catalogue names a register that is not there: load the register again.")

    def close(self) -> None:
        """Let go of every file. The next call opens them again."""
        self._register.close()
        self._entry = None
        self._follower.close()

    def _turn(self, entry: Entry | None) -> None:
        if entry is not None and entry == self._entry:
            return
        self._entry = None
        self._register.close()
        self._register = opened(self._folder, entry)
        self._entry = entry


def require_here(catalogue: Catalogue, source: str) -> None:
    """Raise LayoutError for a source that is published and of which nothing is here yet: "none" would be untrue."""
    if source in catalogue.missing:
        raise LayoutError(f"The data set {source} is being fetched from the store that nodes share.")


def opened(folder: Path, entry: Entry | None) -> Register:
    """Return the register of an entry, open; without one, a register of nothing. Raises LayoutError, FileNotFoundError."""
    return Register(folder / entry.file if entry else None)
