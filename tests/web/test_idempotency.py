"""Idempotency keys apart from any endpoint (draft-ietf-httpapi-idempotency-key)."""

from collections.abc import Awaitable, Callable

import pytest

from credence.api.resources.idempotency import once
from credence.oauth.bearer import Bearer
from credence.oauth.tokens.access_token import Claims
from credence.refusals.refusal import Refused
from credence.refusals.resources import RESOURCE_CHANGED
from credence.request_context import RequestContext
from credence.store.contract import Store, StoreUnavailable
from credence.web.messages.answer import JSON, Answer
from tests.memory_store import MemoryStore
from tests.store.records import NOW, application

CLAIMS = Claims(
    iss="https://a.example",
    sub="a",
    aud="https://a.example",
    client_id="a",
    iat=0,
    exp=1,
    jti="1",
    scope="",
    Email=None,
    FirstName=None,
    LastName=None,
    account_type="application",
)


async def answered(store: Store, act: Callable[[], Awaitable[Answer]], after: int = 0) -> Answer:
    """Return the answer to a request with the same key, so many milliseconds after the first."""
    request = RequestContext("r", "POST", "/made", b"", [], "192.0.2.1", now=NOW + after)
    request.headers = {"idempotency-key": "1"}
    return await once(store, request, Bearer(CLAIMS, application("a"), None, frozenset()), act)


async def test_a_long_answer_is_kept_as_any_other_so_the_request_acts_once() -> None:
    """§2.6: a repetition after the first request was completed gets its result, at any time while the key is valid."""
    store, acts = MemoryStore(), list[int]()

    async def act() -> Answer:
        acts.append(len(acts))
        return Answer(201, JSON, b'{"text": "' + b"x" * 200_000 + b'"}', (("location", "/made/1"),))

    first = await answered(store, act)
    assert [await answered(store, act, after) for after in (1, 60_001, 86_399_999)] == [first] * 3
    assert acts == [0]
    await answered(store, act, 86_400_000)
    assert acts == [0, 1]


async def test_a_request_that_acted_and_got_no_answer_does_not_act_again() -> None:
    """The process ended between the change and its answer, so the service cannot know whether the change was made."""
    store, acts = MemoryStore(), list[int]()

    async def act() -> Answer:
        acts.append(len(acts))
        raise StoreUnavailable

    with pytest.raises(StoreUnavailable):
        await answered(store, act)
    for after, reason in (
        (1, "idempotency.in_progress"),
        (59_999, "idempotency.in_progress"),
        (60_000, "idempotency.outcome_unknown"),
        (86_399_999, "idempotency.outcome_unknown"),
    ):
        with pytest.raises(Refused) as refused:
            await answered(store, act, after)
        assert (refused.value.refusal.status, refused.value.reason) == (409, reason)
    assert acts == [0]


async def test_a_refused_request_leaves_its_key_free() -> None:
    store, acts = MemoryStore(), list[int]()

    async def act() -> Answer:
        acts.append(len(acts))
        raise Refused(RESOURCE_CHANGED, "manage.changed")

    for after in (0, 1):
        with pytest.raises(Refused, match=r"manage\.changed"):
            await answered(store, act, after)
    assert acts == [0, 1]
