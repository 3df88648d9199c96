"""Alerts and digests over HTTP: read, assigned, noted; shared with those who may read the event (D31)."""

from typing import Any

import msgspec
import pytest
from structlog.testing import capture_logs

from credence import paths
from credence.clock import date_of, day_start
from credence.monitoring.webhooks.digests import send_digests
from credence.store.webhooks import WEBHOOKS, Message, Webhook, WebhookKey, decode_message
from tests.deployment import NOW, Deployment
from tests.monitoring_calls import call, portfolio
from tests.web.test_monitoring_feed import make_events
from tests.web.test_monitoring_portfolios import problem

DAY_MS = 86_400_000


async def test_an_alert_is_read_assigned_noted_and_found_by_it(deployment: Deployment) -> None:
    await make_events(deployment, await portfolio(deployment), "00000001", "00000002")
    path = f"{paths.ALERTS}/1"
    alert = await call(deployment, "GET", path)
    assert (alert.json["event"]["event"]["timepoint"], alert.json["read"], alert.json["note"]) == (1, False, "")
    tag = alert.headers["etag"]
    change = {"read": True, "assigned_to": "Ada", "note": "Call them"}
    changed = await call(deployment, "PATCH", path, change, if_match=tag)
    assert {name: changed.json[name] for name in change} == change
    assert changed.json["read_at"] == "2023-11-14T22:13:20Z"
    assert (await call(deployment, "GET", path)).json == changed.json
    assert (await call(deployment, "GET", path, if_none_match=changed.headers["etag"])).status == 304
    for query, expected in (
        ("", [1, 2]),
        ("?unread=true", [2]),
        ("?assigned_to=Ada", [1]),
        ("?company=2", [2]),
        ("?page_size=1", [1]),
    ):
        page = (await call(deployment, "GET", paths.ALERTS + query)).json
        assert [each["event"]["event"]["timepoint"] for each in page["alerts"]] == expected, query
    first = (await call(deployment, "GET", f"{paths.ALERTS}?page_size=1")).json
    rest = (await call(deployment, "GET", f"{paths.ALERTS}?page_token={first['next_page_token']}")).json
    assert [each["event"]["event"]["timepoint"] for each in rest["alerts"]] == [2]
    unread = await call(deployment, "PATCH", path, {"read": False}, if_match=changed.headers["etag"])
    assert (unread.json["read"], unread.json["read_at"], unread.json["assigned_to"]) == (False, "", "Ada")


@pytest.mark.parametrize(
    ("body", "fields", "expected"),
    [
        ({"read": True}, {}, (428, "if_match.missing")),
        ({"read": True}, {"if_match": '"other"'}, (412, "if_match.other_version")),
        ({"read": "yes"}, {"if_match": "*"}, (422, "resource.members")),
        ({"owner": "me"}, {"if_match": "*"}, (422, "resource.members")),
        ({"note": "a\nb"}, {"if_match": "*"}, (422, "alert.text")),
    ],
)
async def test_a_change_that_cannot_be_is_refused(
    deployment: Deployment, body: Any, fields: dict[str, str], expected: tuple[int, str]
) -> None:
    await make_events(deployment, await portfolio(deployment), "00000001")
    assert problem(await call(deployment, "PATCH", f"{paths.ALERTS}/1", body, **fields)) == expected


async def test_malformed_queries_are_422(deployment: Deployment) -> None:
    queries = (
        "?unread=x",
        "?unread=1",
        "?unread=TRUE",
        "?page_size=1.0",
        "?page_size=1e2",
        "?state=read",
        "?rule=weather",
        "?page_token=eA",
        "?company=%21",
    )
    for query in queries:
        assert problem(await call(deployment, "GET", paths.ALERTS + query))[0] == 422, query
    for query in ("?day=x", "?day=2026-13-01", "?day=9999-12-31", "?from=2026-01-01"):
        assert problem(await call(deployment, "GET", paths.DIGEST + query)) == (422, "resource.parameter"), query
    whole = await call(deployment, "GET", f"{paths.COMPANY_ALERTS}?page_size=5")
    assert problem(whole) == (422, "resource.parameter")


async def test_another_owner_sees_neither_alert_nor_digest(deployment: Deployment) -> None:
    await make_events(deployment, await portfolio(deployment), "00000001")
    other = await deployment.another_application()
    assert (await call(other, "GET", paths.ALERTS)).json["alerts"] == []
    for method, body in (("GET", None), ("PATCH", {"read": True})):
        assert problem(await call(other, method, f"{paths.ALERTS}/1", body, if_match="*")) == (404, "alert.unknown")
    today = date_of(NOW).isoformat()
    assert (await call(other, "GET", f"{paths.DIGEST}?day={today}")).json["events"] == 0


