"""A response before it is sent."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass, field

from credence.refusals import Refused

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


@dataclass(frozen=True, slots=True)
class Answer:
    """Status, media type, body and further header fields. The pipeline adds X-Request-ID."""

    status: int
    media_type: str
    body: bytes
    headers: Headers = field(default=())
    events: tuple[str, ...] = ()
    """What the audit trail records of a request that was not refused, such as `revoked`."""
    refused: Refused | None = None
    """What it records when the answer to a refusal is a page or a redirect."""
    rest: AsyncGenerator[bytes, None] | None = None
    """What follows `body`, sent as it is made; None if `body` is all."""
