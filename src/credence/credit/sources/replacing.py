"""A file is replaced as a whole or not at all: who opens it sees the old one or the new one, whatever happens."""

import contextlib
import fcntl
import os
from collections.abc import Iterator
from pathlib import Path

from credence.credit.sources import LoadError


@contextlib.contextmanager
def replacing(target: Path) -> Iterator[Path]:
    """Yield a path beside `target` to write to; when the block ends well, what was written takes its place.

    When the block raises, or the process dies, `target` stays as it was.
    """
    draft = target.with_name(f"{target.name}.draft")
    draft.unlink(missing_ok=True)
    try:
        yield draft
        _sync(draft)
        draft.replace(target)
        _sync(target.parent)
    finally:
        draft.unlink(missing_ok=True)


@contextlib.contextmanager
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


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