async def test_a_digest_counts_the_events_of_a_day(deployment: Deployment) -> None:
    path = await portfolio(deployment)
    await make_events(deployment, path, "00000001", "00000002")
    today = date_of(NOW).isoformat()
    digest = (await call(deployment, "GET", f"{paths.DIGEST}?day={today}")).json
    count = {"portfolio": path.rpartition("/")[2], "rule": "band", "events": 2, "companies": 2, "first": 1, "last": 2}
    assert digest == {"day": today, "complete": False, "events": 2, "counts": [count]}
    deployment.now += DAY_MS
    assert (await call(deployment, "GET", paths.DIGEST)).json == {**digest, "complete": True}


async def test_after_midnight_the_feed_of_a_portfolio_that_asks_for_it_has_one_event_about_the_day(
    deployment: Deployment,
) -> None:
    path = await portfolio(deployment, rules=[{"rule": "band"}, {"rule": "digest"}])
    silent, store = await portfolio(deployment, rules=[{"rule": "band"}]), deployment.store
    await make_events(deployment, path, "00000001", "00000002")
    await make_events(deployment, silent, "00000001")
    day, midnight = date_of(NOW).isoformat(), day_start(date_of(NOW)) + DAY_MS
    for at in (midnight - 1, midnight, midnight + 60_000, midnight + DAY_MS, midnight + 2 * DAY_MS):
        await send_digests(store, at)
    (event,) = (await call(deployment, "GET", f"{paths.EVENTS}?after=0&rule=digest")).json["events"]
    identity = path.rpartition("/")[2]
    assert (event["resource_kind"], event["resource_id"]) == ("portfolio", identity)
    assert event["resource_uri"] == f"{paths.DIGEST}?day={day}"
    assert (event["event"]["type"], event["event"]["fields_changed"]) == ("monitoring.digest", [])
    said = {"portfolio": identity, "rule": "digest", "kind": "day", "before": None, "after": 2}
    assert event["data"] == said | {"source_day": day, "fact": day}
    deployment.now = midnight + DAY_MS - 1
    alerts = (await call(deployment, "GET", paths.ALERTS)).json["alerts"]
    assert "digest" not in {each["event"]["data"]["rule"] for each in alerts}
    assert (await call(deployment, "GET", f"{paths.DIGEST}?day={date_of(midnight)}")).json["events"] == 0


async def test_the_digests_of_days_over_whose_end_no_node_ran_follow(deployment: Deployment) -> None:
    path, store = await portfolio(deployment, rules=[{"rule": "band"}, {"rule": "digest"}]), deployment.store
    today = day_start(date_of(NOW))
    await send_digests(store, today)
    for day in (0, 2):
        await make_events(deployment, path, "00000001", at=today + day * DAY_MS)
    await send_digests(store, today + 4 * DAY_MS)
    events = (await call(deployment, "GET", f"{paths.EVENTS}?after=0&rule=digest")).json["events"]
    assert [each["data"]["fact"] for each in events] == [date_of(today + day * DAY_MS).isoformat() for day in (0, 2)]


async def test_a_day_that_a_clock_ahead_has_done_already_has_its_digest_in_time(deployment: Deployment) -> None:
    path, store = await portfolio(deployment, rules=[{"rule": "band"}, {"rule": "digest"}]), deployment.store
    today = day_start(date_of(NOW))
    await send_digests(store, today + 40 * DAY_MS)
    with capture_logs() as logged:
        await send_digests(store, today + DAY_MS // 2)
        await make_events(deployment, path, "00000001")
        await send_digests(store, today + DAY_MS)
    (event,) = (await call(deployment, "GET", f"{paths.EVENTS}?after=0&rule=digest")).json["events"]
    assert event["data"]["fact"] == date_of(today).isoformat()
    assert [each["event"] for each in logged].count("digest_of_a_day_to_come") == 1


async def test_after_midnight_each_webhook_that_wants_it_gets_one_message(deployment: Deployment) -> None:
    path, store = await portfolio(deployment), deployment.store
    kept = await store.portfolio(path.rpartition("/")[2])
    assert kept is not None
    await make_events(deployment, path, "00000001")
    for name, rules, state in (
        ("wh_all", (), "active"),
        ("wh_digest", ("digest",), "active"),
        ("wh_band", ("band",), "active"),
        ("wh_off", (), "disabled"),
    ):
        keys = (WebhookKey(b"", "", NOW),)
        hook = Webhook(name, kept.owner, "https://a.example/", NOW, "ed25519", keys, rules=rules)
        await store.save(WEBHOOKS, msgspec.structs.replace(hook, state=state))
    midnight = day_start(date_of(NOW)) + DAY_MS
    assert await send_digests(store, midnight - 1) == 0
    assert await send_digests(store, midnight) == 2
    assert await send_digests(store, midnight + 60_000) == 0
    for name, count in (("wh_all", 1), ("wh_digest", 1), ("wh_band", 0), ("wh_off", 0)):
        told = [decode_message(each.payload) for each in await store.deliveries_of(name)]
        assert told == [Message("monitoring.digest", day=date_of(NOW).isoformat())] * count, name
    assert await send_digests(store, midnight + DAY_MS) == 0
