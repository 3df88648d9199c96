"""GET /favicon.ico: the mark of Credence as an icon."""

from functools import cache
from importlib import resources
from typing import Annotated, Final

from credence.request_context import RequestContext
from credence.service import Service
from credence.web.messages.answer import Answer
from credence.web.messages.caching import cacheable
from credence.web.routing.operation import Content

MAX_AGE_SECONDS = 86_400

ICON: Final = "image/vnd.microsoft.icon"
"""The registered media type of an icon file."""


async def favicon(_service: Service, request: RequestContext) -> Annotated[Answer, Content(ICON)]:
    """Icon of the pages.

    Browsers request it by themselves and show it next to the title of a page.
    """
    return cacheable(request, _icon(), MAX_AGE_SECONDS, ICON)


@cache
def _icon() -> bytes:
    return (resources.files("credence.api.public") / "favicon.ico").read_bytes()
