"""The responses of the OpenAPI document: each refusal in every response format of its route.

Statuses, media types and messages come from `refusal_answer`, so each example is what the service sends.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape
from http import HTTPStatus
from typing import Any

import msgspec

from credence.api.reference.described import operation_of
from credence.api.reference.described_bodies import BODIES
from credence.api.reference.models import any_of
from credence.ratelimit.header_fields import FIELDS as RATE_LIMIT_FIELDS
from credence.refusals.credentials import (
    AUTHENTICATION_FAILED,
    CLIENT_MISSING,
    CLIENT_PROVES_TWICE,
    INSUFFICIENT_AUTHENTICATION,
    INSUFFICIENT_SCOPE,
    INVALID_DPOP_PROOF,
    INVALID_TOKEN,
    USE_DPOP_NONCE,
    WRONG_CLIENT,
)
from credence.refusals.credit import CREDIT_ERRORS
from credence.refusals.refusal import Refusal
from credence.refusals.registration import REGISTRATION_TOKEN_INVALID, REGISTRATIONS_TOO_MANY
from credence.refusals.requests import (
    FORBIDDEN,
    FORM_UNSUPPORTED,
    HOST_MALFORMED,
    INTERNAL,
    METHOD_NOT_ALLOWED,
    MISDIRECTED,
    NOT_FOUND,
    SPIKE_ARREST,
    STORE_DAMAGED,
    THREAT,
    UNSUPPORTED_MEDIA_TYPE,
)
from credence.refusals.resources import RESOURCE_ERRORS
from credence.refusals.table import EVERY_REFUSAL
from credence.request_context import ResponseFormat
from credence.settings import Settings
from credence.web.dialects.writer import refusal_answer
from credence.web.messages.answer import HTML, JSON, PROBLEM, XML, Answer
from credence.web.routing.operation import Content
from credence.web.routing.route import Protection, Route

ERROR_MODELS: dict[ResponseFormat, type] = {
    ResponseFormat.HOUSE_JSON: BODIES["ErrorBody"],
    ResponseFormat.HOUSE_XML: BODIES["Errors"],
    ResponseFormat.STANDARD: BODIES["StandardErrorBody"],
    ResponseFormat.PROBLEM: BODIES["Problem"],
}

_OF_REQUEST = (HOST_MALFORMED, MISDIRECTED, THREAT)

_OF_PROTECTION = {
    Protection.PUBLIC: (*_OF_REQUEST, INTERNAL),
    Protection.BEARER: (
        *_OF_REQUEST,
        AUTHENTICATION_FAILED,
        INVALID_TOKEN,
        INVALID_DPOP_PROOF,
        USE_DPOP_NONCE,
        SPIKE_ARREST,
        FORBIDDEN,
        INSUFFICIENT_AUTHENTICATION,
        INSUFFICIENT_SCOPE,
        INTERNAL,
        STORE_DAMAGED,
    ),
    Protection.REGISTRATION: (
        *_OF_REQUEST,
        AUTHENTICATION_FAILED,
        REGISTRATION_TOKEN_INVALID,
        REGISTRATIONS_TOO_MANY,
        INTERNAL,
        STORE_DAMAGED,
    ),
    Protection.BROWSER: (),
    Protection.PERSON: (),
    Protection.CLIENT: (
        *_OF_REQUEST,
        CLIENT_MISSING,
        CLIENT_PROVES_TWICE,
        SPIKE_ARREST,
        WRONG_CLIENT,
        INTERNAL,
        STORE_DAMAGED,
    ),
}
"""Protection -> refusals of every route with it; the route's own refusals follow."""

_BEFORE_DIALECT = {
    HOST_MALFORMED,
    MISDIRECTED,
    METHOD_NOT_ALLOWED,
    UNSUPPORTED_MEDIA_TYPE,
    NOT_FOUND,
}
"""Refusals that precede the choice of the dialect (D3)."""

_SUFFIXES = {
    ResponseFormat.HOUSE_JSON: "",
    ResponseFormat.HOUSE_XML: "_xml",
    ResponseFormat.STANDARD: "_oauth",
    ResponseFormat.PROBLEM: "_problem",
}


@dataclass(frozen=True, slots=True)
class _Example:
    """A refusal in one response format."""

    name: str
    answer: Answer
    model: type

    @property
    def as_example(self) -> dict[str, Any]:
        """Return the example object of OpenAPI."""
        body, status = self.answer.body, self.answer.status
        value = msgspec.json.decode(body) if self.answer.media_type in {JSON, PROBLEM} else body.decode()
        return {**_example(f"{status} {reason_phrase(status)}", value, self.answer.media_type), "x-status": status}


def refusal_examples(settings: Settings) -> dict[str, Any]:
    """Return every refusal in every response format as an example by name, in the order of the error table."""
    formats = tuple(ResponseFormat)
    return {each.name: each.as_example for refusal in EVERY_REFUSAL for each in _examples(refusal, settings, formats)}


def responses(route: Route, settings: Settings) -> dict[str, Any]:
    """Return the responses of a route by status."""
    found: dict[str, Any] = {}
    for content in operation_of(route).answers:
        schema = {"type": "string"} if content.media_type == HTML else schema_of(content)
        _add(found, content.status, content.media_type, schema, titled(content))
        beginning = next((value for value in content.examples.values() if _is_cut(value)), None)
        if beginning is not None:
            found[str(content.status)]["content"][content.media_type]["x-beginning"] = beginning
        if route.protection is not Protection.PUBLIC:
            found[str(content.status)]["headers"] |= _headers(*RATE_LIMIT_FIELDS)
    if operation_of(route).cacheable:
        found["200"]["headers"] |= _headers("ETag")
        found["304"] = _response(HTTPStatus.NOT_MODIFIED) | {"headers": _headers("X-Request-ID", "ETag")}
    _add_refusals(found, route, settings)
    return dict(sorted(found.items()))


