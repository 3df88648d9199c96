"""Reads a request to the token, revocation, introspection or pushed request endpoint: its dialect, then its attributes.

The dialect decides the format of the response (D1, D2, D11). Attributes are checked for structure and patterns (D8, D16,
D17, threats P8).
"""

import binascii
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from enum import Enum
from typing import Any
from urllib.parse import unquote_plus

import msgspec

from credence.crypto.jws import MAX_TOKEN_CHARACTERS
from credence.oauth.client_authentication.methods import CLIENT_SECRET_BASIC, CLIENT_SECRET_POST
from credence.oauth.parameters.attributes import Attributes
from credence.refusals.refusal import Refused
from credence.refusals.requests import FORM_CHARSET, FORM_UNSUPPORTED, THREAT, UNSUPPORTED_MEDIA_TYPE
from credence.request_context import RequestContext
from credence.screening.json_shape import read_json
from credence.screening.limits import Limits
from credence.screening.patterns import screen
from credence.screening.xml_shape import read_xml
from credence.web.dialects.form import TOKENS, ParsedForm, form_fields, parse_form
from credence.web.messages.request import MediaType, body_media_type, media_type_in_other_charset


class Dialect(Enum):
    """The wire form of a request to the token, revocation or introspection endpoint."""

    HEADERS = "house, in headers alone"
    JSON = "house, with a JSON body"
    XML = "house, with an XML body"
    STANDARD = "RFC 6749, a form"


_JSON, _FORM = MediaType.JSON, MediaType.FORM
STANDARD_DIALECT = Dialect.STANDARD
"""Names for the members that every request needs: up to Python 3.11 `MediaType.FORM` takes as long as two calls."""


class RequestFormat(msgspec.Struct, frozen=True):
    """The dialect of a request, and its form if the body is a form."""

    dialect: Dialect
    form: ParsedForm | None = None
    password_client: str | None = None
    """The client_id of a password grant with the client's secret in the form, which only some applications may send (D1).

    Any other application gets a 415.
    """
    supplements_headers: bool = False
    """Whether the body is used only for attributes that no header field has, and contains a token (D11)."""
    pushed: Sequence[tuple[str, str]] = ()
    """The parameters of a pushed authorization request. They are not screened, because applications choose their values."""


def token_request_format(request: RequestContext) -> RequestFormat:
    """Return the format of a token request. Raises Refused with 415 for any other media type (spec §7.4, §5.8, D1).

    A form is a standard request only if it has grant_type. A password grant in a form also needs an assertion, HTTP
    Basic or the client's secret; only some applications may send the secret there (`password_client`).
    """
    if not request.body and _refreshes_by_headers(request.headers):
        return RequestFormat(Dialect.HEADERS)
    media_type = body_media_type(request.headers)
    if media_type is None:
        raise _unsupported(request.headers)
    if media_type is not _FORM:
        return RequestFormat(Dialect.JSON if media_type is _JSON else Dialect.XML)
    form = parse_form(request.body)
    fields = dict(form.pairs)
    grant_type, asserted = fields.get("grant_type"), fields.get("client_assertion", "").strip()
    if grant_type and (grant_type != "password" or asserted or has_basic(request.headers)):
        return RequestFormat(STANDARD_DIALECT, form)
    client_id = fields.get("client_id", "")
    if grant_type and client_id.strip() and fields.get("client_secret", "").strip():
        return RequestFormat(STANDARD_DIALECT, form, password_client=client_id)
    raise Refused(FORM_UNSUPPORTED, "media_type.form_of_house_request")


def revocation_request_format(request: RequestContext) -> RequestFormat:
    """Return the format of a revocation: the form of RFC 7009 if it contains the token, else the house dialect (D11).

    A form is also in the standard dialect if no header field contains the token; RFC 7009 §2.2.1 then defines the
    refusal. A JSON or XML body is read only if a header field is missing.
    """
    headers = request.headers
    match body_media_type(headers):
        case MediaType.FORM:
            form = parse_form(request.body)
            if not headers.get("token", "").strip() or dict(form.pairs).get("token"):
                return RequestFormat(Dialect.STANDARD, form)
        case MediaType.JSON if request.body and not _revokes_by_headers(headers):
            return RequestFormat(Dialect.JSON, supplements_headers=True)
        case MediaType.XML if request.body and not _revokes_by_headers(headers):
            return RequestFormat(Dialect.XML, supplements_headers=True)
    return RequestFormat(Dialect.HEADERS)


