"""The contract of the store for webhooks: their deliveries are written with the events (D31, threats F12)."""

import asyncio

import msgspec
import pytest

from credence.store.contract import Conflict, Full, Store
from credence.store.deliveries import Delivery, added
from credence.store.events import KEPT_MS, NewEvent
from credence.store.portfolios import Portfolio
from credence.store.webhooks import WEBHOOKS, Message, Webhook, WebhookAttempt, WebhookKey, decode_message, delivery_id
from tests.store.records import DAY, NOW

OWNER, SHARED, STRANGER = "crd_sbx_app_a", "crd_sbx_app_b", "crd_sbx_app_c"


def webhook(identity: str = "wh1", **changes: object) -> Webhook:
    keys = (WebhookKey(b"sealed", "whpk_x", NOW),)
    made = Webhook(identity, OWNER, "https://receiver.example/", NOW, "ed25519", keys, state="active")
    return msgspec.structs.replace(made, **changes)


def event(key: str, of: str = "p1", rule: str = "band") -> NewEvent:
    return NewEvent(key.encode(), of, rule, "00000001", NOW + KEPT_MS, b"{}")


async def watched(store: Store) -> Store:
    await store.save_shared_value("comparison", 1, b"{}")
    await store.save_portfolio(Portfolio("p1", OWNER, "North", NOW, shared_with=(SHARED,)))
    await store.save_portfolio(Portfolio("p2", STRANGER, "South", NOW))
    return store


async def told(store: Store, receiver: str) -> list[int]:
    return [decode_message(each.payload).sequence for each in await store.deliveries_of(receiver)]


async def test_a_webhook_is_read_by_its_id_and_listed_for_its_owner_alone(store: Store) -> None:
    await store.save(WEBHOOKS, webhook())
    await store.save(WEBHOOKS, webhook("wh2"))
    await store.save(WEBHOOKS, webhook("wh3", owner=STRANGER))
    assert await store.webhook("wh1") == webhook()
    assert await store.webhook("wh9") is None
    assert await store.webhook("wh\0") is None
    assert [each.id for each in await store.webhooks_of(OWNER, "", 10)] == ["wh1", "wh2"]
    assert [each.id for each in await store.webhooks_of(OWNER, "wh1", 10)] == ["wh2"]
    assert [each.id for each in await store.webhooks()] == ["wh1", "wh2", "wh3"]


async def test_of_two_writers_of_a_webhook_one_conflicts_and_writes_no_delivery(store: Store) -> None:
    await store.save(WEBHOOKS, webhook())
    delivery = Delivery(b"d", "webhook", "wh1", b"{}", NOW, NOW, NOW + DAY)
    for late in (webhook(), webhook(version=3)):
        with pytest.raises(Conflict):
            await store.save(WEBHOOKS, late, also=[added([delivery])])
    assert await store.deliveries_of("wh1") == []
    await store.save(WEBHOOKS, webhook(version=2, description="new"), also=[added([delivery])])
    assert await store.deliveries_of("wh1") == [delivery]


async def test_of_webhooks_that_are_made_at_once_those_above_the_limit_are_not_stored(store: Store) -> None:
    """threats E10, F12: nor are their deliveries."""
    made = [webhook(f"wh{number}") for number in range(5)]
    deliveries = {each.id: Delivery(each.id.encode(), "webhook", each.id, b"{}", NOW, NOW, NOW + DAY) for each in made}
    saved = await asyncio.gather(
        *(store.save(WEBHOOKS, each, also=[added([deliveries[each.id]])], most=2) for each in made),
        store.save(WEBHOOKS, webhook("wh9", owner=STRANGER), most=2),
        return_exceptions=True,
    )
    assert [type(each) for each in saved if each is not None] == [Full] * 3
    kept = await store.webhooks_of(OWNER, "", 10)
    assert len(kept) == 2
    told = [each.id for each in made if await store.deliveries_of(each.id)]
    assert sorted(told) == [each.id for each in kept]
    await store.save(WEBHOOKS, msgspec.structs.replace(kept[0], version=2, description="new"), most=2)