def schema_of(content: Content) -> dict[str, Any]:
    """Return the schema of a body."""
    if content.element is not None:
        return {"type": "array", "items": {"anyOf": [{"type": "string"}, any_of([content.element])]}}
    texts = [isinstance(value, str) for value in content.examples.values()]
    return {"type": "string"} if texts and not content.models and all(texts) else any_of(content.models)


def _is_cut(value: object) -> bool:
    """Return whether an example is only the beginning of a text, and no example of the whole."""
    return isinstance(value, str) and value.endswith("…")


def titled(content: Content) -> dict[str, Any]:
    """Return the examples of a body by name; the names are made from their titles."""
    return {
        title.lower().replace(",", "").replace(" ", "_"): _example(title, value, content.media_type)
        for title, value in content.examples.items()
        if not _is_cut(value)
    }


def _example(summary: str, value: object, media_type: str) -> dict[str, Any]:
    """Return the example object of OpenAPI.

    One in XML has its members, as its schema does, and its text as `x-text`.
    """
    if media_type != XML or not isinstance(value, str):
        return {"summary": summary, "value": value}
    leaves = {name: unescape(text) for name, text in _LEAVES(value)}
    return {"summary": summary, "value": {"Error": leaves} if "<Error>" in value else leaves, "x-text": value}


_LEAVES = re.compile(r"<(\w+)>([^<]*)</\1>").findall


def _add_refusals(found: dict[str, Any], route: Route, settings: Settings) -> None:
    formats: tuple[ResponseFormat, ...] = (ResponseFormat.HOUSE_JSON, ResponseFormat.HOUSE_XML)
    if route.problems:
        formats = (ResponseFormat.PROBLEM,)
    elif route.protection is Protection.CLIENT:
        formats = (*formats, ResponseFormat.STANDARD)
    models: dict[tuple[int, str], list[type]] = {}
    for refusal in dict.fromkeys((*_OF_PROTECTION[route.protection], *operation_of(route).refusals)):
        for example in _examples(refusal, settings, formats):
            status, media_type = example.answer.status, example.answer.media_type
            of_status = models.setdefault((status, media_type), [])
            if example.model not in of_status:
                of_status.append(example.model)
            reference = {example.name: {"$ref": f"#/components/examples/{example.name}"}}
            _add(found, status, media_type, any_of(of_status), reference)
            if refusal in (SPIKE_ARREST, REGISTRATIONS_TOO_MANY):
                found[str(status)]["headers"] |= _headers(*RATE_LIMIT_FIELDS)
            if refusal is SPIKE_ARREST or refusal.status == 429:
                found[str(status)]["headers"] |= _headers("Retry-After")
            if refusal is USE_DPOP_NONCE:
                found[str(status)]["headers"] |= _headers("DPoP-Nonce")
    if route.protection is Protection.BEARER:
        for challenged in ("400", "401", "403") if route.token_in_form else ("401", "403"):
            found[challenged]["headers"] |= _headers("WWW-Authenticate")


def _examples(refusal: Refusal, settings: Settings, formats: tuple[ResponseFormat, ...]) -> Iterator[_Example]:
    for response_format in formats:
        is_problem = response_format is ResponseFormat.PROBLEM
        if refusal.name in CREDIT_ERRORS and response_format is not ResponseFormat.HOUSE_JSON:
            continue  # refusals of the credit API exist as JSON only (D21)
        if is_problem and refusal not in (*_OF_PROTECTION[Protection.BEARER], UNSUPPORTED_MEDIA_TYPE):
            if refusal.name not in RESOURCE_ERRORS:
                continue  # not a refusal of the JSON resources
        elif not is_problem and refusal.name in RESOURCE_ERRORS:
            continue
        if refusal in _BEFORE_DIALECT and response_format is ResponseFormat.STANDARD:
            continue
        if refusal is FORM_UNSUPPORTED and response_format is ResponseFormat.HOUSE_JSON:
            continue  # this refusal always has the members of RFC 6749
        answer = refusal_answer(refusal, response_format, settings, request_id="<REQUEST_ID>")
        model = BODIES["CreditErrorBody"] if refusal.name in CREDIT_ERRORS else ERROR_MODELS[response_format]
        yield _Example(refusal.name + _SUFFIXES[response_format], answer, model)


def _add(found: dict[str, Any], status: int, media_type: str, schema: dict[str, Any], examples: dict[str, Any]) -> None:
    response = found.setdefault(str(status), _response(HTTPStatus(status)))
    if not media_type:
        return
    content = response.setdefault("content", {}).setdefault(media_type, {})
    content["schema"] = schema
    if examples:
        content.setdefault("examples", {}).update(examples)


def reason_phrase(status: int) -> str:
    """Return the reason phrase of RFC 9110 §15; Python has those two from version 3.13 on."""
    return {413: "Content Too Large", 422: "Unprocessable Content"}.get(status) or HTTPStatus(status).phrase


def _response(status: HTTPStatus) -> dict[str, Any]:
    return {"description": reason_phrase(status), "headers": _headers("X-Request-ID")}


def _headers(*names: str) -> dict[str, Any]:
    return {name: {"$ref": f"#/components/headers/{name}"} for name in names}
