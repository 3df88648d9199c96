"""Merge patches of what operators choose (RFC 7396), and decoded JSON as models."""

from typing import Any, TypeVar

import msgspec

from credence.refusals.refusal import Refused
from credence.refusals.resources import RESOURCE_MALFORMED

T = TypeVar("T")

MAX_DEPTH = 8


def merged(target: Any, patch: Any, depth: int = 0) -> Any:
    """Return the target with the patch applied (RFC 7396 §2).

    null removes a member, an object is merged, any other value replaces the member.
    """
    if not isinstance(patch, dict):
        return patch
    if depth > MAX_DEPTH:
        raise Refused(RESOURCE_MALFORMED, "resource.body")
    result = dict(target) if isinstance(target, dict) else {}
    for name, value in patch.items():
        if value is None:
            result.pop(name, None)
        else:
            result[name] = merged(result.get(name), value, depth + 1)
    return result


def converted(value: Any, model: type[T]) -> T:
    """Return a decoded value as the model. Raises Refused with 422 if it does not match the model."""
    try:
        return msgspec.convert(value, model)
    except (msgspec.ValidationError, RecursionError):
        raise Refused(RESOURCE_MALFORMED, "resource.members") from None
