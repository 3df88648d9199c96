"""Replaces a file whole or not at all: who opens it sees the old one or the new one, whatever happens."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

FOR_ITS_OWNER = 0o600
FOR_EVERYONE = 0o644


def write_whole(path: Path, data: bytes, mode: int) -> None:
    """Put `data` in the place of whatever `path` holds; on disk when this returns. OSError when it cannot be."""
    with (
        replacing(path) as draft,
        os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as stream,
    ):
        stream.write(data)


@contextmanager
def replacing(target: Path) -> Iterator[Path]:
    """Yield a path beside `target` to write to; when the block ends well, what was written takes its place, on disk.

    When the block raises, or the process dies, `target` stays as it was.
    """
    draft = target.with_name(f"{target.name}.draft")
    draft.unlink(missing_ok=True)
    try:
        yield draft
        sync(draft)
        draft.replace(target)
        sync(target.parent)
    finally:
        draft.unlink(missing_ok=True)


def sync(path: Path) -> None:
    """See that what a file holds, or a folder names, is on disk. OSError when it cannot be."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
