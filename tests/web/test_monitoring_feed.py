"""The feed of events over HTTP: resumed exactly, by poll and as a stream (D31, threats F12)."""

import asyncio
import json
import random
from typing import Any

import pytest

from credence import paths
from credence.monitoring.comparing import event_of
from credence.monitoring.transitions import ObservedChange
from tests.deployment import NOW, Deployment
from tests.monitoring_calls import SCOPE, call, portfolio
from tests.oauth.standard import log_in

LIMIT_SECONDS = 60


async def make_events(deployment: Deployment, path: str, *companies: str, at: int = NOW) -> None:
    """Add an event about each company, as a comparison does."""
    store = deployment.store
    if await store.shared_value("comparison") is None:
        await store.save_shared_value("comparison", 1, b"{}")
    kept = await store.portfolio(path.rpartition("/")[2])
    assert kept is not None
    change = ObservedChange("band", "fell", "B", "C", "2026-11-01", "")
    await store.record(1, [], [event_of(each, kept, change, at, str(at)) for each in companies])


async def one_waits(deployment: Deployment) -> None:
    """Return once a request waits for events."""
    while not deployment.service.feed._waiting.total():  # noqa: ASYNC110 - the feed announces no waiting
        await asyncio.sleep(0.01)


def numbers(page: Any) -> list[int]:
    return [each["event"]["timepoint"] for each in page["events"]]


async def test_an_event_has_the_envelope_with_before_and_after(deployment: Deployment) -> None:
    path = await portfolio(deployment)
    await make_events(deployment, path, "00000001")
    page = (await call(deployment, "GET", f"{paths.EVENTS}?after=0")).json
    assert page == {
        "events": [
            {
                "resource_kind": "company",
                "resource_id": "00000001",
                "resource_uri": "/risk/business/v2/registeredcompanycredit/00000001",
                "event": {
                    "type": "monitoring.band",
                    "published_at": "2023-11-14T22:13:20Z",
                    "timepoint": 1,
                    "fields_changed": ["/CommercialDelphi/CommDelphiBand"],
                },
                "data": {
                    "portfolio": path.rpartition("/")[2],
                    "rule": "band",
                    "kind": "fell",
                    "before": "B",
                    "after": "C",
                    "source_day": "2026-11-01",
                },
            }
        ],
        "next": 1,
    }


async def test_a_poller_that_dies_at_random_sees_each_number_once_and_none_of_another_owner(
    deployment: Deployment,
) -> None:
    mine, other = await portfolio(deployment), await deployment.another_application()
    theirs = await portfolio(other)
    chance = random.Random(3)
    seen: list[int] = []
    after, made = 0, 0
    while made < 60 or after < made:
        if made < 60:
            for path in chance.choices((mine, theirs), k=chance.randint(0, 5)):
                made += 1
                await make_events(deployment, path, f"{made:08}")
        limit = chance.randint(1, 4)
        page = (await call(deployment, "GET", f"{paths.EVENTS}?after={after}&limit={limit}")).json
        if chance.random() < 0.3:
            continue  # it dies before it has kept the answer
        seen += numbers(page)
        after = page["next"]
    theirs_seen = numbers((await call(other, "GET", f"{paths.EVENTS}?limit=1000")).json)
    assert seen == sorted(set(seen))
    assert sorted(seen + theirs_seen) == list(range(1, made + 1))


async def test_events_are_filtered_and_malformed_parameters_are_422(deployment: Deployment) -> None:
    one, two = await portfolio(deployment), await portfolio(deployment)
    await make_events(deployment, one, "00000001", "00000002")
    await make_events(deployment, two, "00000001")
    for query, expected in (
        ("company=1", [1, 3]),
        (f"portfolio={two.rpartition('/')[2]}", [3]),
        ("rule=band&company=00000002", [2]),
        ("rule=score", []),
        ("after=2", [3]),
        ("after=99", []),
    ):
        assert numbers((await call(deployment, "GET", f"{paths.EVENTS}?{query}")).json) == expected, query
    for query in ("after=-1", "after=x", "after=", "limit=0", "wait=21", "rule=weather", "company=%21", "since=1"):
        assert (await call(deployment, "GET", f"{paths.EVENTS}?{query}")).status == 422, query


async def test_a_request_that_waits_is_answered_when_there_is_an_event_or_the_caller_hangs_up(
    deployment: Deployment,
) -> None:
    path = await portfolio(deployment)
    target = f"{paths.EVENTS}?after=0&wait=20"
    waiting = asyncio.ensure_future(call(deployment, "GET", target))
    await one_waits(deployment)
    assert not waiting.done()
    await make_events(deployment, path, "00000001")
    assert numbers((await asyncio.wait_for(waiting, LIMIT_SECONDS)).json) == [1]
    gone = asyncio.Event()
    token = (await log_in(deployment, scope=SCOPE)).json["access_token"]
    fields = [("Authorization", f"Bearer {token}")]
    waiting = asyncio.ensure_future(deployment.send("GET", f"{paths.EVENTS}?after=1&wait=20", fields, gone=gone))
    await one_waits(deployment)
    gone.set()
    assert (await asyncio.wait_for(waiting, LIMIT_SECONDS)).json == {"events": [], "next": 1}


async def test_an_application_may_wait_ten_times(deployment: Deployment, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("credence.monitoring.feed.MAX_WAITING", 1)
    waiting = asyncio.ensure_future(call(deployment, "GET", f"{paths.EVENTS}?wait=20"))
    await one_waits(deployment)
    refused = await call(deployment, "GET", f"{paths.EVENTS}?wait=20")
    assert (refused.status, refused.headers["retry-after"]) == (401, "20")
    assert (await call(deployment, "GET", paths.EVENTS)).status == 200
    waiting.cancel()


async def test_a_stream_sends_events_as_they_are_made_and_ends_with_its_token(deployment: Deployment) -> None:
    path = await portfolio(deployment)
    await make_events(deployment, path, "00000001", "00000002")
    token = (await log_in(deployment, scope=SCOPE)).json["access_token"]
    fields = [("Authorization", f"Bearer {token}"), ("Accept", "text/event-stream"), ("Last-Event-ID", "1")]
    stream = asyncio.ensure_future(deployment.send("GET", paths.EVENTS, fields))
    await one_waits(deployment)
    deployment.now += 86_400_000  # the token has expired when the next event wakes the stream
    await make_events(deployment, path, "00000003")
    reply = await asyncio.wait_for(stream, LIMIT_SECONDS)
    assert (reply.status, reply.headers["content-type"]) == (200, "text/event-stream")
    sent = [block for block in reply.body.decode().split("\n\n") if "data: " in block]
    assert [block.splitlines()[0] for block in sent] == ["id: 2", "id: 3"]
    data = json.loads(sent[0].partition("data: ")[2])
    assert (data["event"]["timepoint"], data["resource_id"]) == (2, "00000002")
