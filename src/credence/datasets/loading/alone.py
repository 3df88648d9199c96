"""One process at a time loads a data set."""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from credence.datasets.sources import LoadError


@contextmanager
def alone(target: Path) -> Iterator[None]:
    """Keep every other process from loading the same target; the system ends this with the process, however it dies.

    Raises LoadError when another is loading.
    """
    with target.with_name(f"{target.name}.lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise LoadError(f"{target.name} is being loaded by another process.") from error
        yield
