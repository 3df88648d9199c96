"""Webhooks over HTTP: whose they are, what is shown once, and addresses that are never called (D31; threats E3, F12)."""

import re
from typing import Any

import pytest

from credence import paths
from credence.store.deliveries import Backlog
from credence.store.webhooks import WEBHOOKS, Webhook
from tests.deployment import Deployment
from tests.monitoring_calls import call, portfolio
from tests.web.test_monitoring_feed import make_events
from tests.web.test_monitoring_portfolios import problem

URL = "https://receiver.example/hook"
pytestmark = pytest.mark.settings(calls_out=True)


async def webhook(deployment: Deployment, **members: Any) -> str:
    """Make a webhook and return its path."""
    reply = await call(deployment, "POST", paths.WEBHOOKS, {"url": URL} | members)
    assert reply.status == 201, reply.body
    return reply.headers["location"]


async def activate(deployment: Deployment, path: str) -> Webhook:
    """Store that the endpoint has answered."""
    kept = await deployment.store.webhook(path.rpartition("/")[2])
    assert kept is not None
    changed = Webhook(
        **{each: getattr(kept, each) for each in kept.__struct_fields__} | {"version": 2, "state": "active"}
    )
    await deployment.store.save(WEBHOOKS, changed)
    for each in await deployment.store.deliveries_of(changed.id):
        await deployment.store.end_delivery(each)
    return changed


async def test_a_webhook_is_made_read_changed_and_deleted(deployment: Deployment) -> None:
    body = {"url": URL, "description": "Ledger", "rules": ["band"], "signature": "ed25519"}
    reply = await call(deployment, "POST", paths.WEBHOOKS, body)
    assert (reply.status, reply.json["state"], reply.json["signature"]) == (201, "unverified", "ed25519")
    assert re.fullmatch(r"whpk_[A-Za-z0-9+/]{43}=", reply.json["keys"][0]["public_key"])
    assert "secret" not in reply.json
    path, tag = reply.headers["location"], reply.headers["etag"]
    read = await call(deployment, "GET", path)
    assert (read.json, read.headers["etag"]) == (reply.json, tag)
    assert (await call(deployment, "GET", path, if_none_match=tag)).status == 304
    assert (await call(deployment, "GET", paths.WEBHOOKS)).json["webhooks"] == [reply.json]
    changed = await call(deployment, "PATCH", path, {"rules": ["band", "status"], "description": None}, if_match=tag)
    assert (changed.json["rules"], changed.json["description"]) == (["band", "status"], "")
    assert problem(await call(deployment, "PATCH", path, {}, if_match=tag)) == (412, "if_match.other_version")
    assert problem(await call(deployment, "DELETE", path)) == (428, "if_match.missing")
    assert (await call(deployment, "DELETE", path, if_match=changed.headers["etag"])).status == 204
    assert problem(await call(deployment, "GET", path)) == (404, "webhook.unknown")
    assert await deployment.store.backlog() == Backlog(0, 0, None)


async def test_an_hmac_secret_is_shown_once_also_to_a_repetition_with_the_same_key(deployment: Deployment) -> None:
    body = {"url": URL}  # the default is HMAC, which the published packages verify (D38)
    made = await call(deployment, "POST", paths.WEBHOOKS, body, idempotency_key="one")
    secret = made.json["secret"]
    assert re.fullmatch(r"whsec_[A-Za-z0-9+/]{43}=", secret)
    path = made.headers["location"]
    new = await call(deployment, "POST", f"{path}/keys", idempotency_key="two")
    assert new.status == 201
    assert new.json["secret"] != secret
    assert [bool(each.get("until")) for each in new.json["keys"]] == [False, True]
    for reply in (
        await call(deployment, "POST", paths.WEBHOOKS, body, idempotency_key="one"),
        await call(deployment, "POST", f"{path}/keys", idempotency_key="two"),
        await call(deployment, "GET", path),
        await call(deployment, "GET", paths.WEBHOOKS),
    ):
        assert reply.status in {200, 201}
        assert b"whsec_" not in reply.body
    assert len((await call(deployment, "GET", paths.WEBHOOKS)).json["webhooks"]) == 1


async def test_parameters_of_proxies_and_clients_do_not_hinder_an_act_that_has_none(deployment: Deployment) -> None:
    made = await call(deployment, "POST", f"{paths.WEBHOOKS}?preview=true&trace=1", {"url": URL})
    assert made.status == 201
    path = made.headers["location"]
    assert (await call(deployment, "POST", f"{path}/disable?trace=1")).json["state"] == "disabled"
    tag = (await call(deployment, "GET", path)).headers["etag"]
    assert (await call(deployment, "DELETE", f"{path}?trace=1", if_match=tag)).status == 204


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ({}, "resource.members"),
        ({"url": "http://receiver.example/"}, "webhook.url"),
        ({"url": "https://receiver.example:8443/"}, "webhook.url"),
        ({"url": "https://127.0.0.1/"}, "webhook.url"),
        ({"url": "https://[::ffff:10.0.0.1]/"}, "webhook.url"),
        ({"url": "https://2130706433/"}, "webhook.url"),
        ({"url": "https://169.254.169.254/latest"}, "webhook.url"),
        ({"url": "https://user@receiver.example/"}, "webhook.url"),
        ({"url": URL, "description": "a\nb"}, "webhook.description"),
        ({"url": URL, "rules": ["weather"]}, "webhook.filter"),
        ({"url": URL, "portfolios": ["pf_of_another"]}, "webhook.filter"),
        ({"url": URL, "signature": "none"}, "resource.members"),
        ({"url": URL, "state": "active"}, "resource.members"),
    ],
)
async def test_a_webhook_that_cannot_be_is_422(deployment: Deployment, body: Any, reason: str) -> None:
    assert problem(await call(deployment, "POST", paths.WEBHOOKS, body)) == (422, reason)


