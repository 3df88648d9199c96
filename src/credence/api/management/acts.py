"""Answers of the management API that show a resource."""

import msgspec

from credence.api.resources.preconditions import tag_of
from credence.web.messages.answer import JSON, Answer
from credence.web.messages.caching import NO_STORE

_encode = msgspec.json.Encoder().encode


def shown(state: object) -> Answer:
    """Return a resource as an answer with its entity tag."""
    body = _encode(state)
    return Answer(200, JSON, body, (NO_STORE, ("etag", tag_of(body))))
