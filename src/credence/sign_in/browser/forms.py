"""Reads the query and the form of a page request strictly, but with any parameters that applications send.

A form with a file comes as multipart/form-data (RFC 7578). Fetch Metadata says which site a request comes from (threats E5).
"""

import re
from functools import lru_cache
from urllib.parse import urlencode

from credence.oauth.authorization.request import Pairs, Parameters
from credence.refusals.refusal import Refused
from credence.refusals.requests import THREAT
from credence.refusals.sign_in import STEP_LOST
from credence.request_context import RequestContext
from credence.web.dialects.form import parse_form
from credence.web.messages.request import MediaType, body_media_type

MAX_PAIRS = 60


def query_pairs(request: RequestContext) -> Pairs:
    """Return the parameters of the query in order. Raises Refused if the query is malformed."""
    return parameters_of(query_text(request))


def query_text(request: RequestContext) -> str:
    """Return the query as received, form-encoded."""
    return request.query.decode("latin-1")


def form_pairs(request: RequestContext) -> Pairs:
    """Return the parameters of the form in order. Raises Refused if the body is not a form."""
    if body_media_type(request.headers) is not MediaType.FORM:
        raise Refused(THREAT, "form.syntax")
    return _pairs(request.body)


def form_values(request: RequestContext) -> dict[str, str]:
    """Return the fields of one of our own forms. Raises Refused if a name occurs twice."""
    pairs = form_pairs(request)
    values = dict(pairs)
    if len(values) != len(pairs):
        raise Refused(THREAT, "form.repeated")
    return values


@lru_cache(maxsize=64)
def parameters_of(query: str) -> Pairs:
    """Return the parameters of a query in order. Raises Refused if the query is malformed.

    The result is cached, because several steps of one request read it.
    """
    return tuple(_pairs(query.encode("latin-1")))


@lru_cache(maxsize=64)
def indexed(query: str) -> Parameters:
    """Return the parameters of a query by name. Raises Refused if the query is malformed."""
    return Parameters(parameters_of(query))


def written(pairs: Pairs) -> str:
    """Return the parameters as a query, form-encoded."""
    return urlencode(list(pairs))


def _pairs(data: bytes) -> Pairs:
    form = parse_form(data)
    if not form.well_formed or len(form.pairs) > MAX_PAIRS or b"\0" in data or b"%00" in data:
        raise Refused(THREAT, "form.syntax")
    return form.pairs


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


_OWN = frozenset({"same-origin", "none"})
"""A page of this origin, or the person, who typed the address or chose a bookmark (Fetch Metadata §2.2)."""


def require_same_origin(request: RequestContext) -> None:
    """Raise Refused if `Sec-Fetch-Site` names another origin; a browser that does not send the field is not refused."""
    if request.headers.get("sec-fetch-site", "same-origin") not in _OWN:
        raise Refused(STEP_LOST, "step.cross_site")
