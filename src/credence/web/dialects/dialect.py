"""The dialect of a request to a token endpoint, which decides the format of the response (D1, D2, D11)."""

from collections.abc import Mapping
from enum import Enum
from typing import NamedTuple

from credence.refusals import UNSUPPORTED_MEDIA_TYPE, Refused
from credence.request_context import RequestContext
from credence.web.dialects.form import ParsedForm, parse_form
from credence.web.dialects.media import Form, body_form
from credence.web.dialects.placement import has_basic


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
