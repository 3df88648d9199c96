"""Writes token responses and refusals in the response format of the request (spec §2.3, §7, D8, D9, D10, D21)."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any
from xml.sax.saxutils import escape

import msgspec

from credence import paths
from credence.oauth.issue import Issued
from credence.refusals.credit import CREDIT_ERRORS
from credence.refusals.refusal import SUPPORT_EMAIL, Refusal
from credence.refusals.requests import SPIKE_ARREST
from credence.request_context import ResponseFormat
from credence.settings import Settings
from credence.web.messages.answer import JSON, PROBLEM, XML, Answer
from credence.web.messages.caching import NO_STORE, VARY
from credence.web.messages.request import MediaType

_STANDARD = ResponseFormat.STANDARD
"""A name for it, because up to Python 3.11 `ResponseFormat.STANDARD` takes as long as two calls."""


def house_format(form: MediaType) -> ResponseFormat:
    """Return the response format of the house dialect for a media type."""
    return ResponseFormat.HOUSE_XML if form is MediaType.XML else ResponseFormat.HOUSE_JSON


def token_answer(issued: Issued, response_format: ResponseFormat, *, in_seconds: bool = False) -> Answer:
    """Return the token response: numbers are strings of digits in the house dialect, JSON numbers in the standard one (D10).

    `issued_at` is in milliseconds, or in seconds if `in_seconds` (D4).
    """
    standard = response_format is _STANDARD
    fields: dict[str, Any] = {
        "issued_at": str(issued.issued_at // 1000 if in_seconds else issued.issued_at),
        "expires_in": issued.expires_in if standard else str(issued.expires_in),
        "token_type": issued.token_type if standard else "Bearer",
        "access_token": issued.access_token,
    }
    if issued.refresh_token is not None:
        fields["refresh_token"] = issued.refresh_token
    if standard:
        if issued.refresh_token is not None:
            fields["refresh_token_expires_in"] = issued.refresh_token_expires_in
        if issued.scope:
            fields["scope"] = issued.scope
        if issued.rights is not None:
            fields["authorization_details"] = msgspec.to_builtins(issued.rights)
        if issued.id_token is not None:
            fields["id_token"] = issued.id_token
        if issued.issued_token_type is not None:
            fields["issued_token_type"] = issued.issued_token_type
    elif response_format is ResponseFormat.HOUSE_XML:
        return Answer(200, XML, _xml("TokenResponse", _elements(fields)), (NO_STORE, VARY))
    return Answer(200, JSON, msgspec.json.encode(fields), (NO_STORE, VARY))


def refusal_answer(
    refusal: Refusal,
    response_format: ResponseFormat,
    settings: Settings,
    *headers: tuple[str, str],
    reason: str | None = None,
    request_id: str = "",
) -> Answer:
    """Return the response to a refused request.

    With a reason code, a standard response links to its explanation, and a problem detail has reason code and request
    id as members (RFC 9457 §3.2).
    """
    if response_format is ResponseFormat.PROBLEM:
        return _problem(refusal, settings, headers, reason, request_id)
    status = _refusal_status(refusal, response_format, settings)
    media_type = XML if response_format is ResponseFormat.HOUSE_XML and refusal.name not in CREDIT_ERRORS else JSON
    explained = explanation(settings, reason) if reason else None
    body = _refusal_body(refusal, response_format, settings.support_email, explained)
    return Answer(status, media_type, body, (NO_STORE, VARY, *headers))


def explanation(settings: Settings, reason: str) -> str:
    """Return the address at which the sandbox explains a reason code."""
    return f"{settings.issuer}{paths.REFERENCE}/reasons#{reason}"


def _problem(
    refusal: Refusal, settings: Settings, headers: tuple[tuple[str, str], ...], reason: str | None, request_id: str
) -> Answer:
    status = _refusal_status(refusal, ResponseFormat.PROBLEM, settings)
    body: dict[str, object] = {
        "type": "about:blank",
        "title": refusal.error_type,
        "status": status,
        "detail": refusal.message.replace(SUPPORT_EMAIL, settings.support_email),
        "request_id": request_id,
    }
    encoded = msgspec.json.encode(body | ({"reason": reason} if reason else {}))
    return Answer(status, PROBLEM, encoded, (NO_STORE, *headers))


def _refusal_status(refusal: Refusal, response_format: ResponseFormat, settings: Settings) -> int:
    if refusal is SPIKE_ARREST:
        return settings.spike_status  # D16
    return refusal.oauth_status if response_format is ResponseFormat.STANDARD else refusal.status


@lru_cache(maxsize=256)
def _refusal_body(
    refusal: Refusal, response_format: ResponseFormat, support_email: str, explained: str | None
) -> bytes:
    message = refusal.message.replace(SUPPORT_EMAIL, support_email)
    if refusal.name in CREDIT_ERRORS:
        return msgspec.json.encode({"Error": {"Code": refusal.status, "Message": message}})
    if response_format is ResponseFormat.HOUSE_XML:
        return _xml("Errors", f"<Error>{_elements({'errorType': refusal.error_type, 'message': message})}</Error>")
    body: dict[str, object] = {
        "errors": [{"errorType": refusal.error_type, "message": message}],
        "success": False,
    }
    if response_format is ResponseFormat.STANDARD:
        description = refusal.description or message
        body |= {"error": refusal.oauth_error, "error_description": description.replace('"', "'")}
        if explained:
            body["error_uri"] = explained  # RFC 6749 §5.2
    return msgspec.json.encode(body)


def _xml(root: str, inner: str) -> bytes:
    return f'<?xml version="1.0" encoding="UTF-8"?><{root}>{inner}</{root}>'.encode()


def _elements(fields: Mapping[str, str | int]) -> str:
    return "".join(f"<{name}>{escape(str(value))}</{name}>" for name, value in fields.items())
