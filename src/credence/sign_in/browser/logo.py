"""The operator's logo on the pages for people.

Its address contains a digest of its content, so that browsers cache it permanently.
"""

from functools import lru_cache
from pathlib import Path
from typing import Annotated

from credence import paths
from credence.crypto import base64url
from credence.crypto.digest import sha256
from credence.pictures import Picture, read_picture
from credence.refusals.refusal import Refused
from credence.refusals.requests import NOT_FOUND
from credence.request_context import RequestContext
from credence.service import Service
from credence.web.messages.answer import Answer
from credence.web.routing.operation import Content, Parameter

_KEPT = ("cache-control", "public, max-age=31536000, immutable")
"""Cache field: the content of an address never changes (RFC 8246)."""

_HEADERS = (_KEPT, ("content-security-policy", "default-src 'none'; sandbox"))


def logo_address(file: Path) -> str:
    """Return the path of a logo, relative to the issuer."""
    return f"{paths.LOGO}/{_read(file)[0]}"


_NAME = Parameter("name", "path", "As the pages have it.", "3q2-7wAAAAAAAAAA")
_PICTURES = tuple(Content(f"image/{each}") for each in ("png", "jpeg", "webp"))


async def logo(service: Service, request: Annotated[RequestContext, _NAME]) -> Annotated[Answer, *_PICTURES, NOT_FOUND]:
    """Logo of the operator.

    The picture on the pages for people. Its address changes with its content, so it may be kept permanently.

    Raises Refused with 404 for any name but those of the logos for light and for dark pages.
    """
    settings = service.settings
    for file in (settings.logo_file, settings.logo_file_dark):
        if file is not None:
            name, picture = _read(file)
            if request.segments == (name,):
                return Answer(200, picture.media_type, picture.data, _HEADERS)
    raise Refused(NOT_FOUND, "path.unknown")


@lru_cache(maxsize=4)
def _read(file: Path) -> tuple[str, Picture]:
    """Return the name, a digest of the content, and the picture.

    The settings have validated the file, and it is read once for each process.
    """
    picture = read_picture(file)
    return base64url.encode(sha256(picture.data)[:12]), picture
