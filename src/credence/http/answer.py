"""An answer before it is sent."""

from dataclasses import dataclass, field

JSON = "application/json"
XML = "application/xml"
HTML = "text/html; charset=utf-8"
PDF = "application/pdf"

Headers = tuple[tuple[str, str], ...]

NO_STORE = ("cache-control", "no-store")
"""On every token and every error (D9, threats A12)."""


@dataclass(frozen=True, slots=True)
class Answer:
    """Status, media type, body and further headers. The pipeline adds the request id."""

    status: int
    media_type: str
    body: bytes
    headers: Headers = field(default=())
