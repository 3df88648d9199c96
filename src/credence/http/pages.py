"""Pages for developers."""

from credence.http.answer import JSON, Answer
from credence.http.request import Request
from credence.service import Service


async def openapi_document(_service: Service, _request: Request) -> Answer:
    """Return OpenAPI."""
    return Answer(200, JSON, b"{}")


async def reference_page(_service: Service, _request: Request) -> Answer:
    """Return the page."""
    return Answer(200, JSON, b"{}")
