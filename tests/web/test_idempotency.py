"""Idempotency keys apart from any endpoint (draft-ietf-httpapi-idempotency-key)."""

from credence.oauth.bearer import Bearer
from credence.oauth.tokens.access_token import Claims
from credence.request_context import RequestContext
from credence.web.messages.answer import JSON, Answer
from credence.web.resource_api.idempotency import once
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


async def test_a_long_answer_is_kept_as_any_other_so_the_request_acts_once() -> None:
    """§2.6: a repetition after the first request was completed gets its result, at any time while the key is valid."""
    store, acts = MemoryStore(), list[int]()
    bearer = Bearer(CLAIMS, application("a"), None, frozenset())

    async def act() -> Answer:
        acts.append(len(acts))
        return Answer(201, JSON, b'{"text": "' + b"x" * 200_000 + b'"}', (("location", "/made/1"),))

    async def answered(after: int) -> Answer:
        request = RequestContext("r", "POST", "/made", b"", [], "192.0.2.1", now=NOW + after)
        request.headers = {"idempotency-key": "1"}
        return await once(store, request, bearer, act)

    first = await answered(0)
    assert [await answered(after) for after in (1, 60_001, 86_399_999)] == [first] * 3
    assert acts == [0]
    await answered(86_400_000)
    assert acts == [0, 1]
