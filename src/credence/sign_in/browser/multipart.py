"""Reads a form with a file from one of our own pages (multipart/form-data, RFC 7578), strictly."""

import re

from credence.refusals.refusal import Refused
from credence.refusals.requests import THREAT
from credence.request_context import RequestContext

MAX_PARTS = 20
MAX_HEAD_OCTETS = 1_024

_TYPE = re.compile(r'multipart/form-data;\s*boundary=("?)([0-9A-Za-z\'()+_,./:=?-]{1,70})\1', re.IGNORECASE).fullmatch
_NAME = re.compile(rb'content-disposition: *form-data; *name="([!#-~]{1,60})"(; *filename="[^\r\n]*")?', re.IGNORECASE)


def is_multipart(request: RequestContext) -> bool:
    """Return whether Content-Type is multipart/form-data."""
    return request.headers.get("content-type", "").lower().startswith("multipart/form-data")


def multipart_values(request: RequestContext, *, bytes_of_files: bool = False) -> dict[str, str]:
    """Return the fields by name; the value of a file is its text. Raises Refused for any other body or a repeated name.

    A file is UTF-8, or else in the encoding that spreadsheets on Windows write; its name and type are chosen by the
    person and are ignored. With `bytes_of_files` the value of a file has one character for each byte (Latin-1), and the
    field of its name followed by `_name` has the name of the file.
    """
    named = _TYPE(request.headers.get("content-type", "").strip())
    if named is None:
        raise Refused(THREAT, "form.syntax")
    mark = b"--" + named[2].encode()
    first, *parts = (b"\r\n" + request.body).split(b"\r\n" + mark, MAX_PARTS + 2)
    if first or not 2 <= len(parts) <= MAX_PARTS + 1 or parts[-1].strip() != b"--":
        raise Refused(THREAT, "form.syntax")
    values: dict[str, str] = {}
    for part in parts[:-1]:
        head, blank, content = part.partition(b"\r\n\r\n")
        name = _NAME.search(head)
        if not blank or len(head) > MAX_HEAD_OCTETS or name is None or not head.startswith(b"\r\n"):
            raise Refused(THREAT, "form.syntax")
        key = name[1].decode()
        if key in values:
            raise Refused(THREAT, "form.repeated")
        if bytes_of_files and name[2] is not None:
            values[key] = content.decode("latin-1")
            values[f"{key}_name"] = name[2].partition(b'"')[2][:-1].decode("utf-8", "replace")
        else:
            values[key] = _text(content, is_file=name[2] is not None)
    return values


def _text(content: bytes, *, is_file: bool) -> str:
    try:
        text = content.decode("utf-8-sig" if is_file else "utf-8")
    except UnicodeDecodeError:
        if not is_file:
            raise Refused(THREAT, "form.syntax") from None
        text = content.decode("cp1252", "replace")
    if "\0" in text:
        raise Refused(THREAT, "form.syntax")
    return text
