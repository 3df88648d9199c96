"""The dialect of a request to a token endpoint, which decides the format of the response, and where attributes may be.

D1, D2, D11, threats P8.
"""

import base64
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import NamedTuple
from urllib.parse import unquote_plus

from credence.oauth.parameters.attributes import Attributes
from credence.refusals import UNSUPPORTED_MEDIA_TYPE, Refused
from credence.request_context import RequestContext
from credence.web.dialects.form import ParsedForm, parse_form
from credence.web.dialects.media import Form, body_form


class Dialect(Enum):
    """The wire form of a request to the token, revocation or introspection endpoint."""

    HEADERS = "house, in headers alone"
    JSON = "house, with a JSON body"
    XML = "house, with an XML body"
    STANDARD = "RFC 6749, a form"


class RequestFormat(NamedTuple):
    """The dialect of a request, with its form when the body is one."""

    dialect: Dialect
    form: ParsedForm | None = None


def token_request_format(request: RequestContext) -> RequestFormat:
    """Return the format of a token request; Refused with 415 for any other media type (spec §7.4, §5.8, D1)."""
    if not request.body and _refreshes_by_headers(request.headers):
        return RequestFormat(Dialect.HEADERS)
    match body_form(request.headers):
        case Form.JSON:
            return RequestFormat(Dialect.JSON)
        case Form.XML:
            return RequestFormat(Dialect.XML)
        case Form.FORM:
            form = parse_form(request.body)
            fields = dict(form.pairs)
            grant_type, asserted = fields.get("grant_type"), fields.get("client_assertion", "").strip()
            if grant_type and (grant_type != "password" or asserted or has_basic(request.headers)):
                return RequestFormat(Dialect.STANDARD, form)
            raise Refused(UNSUPPORTED_MEDIA_TYPE, "media_type.form_of_house_request")
        case None:
            raise Refused(UNSUPPORTED_MEDIA_TYPE, "media_type.unknown")


def revocation_request_format(request: RequestContext) -> RequestFormat:
    """Return the format of a revocation: the form of RFC 7009 if it contains the token, else headers alone (D11).

    A form is in the standard dialect as well when no header contains the token: the refusal is that of RFC 7009 §2.2.1.
    """
    if body_form(request.headers) is not Form.FORM:
        return RequestFormat(Dialect.HEADERS)
    form = parse_form(request.body)
    if request.headers.get("token", "").strip() and "token" not in dict(form.pairs):
        return RequestFormat(Dialect.HEADERS)
    return RequestFormat(Dialect.STANDARD, form)


def introspection_request_format(request: RequestContext) -> RequestFormat:
    """Return the format of an introspection, always a form (RFC 7662 §2.1); Refused with 415 for any other body."""
    if body_form(request.headers) is not Form.FORM:
        raise Refused(UNSUPPORTED_MEDIA_TYPE, "media_type.unknown")
    return RequestFormat(Dialect.STANDARD, parse_form(request.body))


def _refreshes_by_headers(headers: Mapping[str, str]) -> bool:
    grant_type = headers.get("grant_type", "").strip()
    return grant_type == "refresh_token" or (not grant_type and bool(headers.get("refresh_token", "").strip()))


HEADER_ATTRIBUTES = ("client_id", "client_secret", "grant_type", "refresh_token", "token")


def gather(
    headers: Mapping[str, str], body: Mapping[str, str | None], resources: Sequence[str] = (), *, standard: bool
) -> Attributes:
    """Return all attributes of a request, each from its place."""
    by_basic = has_basic(headers)
    in_basic = _read_basic(headers["authorization"], form_decoded=standard) if by_basic else {}
    in_headers = {name: headers[name] for name in HEADER_ATTRIBUTES if name in headers}
    conflicting_values = in_basic is None
    found: dict[str, str] = {}
    for place in (in_headers, in_basic or {}, body):
        for name, value in place.items():
            if value and value.strip() and found.setdefault(name, value) != value:
                conflicting_values = True
    return Attributes(
        **found,
        resources=tuple(resources),
        conflicting_values=conflicting_values,
        standard=standard,
        multiple_client_auth_methods=standard and _has_multiple_methods(by_basic, body, found),
    )


def has_basic(headers: Mapping[str, str]) -> bool:
    """Return whether the request uses HTTP Basic (RFC 7617 §2)."""
    return headers.get("authorization", "")[:6].lower() == "basic "


def _has_multiple_methods(by_basic: bool, body: Mapping[str, str | None], found: Mapping[str, str]) -> bool:
    """Return whether two of HTTP Basic, a secret in the form and an assertion occur (a secret in a header is D2)."""
    if "client_assertion" in found:
        return by_basic or "client_secret" in found
    return by_basic and bool((body.get("client_secret") or "").strip())


def _read_basic(authorization: str, *, form_decoded: bool) -> dict[str, str] | None:
    try:
        text = base64.b64decode(authorization[6:].strip(), validate=True).decode()
    except ValueError:  # not ASCII, not base64, not UTF-8
        return None
    client_id, colon, secret = text.partition(":")
    if not colon:
        return None
    if form_decoded:  # RFC 6749 §2.3.1
        client_id, secret = unquote_plus(client_id), unquote_plus(secret)
    return {"client_id": client_id, "client_secret": secret}
