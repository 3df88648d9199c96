"""Changes a small shared data set, such as the disputes: as a command would, on one node and on nodes that share a store."""

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from credence.datasets.publish import Publish, publish_nowhere
from credence.store.contract import Conflict, StoreUnavailable

T = TypeVar("T")

_ATTEMPTS = 3
"""Attempts, because another node may change the data set at the same time."""


def changed(folder: Path, store: str, name: str, change: Callable[[Publish], T]) -> T:
    """Return the result of `change`, made to the newest edition of a shared data set.

    `store` is the address of a shared store, or empty. It is for a thread, because it writes files and may wait for the
    store. Raises what `change` does, and StoreUnavailable if other nodes are always first.
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
