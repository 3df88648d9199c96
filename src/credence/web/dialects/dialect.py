"""Which dialect is a request in? The form of the request decides the form of the answer (D1, D2, D11)."""

from collections.abc import Mapping
from enum import Enum
from urllib.parse import parse_qsl

from credence.refusals import UNSUPPORTED_MEDIA_TYPE, Refused
from credence.web.dialects.media import Form, body_form
from credence.web.dialects.placement import has_basic
from credence.web.messages.request import Request

MOST_FIELDS = 1_000
"""Pairs looked at to tell the dialect; the body limit allows few more."""


class Dialect(Enum):
    """How something is said to the token or revocation endpoint."""

    HEADERS = "house, in headers alone"
    JSON = "house, with a JSON body"
    XML = "house, with an XML body"
    STANDARD = "RFC 6749, a form"


def token_dialect(request: Request) -> Dialect:
    """Return the dialect of a token request; Refused with 415 when it is in none (spec §7.4, §5.8, D1)."""
    if not request.body and _refreshes_by_headers(request.headers):
        return Dialect.HEADERS
    match body_form(request.headers):
        case Form.JSON:
            return Dialect.JSON
        case Form.XML:
            return Dialect.XML
        case Form.FORM:
            fields = _fields(request.body)
            grant_type, asserted = fields.get("grant_type"), fields.get("client_assertion", "").strip()
            if grant_type and (grant_type != "password" or asserted or has_basic(request.headers)):
                return Dialect.STANDARD
            raise Refused(UNSUPPORTED_MEDIA_TYPE, "media_type.form_of_house_request")
        case None:
            raise Refused(UNSUPPORTED_MEDIA_TYPE, "media_type.unknown")


def revocation_dialect(request: Request) -> Dialect:
    """Return the dialect of a revocation: RFC 7009's form when it carries the token, else headers alone (D11).

    A form while no header carries it either is RFC 7009's too, and is refused as that says (§2.2.1).
    """
    if body_form(request.headers) is not Form.FORM:
        return Dialect.HEADERS
    in_header = request.headers.get("token", "").strip()
    return Dialect.HEADERS if in_header and "token" not in _fields(request.body) else Dialect.STANDARD


def introspection_dialect(request: Request) -> Dialect:
    """Return the one dialect of an introspection (RFC 7662 §2.1); Refused with 415 when it is not in it."""
    if body_form(request.headers) is not Form.FORM:
        raise Refused(UNSUPPORTED_MEDIA_TYPE, "media_type.unknown")
    return Dialect.STANDARD


def _refreshes_by_headers(headers: Mapping[str, str]) -> bool:
    grant_type = headers.get("grant_type", "").strip()
    return grant_type == "refresh_token" or (not grant_type and bool(headers.get("refresh_token", "").strip()))


def _fields(body: bytes) -> dict[str, str]:
    """Return the decoded fields of a form, as far as they can be read: enough to tell the dialect."""
    try:
        return dict(parse_qsl(body.decode("latin-1"), keep_blank_values=True, max_num_fields=MOST_FIELDS))
    except ValueError:
        return {}
