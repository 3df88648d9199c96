"""Archives whose bytes follow from their content: names sorted, one time, owners by number."""

import gzip
import io
import tarfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path


@dataclass(frozen=True)
class Entry:
    """A file, folder or symbolic link, at a path without a slash at its beginning.

    `content` is None for a folder, a string for the target of a link, and bytes or a file for a file.
    """

    path: str
    content: bytes | str | Path | None
    mode: int = 0o644
    owner: int = 0

    def read(self) -> bytes:
        """Return the bytes of a file; of a folder or link none."""
        if isinstance(self.content, Path):
            return self.content.read_bytes()
        return self.content if isinstance(self.content, bytes) else b""


def folder_entries(folder: Path, prefix: str, wanted: Callable[[str], bool] = lambda _: True) -> list[Entry]:
    """Return what a folder holds below a prefix; of the modes only whether a file can be executed is kept."""
    found = [Entry(prefix, None, 0o755)]
    for file in folder.rglob("*"):
        relative = file.relative_to(folder).as_posix()
        path = f"{prefix}/{relative}"
        if not wanted(relative):
            continue
        if file.is_symlink():
            found.append(Entry(path, str(file.readlink()), 0o777))
        elif file.is_dir():
            found.append(Entry(path, None, 0o755))
        else:
            found.append(Entry(path, file, 0o755 if file.stat().st_mode & 0o100 else 0o644))
    return found


def with_folders(entries: Iterable[Entry]) -> list[Entry]:
    """Return the entries by path, each once, with the folders above them that they do not name."""
    named = {each.path: each for each in entries}
    for path in list(named):
        for above in list(Path(path).parents)[:-1]:
            named.setdefault(above.as_posix(), Entry(above.as_posix(), None, 0o755))
    return [named[path] for path in sorted(named)]


def tar(entries: Iterable[Entry], seconds: int, prefix: str = "") -> bytes:
    """Return a tar archive of the entries, all of one time in seconds since 1970."""
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w", format=tarfile.GNU_FORMAT) as archive:
        for each in with_folders(entries):
            member = tarfile.TarInfo(prefix + each.path)
            member.mtime, member.mode, member.uid, member.gid = seconds, each.mode, each.owner, each.owner
            if each.content is None:
                member.type = tarfile.DIRTYPE
            elif isinstance(each.content, str):
                member.type, member.linkname = tarfile.SYMTYPE, each.content
            content = each.read()
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return stream.getvalue()


def compressed(data: bytes) -> bytes:
    """Return the bytes as gzip, without a time and a name."""
    return gzip.compress(data, compresslevel=6, mtime=0)


def owned(entries: Iterable[Entry], owner: int) -> list[Entry]:
    """Return the entries as those of a user and group with one number."""
    return [replace(each, owner=owner) for each in entries]
