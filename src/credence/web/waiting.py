"""The answers of a node before its store has answered for the first time: alive, not ready, otherwise 500."""

from credence import paths
from credence.api.public.health import ALIVE, STORE_UNAVAILABLE
from credence.refusals.refusal import Refused
from credence.refusals.requests import INTERNAL
from credence.settings import Settings
from credence.web.dialects.writer import house_format, refusal_answer
from credence.web.messages.answer import Answer
from credence.web.messages.request import answer_media_type
from credence.web.messages.security_headers import RawHeader
from credence.web.route_lookup import find_route


def answer_without_store(path: str, headers: list[RawHeader], settings: Settings) -> Answer:
    """Return the answer to a request for this path: the same as during a later outage of the store (threats F9)."""
    form = house_format(answer_media_type({name.decode("latin-1"): value.decode("latin-1") for name, value in headers}))
    try:
        route, _ = find_route(path, settings)
    except Refused as refused:
        return refusal_answer(refused.refusal, form, settings)
    match route.path:
        case paths.LIVE:
            return ALIVE
        case paths.READY:
            return STORE_UNAVAILABLE
    return refusal_answer(INTERNAL, form, settings)
