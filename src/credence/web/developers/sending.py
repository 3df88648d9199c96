"""Requests that a page of the portal sends for its developer: through the whole pipeline, as if they came from outside."""

from contextlib import suppress

import msgspec

from credence.web.messages.answer import Answer
from credence.web.screens.blocks import Code, Sample
from credence.web.screens.screen import Visit, Wrong

MAX_SHOWN_CHARACTERS = 12_000

_FORWARDED = frozenset({b"host", b"x-forwarded-for", b"forwarded"})
"""Fields of the developer's own request by which the service knows where it comes from."""


async def send(visit: Visit, method: str, target: str, headers: dict[str, str], body: bytes = b"") -> Answer:
    """Return the answer to a request from the address of the developer. Rate limits and the request log count it."""
    service, came = visit.service, visit.request
    if service.answer is None:
        raise Wrong("This process cannot send requests.")
    kept = [pair for pair in came.raw_headers if pair[0] in _FORWARDED]
    given = [(name.lower().encode(), value.encode("latin-1", "replace")) for name, value in headers.items()]
    if body:
        given.append((b"content-length", str(len(body)).encode()))
    answered: Answer = await service.answer(service, method, target, [*kept, *given], came.peer, body)
    return answered


def shown(answered: Answer) -> Code:
    """Return an answer as a block: its status, its reason, and its body."""
    reason = next((value for name, value in answered.headers if name == "x-reason"), "")
    text = answered.body.decode("utf-8", "replace")
    with suppress(msgspec.DecodeError):  # what is not JSON is shown as it is
        text = msgspec.json.format(text, indent=2)
    if len(text) > MAX_SHOWN_CHARACTERS:
        text = f"{text[:MAX_SHOWN_CHARACTERS]}\n…"
    said = f"{answered.status}, {reason}" if reason else str(answered.status)
    return Code("Answer", (Sample(said, text),))
