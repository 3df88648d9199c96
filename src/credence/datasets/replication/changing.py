"""Changes a small shared data set, such as the disputes, with or without a shared store."""

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from credence.datasets.publish import Publish, publish_nowhere
from credence.store.contract import Conflict, StoreUnavailable

T = TypeVar("T")

_ATTEMPTS = 3
"""Maximum attempts, because another node may change the data set at the same time."""


def changed(folder: Path, store: str, name: str, change: Callable[[Publish], T]) -> T:
    """Return the result of `change`, applied to the newest edition of a shared data set.

    `store` is the address of a shared store, or empty. Call it in a thread: it writes files and may wait for the store.
    Raises what `change` raises, and StoreUnavailable if other nodes change the data set first every time.
    """
    if not store:
        return change(publish_nowhere)
    # Imported late: a deployment of one node does not need PostgreSQL.
    from credence.datasets.replication.publishing import catch_up, publisher

    for _ in range(_ATTEMPTS):
        catch_up(store, folder, [name])
        try:
            return change(publisher(store))
        except Conflict:
            continue
    raise StoreUnavailable(f"other nodes change the {name} at the same time")
