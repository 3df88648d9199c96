"""Answers of the management API that show a resource."""

import msgspec

from credence.web.messages.answer import JSON, Answer
from credence.web.messages.caching import NO_STORE
from credence.web.resource_api.preconditions import tag_of

_encode = msgspec.json.Encoder().encode


def shown(state: object) -> Answer:
    """Return a resource as an answer with its entity tag."""
    body = _encode(state)
    return Answer(200, JSON, body, (NO_STORE, ("etag", tag_of(body))))
