"""A webhook is disabled together with the notice of it to the other webhooks of its application (threats F2)."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from credence.monitoring.webhooks.delivering import disable
from credence.store.contract import StoreUnavailable
from credence.store.sqlite.store import SqliteStore
from tests.store.records import NOW
from tests.store.test_contract_of_webhooks import OWNER, webhook


async def states(store: SqliteStore) -> dict[str, str]:
    return {each.id: each.state for each in await store.webhooks_of(OWNER, "", 10)}


async def test_a_webhook_whose_notice_cannot_be_stored_stays_active(tmp_path: Path) -> None:
    file = tmp_path / "s.sqlite"
    store = SqliteStore(file)
    try:
        await store.save_webhook(webhook("wh1"))
        await store.save_webhook(webhook("wh2"))
        with closing(sqlite3.connect(file, isolation_level=None)) as other:
            other.execute("ALTER TABLE deliveries RENAME TO away")
            with pytest.raises((StoreUnavailable, sqlite3.Error)):
                await disable(store, "wh1", "gone", NOW)
            assert await states(store) == {"wh1": "active", "wh2": "active"}
            other.execute("ALTER TABLE away RENAME TO deliveries")
        await disable(store, "wh1", "gone", NOW)
        assert await states(store) == {"wh1": "disabled", "wh2": "active"}
        assert len(await store.deliveries_of("wh2")) == 1
    finally:
        await store.close()
