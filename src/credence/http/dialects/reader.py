"""Reads the body and headers of a token or revocation request (D1, D2, D8, D17).

`token_request` decides the dialect first: that is the 415 row of the specification. Then come structure and patterns.
"""

from collections.abc import Mapping
from urllib.parse import parse_qsl

from credence.guard.json_shape import read_json
from credence.guard.limits import Limits
from credence.guard.patterns import screen
from credence.guard.xml_shape import read_xml
from credence.http.dialects.media import Form, body_form
from credence.http.dialects.placement import gather, has_basic
from credence.http.request import Request
from credence.oauth.said import Said
from credence.refusals import THREAT, UNSUPPORTED_MEDIA_TYPE, Refused

BODY_ATTRIBUTES = ("client_id", "client_secret", "grant_type", "username", "password", "refresh_token")
SECRETS = frozenset({"client_secret", "password", "refresh_token", "token"})
"""Never screened: a secret may hold anything (D17)."""


def token_request(request: Request, limits: Limits) -> Said:
    """Return what a request to the token endpoint says; Refused with 415 or, for structure and patterns, 401."""
    form = body_form(request.headers)
    if not request.body and _refreshes_by_headers(request.headers):
        return _said(request, {}, standard=False)
    if form is None:
        raise Refused(UNSUPPORTED_MEDIA_TYPE, "media_type.unknown")
    if form is Form.FORM:
        fields = _read_form(request.body, limits)
        if not _is_standard(fields, request.headers):
            raise Refused(UNSUPPORTED_MEDIA_TYPE, "media_type.form_without_grant")
        return _said(request, fields, standard=True)
    return _said(request, _read_body(request.body, form, limits), standard=False)


def revocation_request(request: Request, limits: Limits) -> Said:
    """Return what a revocation says: RFC 7009's form when there is one, else the headers; other bodies are unused (D11)."""
    if request.body and body_form(request.headers) is Form.FORM:
        fields = _read_form(request.body, limits)
        if "token" in fields:
            return _said(request, fields, standard=True)
    return _said(request, {}, standard=False)


def _refreshes_by_headers(headers: Mapping[str, str]) -> bool:
    grant_type = headers.get("grant_type", "")
    return grant_type == "refresh_token" or (not grant_type.strip() and "refresh_token" in headers)


def _is_standard(fields: Mapping[str, object], headers: Mapping[str, str]) -> bool:
    grant_type = fields.get("grant_type")
    return bool(grant_type) and (grant_type != "password" or has_basic(headers))


def _read_body(body: bytes, form: Form, limits: Limits) -> dict[str, object]:
    return read_xml(body, limits) if form is Form.XML else read_json(body, limits)


def _read_form(body: bytes, limits: Limits) -> dict[str, object]:
    try:
        pairs = parse_qsl(
            body.decode("ascii"),
            keep_blank_values=True,
            strict_parsing=bool(body),
            errors="strict",
            max_num_fields=limits.members,
        )
    except (UnicodeDecodeError, ValueError):
        raise Refused(THREAT, "form.syntax") from None
    fields: dict[str, object] = dict(pairs)
    if len(fields) != len(pairs):  # RFC 6749 §3.1: a parameter comes once
        raise Refused(THREAT, "form.repeated")
    for name, value in pairs:
        if len(name) > limits.name or len(value) > limits.string * 8:
            raise Refused(THREAT, "form.string")
        if "\0" in name or "\0" in value:
            raise Refused(THREAT, "form.character")
    return fields


def _said(request: Request, fields: Mapping[str, object], *, standard: bool) -> Said:
    for name in ("client_id", "grant_type"):
        screen_text(request.headers.get(name, ""))
    _screen(fields)
    attributes = (*BODY_ATTRIBUTES, "token") if standard else BODY_ATTRIBUTES
    return gather(request.headers, {name: _text(fields.get(name)) for name in attributes}, standard=standard)


def _text(value: object) -> str | None:
    if value is None or isinstance(value, str):
        return value
    raise Refused(THREAT, "body.not_text")


def _screen(value: object) -> None:
    if isinstance(value, str):
        screen_text(value)
    elif isinstance(value, Mapping):
        for name, member in value.items():
            if name not in SECRETS:
                screen_text(name)
                _screen(member)
    elif isinstance(value, list):
        for element in value:
            _screen(element)


def screen_text(text: str) -> None:
    """Screen one decoded value (D17); letters, digits and underscores cannot match any pattern."""
    if text and not text.replace("_", "").isalnum():
        screen(text)
