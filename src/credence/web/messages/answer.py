"""A response before it is sent."""

from collections.abc import AsyncGenerator
from typing import NamedTuple

from credence.refusals.refusal import Refused

JSON = "application/json"
XML = "application/xml"
HTML = "text/html; charset=utf-8"
MARKDOWN = "text/markdown; charset=utf-8"
TEXT = "text/plain; charset=utf-8"
PDF = "application/pdf"
PROBLEM = "application/problem+json"
EVENT_STREAM = "text/event-stream"
JSON_SCHEMA = "application/schema+json"
NDJSON = "application/x-ndjson"
CSV = "text/csv; charset=utf-8"

Headers = tuple[tuple[str, str], ...]


class Answer(NamedTuple):
    """A response: status, media type, body and further header fields. The pipeline adds X-Request-ID.

    A tuple with names is constructed in a quarter of the time of a frozen dataclass, and the type checker knows that
    `dataclasses.replace` does not take it.
    """

    status: int
    media_type: str
    body: bytes
    headers: Headers = ()
    events: tuple[str, ...] = ()
    """Events for the audit trail, such as `revoked`."""
    refused: Refused | None = None
    """The refusal for the audit trail, if it is answered by a page or a redirect."""
    rest: AsyncGenerator[bytes, None] | None = None
    """The rest of the body, sent in pieces as they are made; None if `body` is complete."""