@pytest.mark.settings(calls_out=False)
async def test_without_calls_no_webhook_is_made(deployment: Deployment) -> None:
    assert problem(await call(deployment, "POST", paths.WEBHOOKS, {"url": URL})) == (409, "webhook.no_calls")


async def test_an_application_has_at_most_twenty(deployment: Deployment) -> None:
    for _ in range(20):
        await webhook(deployment)
    assert problem(await call(deployment, "POST", paths.WEBHOOKS, {"url": URL})) == (409, "webhook.too_many")


async def test_another_address_is_verified_again_and_the_same_is_not(deployment: Deployment) -> None:
    path = await webhook(deployment)
    await activate(deployment, path)
    tag = (await call(deployment, "GET", path)).headers["etag"]
    same = await call(deployment, "PATCH", path, {"description": "x"}, if_match=tag)
    assert same.json["state"] == "active"
    other = await call(deployment, "PATCH", path, {"url": URL + "/2"}, if_match=same.headers["etag"])
    assert other.json["state"] == "unverified"
    assert (await deployment.store.backlog()).waiting == 1


async def test_events_are_replayed_and_a_test_is_sent_only_to_an_active_webhook(deployment: Deployment) -> None:
    source = await portfolio(deployment)
    path = await webhook(deployment)
    for act in ("test", "replay"):
        assert problem(await call(deployment, "POST", f"{path}/{act}", {})) == (409, "webhook.state")
    await make_events(deployment, source, "00000001", "00000002", "00000003")
    kept = await activate(deployment, path)
    for body, count in (
        ({"event": 2}, 1),
        ({"after": 0, "until": 2}, 2),
        ({}, 0),
        (None, 0),
        ({"after": 3, "until": 9}, 0),
    ):
        reply = await call(deployment, "POST", f"{path}/replay", body)
        assert (reply.status, reply.json) == (202, {"deliveries": count, "next": 0})
        assert "etag" not in reply.headers, "it is no version of the webhook"
    assert len(await deployment.store.deliveries_of(kept.id)) == 2
    for bad in ({"event": 1, "after": 0}, {"after": 1}, {"event": 0}, {"all": True}):
        assert problem(await call(deployment, "POST", f"{path}/replay", bad)) == (422, "resource.members")
    sent = await call(deployment, "POST", f"{path}/test")
    assert sent.status == 202
    assert sent.json["webhook_id"].startswith("msg_")
    assert (await call(deployment, "GET", f"{path}/attempts")).json == {"attempts": [], "next_page_token": ""}
    disabled = await call(deployment, "POST", f"{path}/disable")
    assert (disabled.json["state"], disabled.json["disabled_reason"]) == ("disabled", "by_hand")
    again = await call(deployment, "POST", f"{path}/verify")
    assert (again.status, again.json["state"]) == (202, "unverified")


async def test_one_event_is_read_by_its_number(deployment: Deployment) -> None:
    await make_events(deployment, await portfolio(deployment), "00000001")
    assert (await call(deployment, "GET", f"{paths.EVENTS}/1")).json["event"]["timepoint"] == 1
    for number in ("0", "2", "x", "-1", "99999999999999999999"):
        assert problem(await call(deployment, "GET", f"{paths.EVENTS}/{number}")) == (404, "event.unknown")


async def test_an_application_never_sees_a_portfolio_event_or_webhook_of_another_owner(deployment: Deployment) -> None:
    mine, source = await webhook(deployment), await portfolio(deployment)
    await activate(deployment, mine)
    await make_events(deployment, source, "00000001")
    other = await deployment.another_application()
    assert (await call(other, "GET", paths.WEBHOOKS)).json["webhooks"] == []
    assert (await call(other, "GET", paths.PORTFOLIOS)).json["portfolios"] == []
    assert (await call(other, "GET", paths.EVENTS)).json["events"] == []
    for method, target, body in (
        ("GET", mine, None),
        ("GET", f"{mine}/attempts", None),
        ("PATCH", mine, {"url": URL}),
        ("DELETE", mine, None),
        ("POST", f"{mine}/keys", None),
        ("POST", f"{mine}/test", None),
        ("POST", f"{mine}/replay", {}),
        ("POST", f"{mine}/verify", None),
        ("POST", f"{mine}/disable", None),
        ("GET", source, None),
        ("GET", f"{source}/companies", None),
        ("GET", f"{paths.EVENTS}/1", None),
    ):
        reply = await call(other, method, target, body, if_match="*")
        assert reply.status == 404, (method, target)
        assert b"receiver.example" not in reply.body
    theirs = await webhook(other)
    kept = await activate(other, theirs)
    await call(other, "POST", f"{theirs}/replay", {"after": 0, "until": 9})
    await make_events(deployment, source, "00000002")
    assert await deployment.store.deliveries_of(kept.id) == []
    assert len(await deployment.store.deliveries_of(mine.rpartition("/")[2])) == 2
    assert problem(
        await call(other, "POST", paths.WEBHOOKS, {"url": URL, "portfolios": [source.rpartition("/")[2]]})
    ) == (
        422,
        "webhook.filter",
    )
