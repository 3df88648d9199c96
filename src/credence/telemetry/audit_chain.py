"""The chain of a trail: each line holds the digest of the line before, so a changed or missing line is found.

The digest has no key: an attacker who can read the key of the service could chain a forged trail with it. A rewritten trail
is detected by a digest that was noted, or received, elsewhere.
"""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from credence.telemetry.audit_files import DEEDS, AuditFiles, files_in_order

FIRST = ""
"""The link of a trail's first line."""

_TAIL_BYTES = 65_536
"""Bytes read from the end of a file: more than the length of any line."""


class Verified(NamedTuple):
    """The result of a check of a trail."""

    files: int
    lines: int
    since: str | None
    """The time of the oldest existing line."""
    until: str | None
    last_digest: str
    """The digest of the newest line."""
    faults: tuple[str, ...]
    """File, line number and description of each fault."""
    noted_found: bool
    """Whether a line has the digest that the operator noted."""


def chained_files(
    folder: Path, megabytes: int, max_files: int, copy: Callable[[bytes], None] | None = None
) -> AuditFiles:
    """Return the files of the trail of operations, whose lines are chained; `copy` gets every line with its link."""
    return AuditFiles(folder, DEEDS, megabytes, max_files, _link, copy)


def _link(lines: Sequence[bytes], file: Path) -> bytes:
    previous = last_digest(file)
    if previous is None:  # the file is new, so the previous line is the last line of the newest other file
        older = files_in_order(file.parent, DEEDS)
        previous = (last_digest(older[-1]) if older else None) or FIRST
    return linked(lines, previous)


def linked(lines: Sequence[bytes], previous: str) -> bytes:
    """Return the lines, each a JSON object and a line feed, with their links; `previous` is the digest before them."""
    written = []
    for line in lines:
        written.append(b'{"previous":"' + previous.encode() + b'",' + line[1:])
        previous = digest(written[-1])
    return b"".join(written)


def digest(line: bytes) -> str:
    """Return the digest of a line, without its line feed."""
    return hashlib.sha256(line.rstrip(b"\n")).hexdigest()


def last_digest(file: Path) -> str | None:
    """Return the digest of the last line of a file; None when it is empty or missing."""
    try:
        with file.open("rb") as stream:
            stream.seek(max(0, stream.seek(0, 2) - _TAIL_BYTES))
            end = stream.read(_TAIL_BYTES).rstrip(b"\n")
    except FileNotFoundError:
        return None
    return digest(end.rpartition(b"\n")[2]) if end else None


def verify(folder: Path, trail: str, noted: str | None = None) -> Verified:
    """Check every link of a trail.

    Lines before the first line with a link are of an earlier version and are only counted. A power failure may leave a line
    that is not complete JSON; the link after it covers that line too.
    """
    files = files_in_order(folder, trail)
    faults: list[str] = []
    times: list[str] = []
    count, previous, chained, found = 0, FIRST, False, noted is None
    for file, number, line in _lines(files):
        count += 1
        value = _object(line)
        link = value.get("previous") if value is not None else None
        if isinstance(link, str):
            if link != previous and (chained or count > 1):
                faults.append(f"{file.name}, line {number}: the line before it was changed or is missing")
            chained = True
        elif chained and value is not None:
            faults.append(f"{file.name}, line {number}: without a link")
        if value is not None and isinstance(value.get("time"), str):
            times = [*times[:1], value["time"]]
        previous = digest(line)
        found = found or previous == noted
    return Verified(
        len(files), count, times[0] if times else None, times[-1] if times else None, previous, tuple(faults), found
    )


def _lines(files: Sequence[Path]) -> Iterator[tuple[Path, int, bytes]]:
    for file in files:
        with file.open("rb") as stream:
            for number, line in enumerate(stream, start=1):
                yield file, number, line


def _object(line: bytes) -> dict[str, Any] | None:
    try:
        value = msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None
    return value if isinstance(value, dict) else None
