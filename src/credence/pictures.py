"""Reads an operator's picture for pages: PNG, JPEG or WebP, recognised by its first octets.

SVG is refused, because a browser that opens its address runs the scripts in it.
"""

from pathlib import Path
from typing import NamedTuple

MAX_PICTURE_BYTES = 100_000


class Picture(NamedTuple):
    """A picture as browsers get it."""

    media_type: str
    data: bytes


def read_picture(file: Path) -> Picture:
    """Return the picture in a file; raises ValueError with a message for the operator if it is not one."""
    try:
        with file.open("rb") as stream:
            data = stream.read(MAX_PICTURE_BYTES + 1)
    except OSError as error:
        raise ValueError(f"{file} cannot be read: {error.strerror}") from None
    if len(data) > MAX_PICTURE_BYTES:
        raise ValueError(f"{file} has more than {MAX_PICTURE_BYTES // 1000} KB")
    media_type = _media_type(data)
    if media_type is None:
        raise ValueError(f"{file} is neither PNG nor JPEG nor WebP")
    return Picture(media_type, data)


def _media_type(data: bytes) -> str | None:
    """Return the media type by the signatures of PNG (RFC 2083 §3.1), JPEG (ISO 10918-1 B.1) and WebP (RFC 9649 §2.4)."""
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return "image/png"
    if data.startswith(b"\xff\xd8\xff"):
        return "image/jpeg"
    if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
        return "image/webp"
    return None
