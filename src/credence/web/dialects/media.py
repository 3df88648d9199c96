"""Media types: that of a request body, and that of the response by the Accept header (D1, D8)."""

from collections.abc import Mapping, Sequence
from enum import Enum


class MediaType(Enum):
    """The media types of bodies on the token endpoints."""

    JSON = "application/json"
    XML = "application/xml"
    FORM = "application/x-www-form-urlencoded"


_BODY_TYPES = {
    "application/json": MediaType.JSON,
    "application/xml": MediaType.XML,
    "text/xml": MediaType.XML,
    "application/x-www-form-urlencoded": MediaType.FORM,
}


def body_media_type(headers: Mapping[str, str]) -> MediaType | None:
    """Return the media type that Content-Type names; None for any other type or a charset other than UTF-8 (threats P7)."""
    content_type = headers.get("content-type", "")
    named = _BODY_TYPES.get(content_type)  # the spelling of most clients
    if named is not None:
        return named
    form, utf_8 = _content_type(content_type)
    return form if utf_8 else None


def media_type_in_other_charset(headers: Mapping[str, str]) -> MediaType | None:
    """Return the media type if Content-Type names it with a charset other than UTF-8, otherwise None."""
    form, utf_8 = _content_type(headers.get("content-type", ""))
    return None if utf_8 else form


def _content_type(content_type: str) -> tuple[MediaType | None, bool]:
    """Return the media type of Content-Type, and whether its charset is UTF-8 or missing."""
    essence, _, parameters = content_type.partition(";")
    form = _BODY_TYPES.get(essence.strip().lower())
    for parameter in parameters.split(";"):
        name, _, value = parameter.partition("=")
        if name.strip().lower() == "charset" and value.strip().strip('"').lower() not in {"utf-8", "utf8"}:
            return form, False
    return form, True


def answer_media_type(headers: Mapping[str, str]) -> MediaType:
    """Return JSON or XML: the preferred type of Accept, else that of the request, else JSON (D8)."""
    requested = MediaType.XML if body_media_type(headers) is MediaType.XML else MediaType.JSON
    accept = headers.get("accept")
    if accept is None or accept == "*/*":
        return requested
    json, xml = _preference(accept, MediaType.JSON.value), _preference(accept, MediaType.XML.value)
    if json == xml:
        return requested if json > _UNACCEPTABLE else MediaType.JSON
    return MediaType.JSON if json > xml else MediaType.XML


def preferred(accept: str, offered: Sequence[str]) -> str:
    """Return the offered media type that Accept prefers: the first among equals, and the first if Accept excludes all."""
    return max(offered, key=lambda media_type: _preference(accept, media_type))


def named_types(accept: str) -> frozenset[str]:
    """Return the media ranges that Accept names, in lower case and without parameters."""
    return frozenset(name for entry in accept.split(",") if (name := entry.partition(";")[0].strip().lower()))


_UNACCEPTABLE = (0.0, 0)


def _preference(accept: str, media_type: str) -> tuple[float, int]:
    """Return the quality of a media type in Accept and the specificity of the matching range (RFC 9110 §12.5.1)."""
    names = {media_type: 3, f"{media_type.partition('/')[0]}/*": 2, "*/*": 1}
    if media_type == MediaType.XML.value:
        names |= {"text/xml": 3, "text/*": 2}
    quality, specificity = 0.0, 0
    for entry in accept.split(","):
        name, *parameters = (part.strip().lower() for part in entry.split(";"))
        if names.get(name, 0) > specificity:
            quality, specificity = _quality(parameters), names[name]
    return (quality, specificity) if quality > 0 else _UNACCEPTABLE


def _quality(parameters: list[str]) -> float:
    for parameter in parameters:
        if parameter.startswith("q="):
            try:
                return min(1.0, max(0.0, float(parameter[2:])))
            except ValueError:
                return 0.0
    return 1.0
