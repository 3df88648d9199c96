"""The operator's logo on the pages for people.

Its address contains a digest of its content, so that browsers cache it permanently.
"""

from functools import lru_cache
from pathlib import Path

from credence import paths
from credence.crypto import base64url
from credence.crypto.digest import sha256
from credence.pictures import Picture, read_picture
from credence.refusals.refusal import Refused
from credence.refusals.requests import NOT_FOUND
from credence.request_context import RequestContext
from credence.service import Service
from credence.web.messages.answer import Answer

_KEPT = ("cache-control", "public, max-age=31536000, immutable")
"""Cache field: the content of an address never changes (RFC 8246)."""

_HEADERS = (_KEPT, ("content-security-policy", "default-src 'none'; sandbox"))


def logo_address(file: Path) -> str:
    """Return the path of a logo, relative to the issuer."""
    return f"{paths.LOGO}/{_read(file)[0]}"


async def logo(service: Service, request: RequestContext) -> Answer:
    """Return the operator's logo of this name, for light or dark pages. Raises Refused with 404 for any other name."""
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
