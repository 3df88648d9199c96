"""Sends requests for the developer from a page of the portal, through the whole pipeline like any other request."""

from contextlib import suppress

import msgspec

from credence.blocks.values import Code, Sample
from credence.sites.kit.screen import InvalidForm, Visit
from credence.web.messages.answer import Answer

MAX_SHOWN_CHARACTERS = 12_000

_FORWARDED = frozenset({b"host", b"x-forwarded-for", b"forwarded"})
"""Header fields of the developer's own request that give its address and host; they are copied to the sent request."""


async def send(visit: Visit, method: str, target: str, headers: dict[str, str], body: bytes = b"") -> Answer:
    """Return the answer to a request from the address of the developer. Rate limits and the request log count it."""
    service, came = visit.service, visit.request
    if service.answer is None:
        raise InvalidForm("This process cannot send requests.")
    kept = [pair for pair in came.raw_headers if pair[0] in _FORWARDED]
    given = [(name.lower().encode(), value.encode("latin-1", "replace")) for name, value in headers.items()]
    if body:
        given.append((b"content-length", str(len(body)).encode()))
    answered: Answer = await service.answer(service, method, target, [*kept, *given], came.peer, body)
    return answered


def shown(answered: Answer) -> Code:
    """Return a block with the status, the reason and the body of an answer."""
    reason = next((value for name, value in answered.headers if name == "x-reason"), "")
    text = answered.body.decode("utf-8", "replace")
    with suppress(msgspec.DecodeError):  # a body that is not JSON is shown unchanged
        text = msgspec.json.format(text, indent=2)
    if len(text) > MAX_SHOWN_CHARACTERS:
        text = f"{text[:MAX_SHOWN_CHARACTERS]}\n…"
    said = f"{answered.status}, {reason}" if reason else str(answered.status)
    return Code("Response", (Sample(said, text),))
