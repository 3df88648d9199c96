"""Atomic replacement of files: a reader sees the old file or the new one, complete, even after a crash."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

OWNER_ONLY = 0o600
WORLD_READABLE = 0o644

_OTHERS = 0o077
_GROUP_MAY_READ = 0o040


def is_exposed(path: Path) -> bool:
    """Return whether users other than the owner can read or change a file; False if it does not exist.

    The group may read a file owned by root, because Kubernetes and systemd mount secrets in this way.
    """
    try:
        found = path.stat()
    except FileNotFoundError:
        return False
    allowed = _GROUP_MAY_READ if found.st_uid == 0 else 0
    return bool(found.st_mode & _OTHERS & ~allowed)


def write_atomically(path: Path, data: bytes, mode: int) -> None:
    """Replace or create the file `path` with this content and permission mode; durable on return. Raises OSError."""
    with (
        atomic_replacement(path) as draft,
        os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as stream,
    ):
        stream.write(data)


@contextmanager
def atomic_replacement(target: Path) -> Iterator[Path]:
    """Yield a path in the folder of `target` to write to. When the block ends, that file replaces `target`, durably.

    If the block raises, or the process is killed, `target` is unchanged.
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
    """Flush the content of a file, or the entries of a folder, to disk (fsync). Raises OSError."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
