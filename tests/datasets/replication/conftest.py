"""Two nodes of one deployment as folders: `one` loads and publishes, `other` fetches."""

from pathlib import Path

import pytest

from credence.datasets.loading.load import load_register
from credence.datasets.register import CurrentRegister
from credence.datasets.replication.publishing import catch_up, publisher
from tests.datasets.snapshots import company, write

NUMBER = "00000001"


class Nodes:
    """The folders, and what is done in them."""

    def __init__(self, folder: Path, address: str) -> None:
        self.address = address
        self.one, self.other = folder / "one", folder / "other"
        self._snapshots = folder

    def load(self, name: str, *, at: int = 0, into: Path | None = None, address: str = "") -> None:
        """Load a register of one company by this name, as the command does with a shared store."""
        file = write(self._snapshots / "snapshot.csv", company(NUMBER, name))
        load_register([file], into or self.one, at, publish=publisher(address or self.address))

    def fetch(self, into: Path | None = None, address: str = "") -> None:
        """Have the newest of everything in the folder of the other node."""
        catch_up(address or self.address, into or self.other)


def name_in(folder: Path) -> str | None:
    """The company's name as a search of this node reads it."""
    reader = CurrentRegister(folder)
    try:
        found = reader.newest().entry(NUMBER)
        return found.name if found else None
    finally:
        reader.close()


@pytest.fixture
def nodes(migrated_postgres: str, tmp_path: Path) -> Nodes:
    return Nodes(tmp_path, migrated_postgres)
