"""What an attempt changes of its webhook: at once with the notice of it, only if it is what was attempted (threats F2)."""

import sqlite3
from contextlib import closing, nullcontext
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from credence.monitoring.webhooks.delivering import FAILING_MS, disable, follow
from credence.outbox.engine import AttemptOutcome
from credence.store.contract import Conflict, StoreUnavailable
from credence.store.sqlite.store import SqliteStore
from credence.store.webhooks import KIND, VERIFICATION, WEBHOOKS
from tests.deployment import OpenDeployment
from tests.monitoring.webhook_site import Site
from tests.outgoing.receivers import receiver
from tests.store.records import NOW
from tests.store.test_contract_of_webhooks import OWNER, webhook


async def states(store: SqliteStore) -> dict[str, str]:
    return {each.id: each.state for each in await store.webhooks_of(OWNER, "", 10)}


async def test_a_webhook_whose_notice_cannot_be_stored_stays_active(tmp_path: Path) -> None:
    file = tmp_path / "s.sqlite"
    store = SqliteStore(file)
    try:
        await store.save(WEBHOOKS, webhook("wh1"))
        await store.save(WEBHOOKS, webhook("wh2"))
        with closing(sqlite3.connect(file, isolation_level=None)) as other:
            other.execute("ALTER TABLE deliveries RENAME TO away")
            with pytest.raises((StoreUnavailable, sqlite3.Error)):
                await disable(store, webhook("wh1"), "gone", NOW)
            assert await states(store) == {"wh1": "active", "wh2": "active"}
            other.execute("ALTER TABLE away RENAME TO deliveries")
        await disable(store, webhook("wh1"), "gone", NOW)
        assert await states(store) == {"wh1": "disabled", "wh2": "active"}
        assert len(await store.deliveries_of("wh2")) == 1
    finally:
        await store.close()


@pytest.mark.parametrize(
    ("answer", "change"),
    [
        ("410", {"url": "https://moved.example/", "state": "unverified", "failing_since": 0}),
        ("500", {"url": "https://moved.example/"}),
        ("410", {"state": "disabled", "disabled_reason": "by_hand"}),
        ("500", {"failing_since": 0}),
    ],
    ids=["moved, gone", "moved, failing", "disabled by its owner", "works again"],
)
async def test_an_answer_from_before_a_change_of_the_webhook_does_not_disable_it(
    tmp_path: Path, answer: str, change: dict[str, object]
) -> None:
    """An attempt takes seconds, in which the owner moves to another address because the earlier one is gone."""
    store = SqliteStore(tmp_path / "s.sqlite")
    try:
        attempted = webhook("wh1", failing_since=NOW - FAILING_MS - 1)
        await store.save(WEBHOOKS, attempted)
        changed = webhook("wh1", version=2, **{"failing_since": attempted.failing_since, **change})
        await store.save(WEBHOOKS, changed)
        await store.save(WEBHOOKS, webhook("wh2"))
        await follow(store, attempted, KIND, AttemptOutcome(delivered=False, text=answer), NOW)
        assert await store.webhook("wh1") == changed
        assert await store.deliveries_of("wh2") == []
    finally:
        await store.close()


async def test_an_attempt_at_an_earlier_address_does_not_say_that_the_new_one_fails(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "s.sqlite")
    try:
        await store.save(WEBHOOKS, webhook("wh1"))
        changed = webhook("wh1", version=2, url="https://moved.example/")
        await store.save(WEBHOOKS, changed)
        await follow(store, webhook("wh1"), KIND, AttemptOutcome(delivered=False, text="500"), NOW)
        assert await store.webhook("wh1") == changed
    finally:
        await store.close()


REFUSED = "CREATE TRIGGER first BEFORE UPDATE ON webhooks BEGIN SELECT RAISE(ABORT, 'first'); END"
"""Refuses every change of a webhook, as if another process were first each time."""


@pytest.mark.parametrize("stored", [True, False])
async def test_the_log_says_that_a_webhook_is_verified_when_that_is_stored(tmp_path: Path, stored: bool) -> None:
    file = tmp_path / "s.sqlite"
    store = SqliteStore(file)
    try:
        unverified = webhook("wh1", state="unverified")
        await store.save(WEBHOOKS, unverified)
        if not stored:
            with closing(sqlite3.connect(file, isolation_level=None)) as other:
                other.execute(REFUSED)
        with capture_logs() as logged, nullcontext() if stored else pytest.raises(Conflict):
            await follow(store, unverified, VERIFICATION, AttemptOutcome(delivered=True, text="204"), NOW)
        assert await states(store) == {"wh1": "active" if stored else "unverified"}
        assert [each["event"] for each in logged] == ["webhook_verified"] * stored
    finally:
        await store.close()


async def test_a_verification_that_could_not_be_stored_is_made_again(
    open_deployment: OpenDeployment, tmp_path: Path
) -> None:
    """An endpoint that has answered 2xx gets its events, however many changes come between."""
    file = tmp_path / "s.sqlite"
    site = Site(await open_deployment(over=SqliteStore(file)), tmp_path)
    async with receiver(tmp_path) as at:
        made = await site.webhook(at)
        with closing(sqlite3.connect(file, isolation_level=None)) as other:
            other.execute(REFUSED)
            await site.deliver()
            assert (await site.store.webhook(made.id)).state == "unverified"
            other.execute("DROP TRIGGER first")
        site.deployment.now += 10_000
        await site.deliver()
        assert (await site.store.webhook(made.id)).state == "active"
        assert len(at.requests) == 2
