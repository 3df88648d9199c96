"""A response before it is sent."""

from dataclasses import dataclass, field

JSON = "application/json"
XML = "application/xml"
HTML = "text/html; charset=utf-8"
PDF = "application/pdf"
JSON_SCHEMA = "application/schema+json"

Headers = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """Status, media type, body and further header fields. The pipeline adds X-Request-ID."""

    status: int
    media_type: str
    body: bytes
    headers: Headers = field(default=())
    event: str | None = None
    """What the audit trail records of a request that was not refused, such as `revoked`; None for nothing."""
