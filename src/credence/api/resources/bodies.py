"""Bodies of the JSON resources: decodes models and merge patches (RFC 7396)."""

from collections.abc import Mapping
from typing import Any, TypeVar

import msgspec

from credence.operations.merge_patch import converted
from credence.refusals.refusal import Refused
from credence.refusals.requests import UNSUPPORTED_MEDIA_TYPE
from credence.refusals.resources import RESOURCE_MALFORMED
from credence.request_context import RequestContext
from credence.screening.json_shape import has_unique_names
from credence.web.dialects.reader import screen_text
from credence.web.messages.request import MediaType, body_media_type

MERGE_PATCH = "application/merge-patch+json"

T = TypeVar("T")


def read_model(request: RequestContext, model: type[T], places: Mapping[str, str] | None = None) -> T:
    """Return the JSON body as the model; `places` are members of it that the path has.

    Raises Refused with 415 for another media type, 422 for a body that does not match the model, has two members of
    one name (threats P2) or is refused by screening (D17).
    """
    if body_media_type(request.headers) is not MediaType.JSON:
        raise Refused(UNSUPPORTED_MEDIA_TYPE, "media_type.unknown")
    members = _decoded(request.body)
    if places and isinstance(members, dict):
        if places.keys() & members.keys():
            raise Refused(RESOURCE_MALFORMED, "resource.members")
        members |= places
    return converted(members, model)


def read_patch(request: RequestContext) -> Mapping[str, Any]:
    """Return the members of a merge patch.

    Raises Refused with 415 for another media type, 422 for anything but an object.
    """
    essence = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if essence not in {MERGE_PATCH, MediaType.JSON.value}:
        raise Refused(UNSUPPORTED_MEDIA_TYPE, "media_type.unknown")
    patch = _decoded(request.body)
    if not isinstance(patch, dict):
        raise Refused(RESOURCE_MALFORMED, "resource.body")
    return patch


def _decoded(body: bytes) -> Any:
    try:
        value = msgspec.json.decode(body)
        _screen(value)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise Refused(RESOURCE_MALFORMED, "resource.body") from None
    if not has_unique_names(body):
        raise Refused(RESOURCE_MALFORMED, "resource.body")
    return value


def _screen(value: Any) -> None:
    if isinstance(value, str):
        screen_text(value)
    elif isinstance(value, dict):
        for name, member in value.items():
            screen_text(name)
            _screen(member)
    elif isinstance(value, list):
        for element in value:
            _screen(element)