def form_request_format(request: RequestContext) -> RequestFormat:
    """Return the format of a request that is always a form (RFC 7662 §2.1, RFC 8628 §3.1); raises Refused 415 otherwise."""
    if body_media_type(request.headers) is not _FORM:
        raise _unsupported(request.headers)
    return RequestFormat(STANDARD_DIALECT, parse_form(request.body))


def pushed_request_format(request: RequestContext) -> RequestFormat:
    """Return the format of a pushed authorization request, always a form (RFC 9126 §2.1); raises Refused 415 otherwise."""
    if body_media_type(request.headers) is not MediaType.FORM:
        raise _unsupported(request.headers)
    form = parse_form(request.body)
    if not form.well_formed or any("\0" in name + value for name, value in form.pairs):
        raise Refused(THREAT, "form.syntax")
    client = [pair for pair in form.pairs if pair[0] in CLIENT_ATTRIBUTES]
    pushed = tuple(pair for pair in form.pairs if pair[0] == "client_id" or pair[0] not in CLIENT_ATTRIBUTES)
    return RequestFormat(Dialect.STANDARD, ParsedForm(client, well_formed=True), pushed=pushed)


def _unsupported(headers: Mapping[str, str]) -> Refused:
    match media_type_in_other_charset(headers):
        case None:
            return Refused(UNSUPPORTED_MEDIA_TYPE, "media_type.unknown")
        case MediaType.FORM:
            return Refused(FORM_CHARSET, "media_type.charset")
        case _:
            return Refused(UNSUPPORTED_MEDIA_TYPE, "media_type.charset")


def _refreshes_by_headers(headers: Mapping[str, str]) -> bool:
    grant_type = headers.get("grant_type", "").strip()
    return grant_type == "refresh_token" or (not grant_type and bool(headers.get("refresh_token", "").strip()))


def _revokes_by_headers(headers: Mapping[str, str]) -> bool:
    by_headers = all(headers.get(name, "").strip() for name in _CLIENT_ATTRIBUTES)
    return bool(headers.get("token", "").strip()) and (by_headers or has_basic(headers))


_CLIENT_ATTRIBUTES = ("client_id", "client_secret")
CLIENT_ATTRIBUTES = frozenset({"client_id", "client_secret", "client_assertion", "client_assertion_type"})
HOUSE_ATTRIBUTES = frozenset({"client_id", "client_secret", "grant_type", "username", "password", "refresh_token"})
STANDARD_ATTRIBUTES = HOUSE_ATTRIBUTES | {
    "client_assertion",
    "client_assertion_type",
    "token",
    "code",
    "code_verifier",
    "redirect_uri",
    "device_code",
    "scope",
    "authorization_details",
    "assertion",
    "subject_token",
    "subject_token_type",
    "actor_token",
    "actor_token_type",
    "requested_token_type",
}
SECRETS = TOKENS | {"client_secret", "password", "code_verifier", "redirect_uri", "authorization_details"}
"""Parameters that are not screened: secrets may be any text (D17), redirect URIs are compared with registered ones, and
authorization details are JSON of which every member has a form."""


def read(request: RequestContext, request_format: RequestFormat, limits: Limits) -> Attributes:
    """Return the attributes. Raises Refused as a threat if the body does not parse or a value matches a pattern."""
    for name in ("client_id", "grant_type"):
        if name in request.headers:
            screen_text(request.headers[name])
    fields = _fields(request.body, request_format, limits)
    standard = request_format.dialect is STANDARD_DIALECT
    names: Collection[str] = STANDARD_ATTRIBUTES if standard else HOUSE_ATTRIBUTES
    if request_format.supplements_headers:
        names = _lacking(request.headers)
    for name, value in fields.items():
        if name not in names:  # the others cannot match any pattern
            screen_text(name)
        if name not in SECRETS:
            _screen(value)
    named = {name: value if isinstance(value, str) else _text(value) for name, value in fields.items() if name in names}
    resources = _values(fields, "resource") if standard and "resource" in fields else ()
    audiences = _values(fields, "audience") if standard and "audience" in fields else ()
    attributes = gather(request.headers, named, resources, audiences, request_format.pushed, standard=standard)
    screen_text(attributes.client_id or "")  # also a client_id of HTTP Basic, which `gather` has decoded
    return attributes


def _lacking(headers: Mapping[str, str]) -> Collection[str]:
    """Return the attributes of a revocation that the header fields lack."""
    lacking = {name for name in (*_CLIENT_ATTRIBUTES, "token") if not headers.get(name, "").strip()}
    return lacking.difference(_CLIENT_ATTRIBUTES) if has_basic(headers) else lacking


def screened_form(form: ParsedForm, limits: Limits) -> Mapping[str, str | list[str]]:
    """Return the fields of a form. Raises Refused as a threat if it breaks a rule or a value matches a pattern."""
    fields = form_fields(form, limits)
    _screen(fields)
    return fields


