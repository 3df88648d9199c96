"""Reads the bulk accounts products: daily and monthly zips, one document after the other (credit §3.1).

The type of a member is determined by its first bytes, not by its name. A zip inside the zip is opened once, in memory.
Sizes are checked before anything is unpacked, so that a zip bomb costs no more than reading its directory.
"""

import datetime as dt
import io
import re
import struct
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import IO, NamedTuple

from credence.datasets.sources.accounts.document import MAX_DOCUMENT_BYTES
from credence.datasets.sources.source import LoadError, RejectedPlace


class FiledDocument(NamedTuple):
    """One document of a product, as it was filed."""

    where: str
    """Its place, such as `Accounts_Bulk_Data-2026-03-02.zip, Prod223_3951_15052776_20240831_CIC.zip, report.xhtml`."""
    id: str
    """The file name without suffix, after the name of a nested zip."""
    number: str
    """The company number in the file name; empty without one."""
    day: dt.date | None
    """The balance sheet date in the file name; None without one."""
    filed: dt.date | None
    """The date of a daily product; None for a monthly one, which has no filing dates."""
    data: bytes


class ZipLimits(NamedTuple):
    """The limits of one zip."""

    members: int
    unpacked_bytes: int
    """The unpacked size of all members together."""


PRODUCT = ZipLimits(members=1_000_000, unpacked_bytes=128 << 30)
"""The limits of a product; a monthly one has some 300,000 documents of 100 kB."""
NESTED = ZipLimits(members=64, unpacked_bytes=64 << 20)

_DAILY = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})\.zip", re.IGNORECASE)
_NAME = re.compile(r"Prod[0-9]{3}_[0-9]{1,10}_([A-Za-z0-9]{8})_([0-9]{8})(?![0-9])")
_ZIP = (b"PK\x03\x04", b"PK\x05\x06")
_DIRECTORY_ENTRY = b"PK\x01\x02"
_MAX_PLACE_LETTERS = 120
_DAMAGE = (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, struct.error, ValueError)
"""The errors of reading a damaged or encrypted zip."""


def documents(files: Sequence[Path]) -> Iterator[FiledDocument | RejectedPlace]:
    """Yield the documents of the files, zips or single documents, and a RejectedPlace for each unreadable member.

    Reasons: `zip.damaged`, `zip.members`, `zip.size`, `zip.nesting`; `member.junk`, `member.size`, `member.compression`,
    `member.encrypted`, `member.damaged`. Raises LoadError for a file that cannot be opened.
    """
    for file in files:
        try:
            with file.open("rb") as stream:
                if stream.read(4) in _ZIP:
                    stream.seek(0)
                    yield from _members(stream, _Place(_printable(file.name), filed=_filed(file.name)), PRODUCT)
                else:
                    stream.seek(0)
                    yield _single(stream, file.name)
        except OSError as error:
            raise LoadError(f"{file.name} cannot be read: {type(error).__name__}.") from error


class _Place(NamedTuple):
    """The place of a member, and the number and dates in the names that lead to it."""

    where: str
    id: str = ""
    number: str = ""
    day: dt.date | None = None
    filed: dt.date | None = None
    nested: bool = False

    def within(self, name: str) -> "_Place":
        stem = name.removesuffix(PurePosixPath(name).suffix)[:_MAX_PLACE_LETTERS]
        where = f"{self.where}, {_printable(name)}" if self.where else _printable(name)
        here = self._replace(where=where, id=f"{self.id}/{stem}" if self.id else stem)
        form = _NAME.match(PurePosixPath(name).name)
        return here._replace(number=form[1], day=_day(form[2])) if form else here


def _single(stream: IO[bytes], name: str) -> FiledDocument | RejectedPlace:
    place = _Place("").within(name)
    data = stream.read(MAX_DOCUMENT_BYTES + 1)
    return RejectedPlace(place.where, "member.size") if len(data) > MAX_DOCUMENT_BYTES else _source(place, data)


def _members(stream: IO[bytes], place: _Place, limits: ZipLimits) -> Iterator[FiledDocument | RejectedPlace]:
    try:
        archive = zipfile.ZipFile(stream)
    except _DAMAGE:
        yield RejectedPlace(place.where, "zip.damaged")
        return
    with archive:
        # Not `is_dir`, which raises IndexError for a member without a name.
        members = [each for each in archive.infolist() if not each.filename.endswith("/")]
        if len(members) > limits.members:
            yield RejectedPlace(place.where, "zip.members")
            return
        left = limits.unpacked_bytes
        for member in members:
            left -= member.file_size
            if left < 0:
                yield RejectedPlace(place.where, "zip.size")
                return
            yield from _member(archive, member, place.within(member.filename))


def _member(
    archive: zipfile.ZipFile, member: zipfile.ZipInfo, place: _Place
) -> Iterator[FiledDocument | RejectedPlace]:
    data = _unpack(archive, member)
    if isinstance(data, str):
        yield RejectedPlace(place.where, data)
    elif not data.startswith(_ZIP):
        yield _source(place, data)
    elif place.nested:
        yield RejectedPlace(place.where, "zip.nesting")
    elif data.count(_DIRECTORY_ENTRY) > NESTED.members * 2:  # before zipfile reads the directory
        yield RejectedPlace(place.where, "zip.members")
    else:
        yield from _members(io.BytesIO(data), place._replace(nested=True), NESTED)


def _unpack(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> bytes | str:
    """Return the bytes of a member, or the reason why it is rejected."""
    name = PurePosixPath(member.filename)
    if "__MACOSX" in name.parts or name.name.startswith("."):
        return "member.junk"
    if member.file_size > MAX_DOCUMENT_BYTES:
        return "member.size"
    if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        return "member.compression"
    if member.flag_bits & 1:
        return "member.encrypted"
    try:
        # zipfile never returns more than the stated size.
        return archive.read(member)
    except _DAMAGE:
        return "member.damaged"


def _source(place: _Place, data: bytes) -> FiledDocument:
    return FiledDocument(place.where, place.id, place.number, place.day, place.filed, data)


def _printable(name: str) -> str:
    return "".join(c if c.isprintable() else "?" for c in name[:_MAX_PLACE_LETTERS])


def _filed(name: str) -> dt.date | None:
    form = _DAILY.search(name)
    try:
        return dt.date.fromisoformat(form[1]) if form else None
    except ValueError:
        return None


def _day(digits: str) -> dt.date | None:
    try:
        return dt.date(int(digits[:4]), int(digits[4:6]), int(digits[6:]))
    except ValueError:
        return None