async def test_the_transaction_of_an_event_writes_a_delivery_to_each_webhook_that_wants_it(store: Store) -> None:
    await watched(store)
    for each in (
        webhook("all"),
        webhook("shared", owner=SHARED),
        webhook("stranger", owner=STRANGER),
        webhook("of-p2", portfolios=("p2",)),
        webhook("score", rules=("score",)),
        webhook("unverified", state="unverified"),
        webhook("disabled", state="disabled"),
    ):
        await store.save(WEBHOOKS, each)
    assert await store.record(1, [], [event("a"), event("b", rule="score"), event("c", of="p2")]) == 3
    assert await store.record(1, [], [event("a"), event("d")]) == 1
    expected = {"all": [1, 2, 4], "shared": [1, 2, 4], "stranger": [3], "score": [2]}
    for name in ("all", "shared", "stranger", "of-p2", "score", "unverified", "disabled"):
        assert sorted(await told(store, name)) == expected.get(name, []), name
    (delivery,) = await store.deliveries_of("score")
    assert (delivery.id, delivery.kind) == (delivery_id("score", 2), "webhook")
    assert (delivery.created_at, delivery.due_at, delivery.keep_until) == (NOW, NOW, NOW + 34 * DAY)
    assert decode_message(delivery.payload) == Message("monitoring.score", 2, "p1", "00000001")


async def test_a_comparison_that_lost_its_claim_writes_no_delivery(store: Store) -> None:
    await watched(store)
    await store.save(WEBHOOKS, webhook())
    with pytest.raises(Conflict):
        await store.record(2, [], [event("a")])
    assert await store.deliveries_of("wh1") == []


async def test_attempts_are_listed_the_newest_first_and_swept(store: Store) -> None:
    for number in range(5):
        attempt = WebhookAttempt(f"{number}", f"msg_{number}", "monitoring.band", NOW, "500", 12, number, "no")
        await store.note_attempt("wh1", attempt, NOW + number)
        await store.note_attempt("wh2", attempt, NOW + DAY)
    assert [each.key for each in await store.attempts_of("wh1", "", 2)] == ["4", "3"]
    assert [each.key for each in await store.attempts_of("wh1", "3", 9)] == ["2", "1", "0"]
    assert (await store.attempts_of("wh1", "", 1))[0].answer == "no"
    assert await store.attempts_of("wh\0", "\0", 1) == []


async def test_a_deleted_webhook_leaves_no_delivery_and_no_attempt(store: Store) -> None:
    await watched(store)
    await store.save(WEBHOOKS, webhook())
    await store.record(1, [], [event("a")])
    await store.note_attempt("wh1", WebhookAttempt("1", "msg", "monitoring.band", NOW, "500", 1), NOW + DAY)
    with pytest.raises(Conflict):
        await store.delete_webhook(webhook(version=2))
    await store.delete_webhook(webhook())
    assert await store.webhook("wh1") is None
    assert await store.deliveries_of("wh1") == []
    assert await store.attempts_of("wh1", "", 9) == []


async def test_a_replay_adds_what_is_gone_revives_what_was_given_up_and_leaves_what_waits(store: Store) -> None:
    gone, given_up, waiting = (Delivery(bytes([n]), "webhook", "wh1", b"{}", NOW, NOW, NOW + DAY) for n in range(3))
    await store.add_deliveries([given_up])
    (claimed,) = await store.claim_deliveries(NOW, NOW + 1, 1, 1)
    assert await store.postpone_delivery(claimed, NOW, "500", given_up_at=NOW)
    await store.add_deliveries([waiting])
    later = [msgspec.structs.replace(each, due_at=NOW + 9) for each in (gone, given_up, waiting)]
    await store.replay_deliveries(later)
    await store.replay_deliveries([])
    found = {each.id: (each.due_at, each.attempts, each.given_up_at) for each in await store.deliveries_of("wh1")}
    assert found == {gone.id: (NOW + 9, 0, 0), given_up.id: (NOW + 9, 0, 0), waiting.id: (NOW, 0, 0)}
