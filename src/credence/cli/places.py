"""Where a store lies, as it is said on the command line or in the settings."""

from pathlib import Path

from credence.setting_types import STORE_SCHEMES
from credence.settings import Settings
from credence.store.sqlite.transfer import SqliteLocation
from credence.store.transfer.location import StoreLocation

MOST_ADDRESS = 4_096
"""Octets of a file that are looked at for an address."""


def place_of(settings: Settings) -> StoreLocation:
    """Return where the store of these settings lies, or is to lie."""
    return place(settings.store or str(settings.sqlite_file))


def place(said: str) -> StoreLocation:
    """Return the place that is said: an address of PostgreSQL, a file that holds one, a SQLite file, or its data folder."""
    path = Path(said)
    address = _address(path) if path.is_file() else said
    if address.partition("://")[0] in STORE_SCHEMES:
        # Imported late, as where the store is opened.
        from credence.store.postgres.transfer import PostgresLocation

        return PostgresLocation(address)
    return SqliteLocation(Settings(data_dir=path).sqlite_file if path.is_dir() else path)


def _address(file: Path) -> str:
    """Return what stands in the file, where that may be an address; its password is then in no list of processes."""
    with file.open("rb") as opened:
        return opened.read(MOST_ADDRESS).decode("utf-8", "replace").strip()