def read_screened_json(body: bytes, limits: Limits, unscreened: Collection[str]) -> Mapping[str, object]:
    """Return the members of a JSON object. Raises Refused as a threat like `screened_form`.

    The members in `unscreened` may be any text.
    """
    members = read_json(body, limits)
    _screen(members, SECRETS | set(unscreened))
    return members


def screen_text(text: str) -> None:
    """Screen one decoded value (D17). Letters, digits and underscores alone cannot match a pattern and are not searched.

    Raises Refused as a threat.
    """
    if text and not text.replace("_", "").isalnum():
        screen(text)


def _fields(body: bytes, request_format: RequestFormat, limits: Limits) -> Mapping[str, object]:
    if request_format.form is not None:
        return form_fields(request_format.form, limits)
    if request_format.supplements_headers:
        limits = replace(limits, string=MAX_TOKEN_CHARACTERS)  # an access token is longer than other text (threats T10)
    match request_format.dialect:
        case Dialect.JSON:
            return read_json(body, limits)
        case Dialect.XML:
            return read_xml(body, limits)
        case _:
            return {}


def _values(fields: Mapping[str, object], name: str) -> Sequence[str]:
    """Return the values of a repeatable parameter without duplicates."""
    values = fields[name]
    return tuple(dict.fromkeys(values)) if isinstance(values, list) else ()


def _text(value: object) -> str | None:
    if value is None or isinstance(value, str):
        return value
    raise Refused(THREAT, "body.not_a_string")


def _screen(value: object, unscreened: Collection[str] = SECRETS) -> None:
    if isinstance(value, str):
        screen_text(value)
    elif isinstance(value, (dict, Mapping)):  # `dict` first, which is ten times as fast
        for name, member in value.items():
            screen_text(name)
            if name not in unscreened:
                _screen(member, unscreened)
    elif isinstance(value, list):
        for element in value:
            _screen(element, unscreened)


HEADER_ATTRIBUTES = frozenset({"client_id", "client_secret", "grant_type", "refresh_token", "token"})


def gather(
    headers: Mapping[str, str],
    body: Mapping[str, str | None],
    resources: Sequence[str] = (),
    audiences: Sequence[str] = (),
    pushed: Sequence[tuple[str, str]] = (),
    *,
    standard: bool,
) -> Attributes:
    """Return all attributes of a request, read from header fields, HTTP Basic and body."""
    by_basic = has_basic(headers)
    in_basic = _read_basic(headers["authorization"], form_decoded=standard) if by_basic else {}
    found: dict[str, Any] = {}
    if not HEADER_ATTRIBUTES.isdisjoint(headers):
        found = {name: headers[name] for name in HEADER_ATTRIBUTES if name in headers and headers[name].strip()}
    conflicting_values = in_basic is None
    for place in (in_basic or {}, body):
        for name, value in place.items():
            if value and not value.isspace() and found.setdefault(name, value) != value:
                conflicting_values = True
    secret_in_form = standard and bool((body.get("client_secret") or "").strip())
    secret_method, several_methods = CLIENT_SECRET_POST if secret_in_form else None, by_basic and secret_in_form
    if standard and in_basic and in_basic["client_secret"].strip():
        secret_method = CLIENT_SECRET_BASIC
    if standard and "client_assertion" in found:  # only together with one does a secret in a header field count (D2)
        several_methods = by_basic or "client_secret" in found
    found |= {  # one dictionary: with further names in the call it takes twice as long
        "resources": tuple(resources),
        "audiences": tuple(audiences),
        "pushed": tuple(pushed),
        "conflicting_values": conflicting_values,
        "standard": standard,
        "secret_method": secret_method,
        "multiple_client_auth_methods": several_methods,
    }
    return Attributes(**found)


def has_basic(headers: Mapping[str, str]) -> bool:
    """Return whether the request uses HTTP Basic (RFC 7617 §2)."""
    return headers.get("authorization", "")[:6].lower() == "basic "


def _read_basic(authorization: str, *, form_decoded: bool) -> dict[str, str] | None:
    try:
        text = binascii.a2b_base64(authorization[6:].strip(), strict_mode=True).decode()
    except ValueError:  # not ASCII, not base64, not UTF-8
        return None
    client_id, colon, secret = text.partition(":")
    if not colon:
        return None
    if form_decoded and ("%" in text or "+" in text):  # RFC 6749 §2.3.1
        client_id, secret = unquote_plus(client_id), unquote_plus(secret)
    return {"client_id": client_id, "client_secret": secret}
