"""Idempotency keys: a repeated POST with the same key gets the first answer (draft-ietf-httpapi-idempotency-key).

A key belongs to one application, one person who uses it, one method and one path. The first answer, of any size, is
stored for a day. Until it exists, a repetition is refused with 409; the same key with another body is refused with 422.
If no answer comes, because the process or the store failed between the act and its answer, it is unknown whether the request
acted: for the rest of the day a repetition is refused with 409 in other words and never acts. Without a key nothing is
stored.
"""

from collections.abc import Awaitable, Callable, Collection

import msgspec

from credence.clock import Milliseconds
from credence.crypto.digest import sha256
from credence.oauth.bearer import Bearer
from credence.refusals.refusal import Refused
from credence.refusals.resources import (
    IDEMPOTENCY_IN_PROGRESS,
    IDEMPOTENCY_KEY,
    IDEMPOTENCY_MISMATCH,
    IDEMPOTENCY_OUTCOME_UNKNOWN,
)
from credence.request_context import RequestContext
from credence.store.contract import Store
from credence.web.messages.answer import Answer

FIELD = "idempotency-key"
KEPT_MS = 86_400_000
IN_PROGRESS_MS = 60_000
"""Milliseconds without an answer after which the outcome of the first request counts as unknown, until it is answered."""

MAX_KEY_CHARACTERS = 100


class _Kept(msgspec.Struct, frozen=True):
    """A stored answer; status 0 marks a request without one, which began at `began_at`."""

    request: bytes
    began_at: Milliseconds = 0
    status: int = 0
    media_type: str = ""
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(_Kept).decode


async def once(
    store: Store,
    request: RequestContext,
    bearer: Bearer,
    act: Callable[[], Awaitable[Answer]],
    shown_once: Collection[str] = (),
) -> Answer:
    """Return the answer of `act`, or the stored answer for the request's key.

    A refusal is not stored, because it had no effect, and the key can be used again. After any other error the key stays
    taken, because the request may have acted. Members of the JSON answer in `shown_once` are secrets: a repetition gets the
    answer without them.
    """
    text = request.headers.get(FIELD)
    if text is None:
        return await act()
    if not (1 <= len(text) <= MAX_KEY_CHARACTERS and text.isascii() and text.isprintable()):
        raise Refused(IDEMPOTENCY_KEY, "idempotency.key")
    key = sha256("\n".join((*_owner_of(bearer), request.method, request.path, text)).encode())
    digest = sha256(request.body)
    begun = _Kept(digest, request.now)
    taken = await store.reserve_answer(key, _encode(begun), request.now, request.now + KEPT_MS)
    if taken is not None:
        return _again(_decode(taken), digest, request.now)
    try:
        answered = await act()
    except Refused:
        await store.keep_answer(key, _encode(_Kept(b"")), request.now)
        raise
    body = _without(answered.body, shown_once)
    kept = _Kept(digest, request.now, answered.status, answered.media_type, answered.headers, body)
    await store.keep_answer(key, _encode(kept), request.now + KEPT_MS)
    return answered


def _owner_of(bearer: Bearer) -> tuple[str, ...]:
    """Return whose key it is: a person must not get the answer of another who uses the same application."""
    client_id, account = bearer.application.client_id, bearer.account
    return (client_id,) if account is None else (client_id, account.username)


def _without(body: bytes, members: Collection[str]) -> bytes:
    if not members:
        return body
    kept = {name: value for name, value in msgspec.json.decode(body).items() if name not in members}
    return msgspec.json.encode(kept)


def _again(kept: _Kept, digest: bytes, now: Milliseconds) -> Answer:
    if kept.request != digest:
        raise Refused(IDEMPOTENCY_MISMATCH, "idempotency.other_request")
    if kept.status == 0 and now - kept.began_at >= IN_PROGRESS_MS:
        raise Refused(IDEMPOTENCY_OUTCOME_UNKNOWN, "idempotency.outcome_unknown")
    if kept.status == 0:
        raise Refused(IDEMPOTENCY_IN_PROGRESS, "idempotency.in_progress", retry_after=1)
    return Answer(kept.status, kept.media_type, kept.body, kept.headers)
