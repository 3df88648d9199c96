"""Where a store lies, as it is said on the command line or in the settings."""

from pathlib import Path

from credence.settings import STORE_SCHEMES, Settings
from credence.store.moving.whole import Place
from credence.store.sqlite.whole import SqlitePlace


def place_of(settings: Settings) -> Place:
    """Return where the store of these settings lies, or is to lie."""
    return place(settings.store or str(settings.store_file))


def place(said: str) -> Place:
    """Return the place that is said: an address of PostgreSQL, a SQLite file, or the data folder it lies in."""
    if said.partition("://")[0] in STORE_SCHEMES:
        # Imported late, as where the store is opened.
        from credence.store.postgres.whole import PostgresPlace

        return PostgresPlace(said)
    path = Path(said)
    return SqlitePlace(Settings(data_dir=path).store_file if path.is_dir() else path)
