"""Writes a file whole or not at all, so that a death at any moment leaves the old one or the new one."""

import os
from pathlib import Path

FOR_ITS_OWNER = 0o600
FOR_EVERYONE = 0o644


def write_whole(path: Path, data: bytes, mode: int = FOR_ITS_OWNER) -> None:
    """Put `data` in the place of whatever `path` holds; on disk when this returns. OSError when it cannot be."""
    draft = path.with_name(f"{path.name}.draft")
    draft.unlink(missing_ok=True)
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as stream:
        stream.write(data)
        stream.flush()
        os.fsync(stream.fileno())
    draft.replace(path)
