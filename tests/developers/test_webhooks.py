"""Webhooks and events of a developer's own application: made, tried, delivered again and stopped in the portal."""

import re

import pytest

from credence.store.webhooks import Webhook
from tests.developers.conftest import Portal, text_of
from tests.web.test_webhooks import URL, activate

pytestmark = pytest.mark.settings(calls_out=True)


async def made(ada: Portal, client_id: str, **fields: str) -> Webhook:
    path = f"/developers/applications/{client_id}/webhooks"
    typed = {"url": URL, "signature": "hmac-sha256", **fields}
    page = await ada.do(path, "webhook-make", **typed)
    assert page.status == 200, text_of(page)
    (kept,) = await ada.main.store.webhooks_of(client_id, "", 2)
    secret = re.search(r'<code class="secret">([^<]+)<', page.body.decode())
    assert (secret is not None) is (kept.signature == "hmac-sha256")
    shown = (await ada.browser.get(path)).body.decode()
    assert kept.id in shown
    assert secret is None or secret[1] not in shown
    return kept


async def test_a_webhook_is_made_tried_and_stopped_by_its_developer_alone(portal: Portal) -> None:
    ada, eve = await portal.developer("ada"), await portal.developer("eve")
    client_id, _ = await ada.create()
    kept = await made(ada, client_id, description="Ledger")
    assert (kept.owner, kept.url, kept.state) == (client_id, URL, "unverified")
    path = f"/developers/applications/{client_id}/webhooks/{kept.id}"
    waiting = await portal.main.store.backlog()
    assert (await ada.do(path, "webhook-test")).status == 422  # the endpoint has not consented
    assert await portal.main.store.backlog() == waiting
    await activate(portal.main, path)
    active = await portal.main.store.webhook(kept.id)
    assert (await ada.do(path, "webhook-test")).status == 200
    assert (await portal.main.store.backlog()).waiting == 1
    assert "Deliveries: 0. Next: 0." in text_of(await ada.do(path, "webhook-replay", event="57"))
    assert "Deliveries: 0. Next: 0." in text_of(await ada.do(path, "webhook-replay", event=""))
    beside = await ada.do(path, "webhook-replay", event="-1")
    assert (beside.status, 'id="webhook-replay-event-wrong"' in beside.body.decode()) == (422, True)
    theirs, _ = await eve.create()
    token = re.search(r'name="token" value="([^"]+)"', (await eve.browser.get("/developers/new")).body.decode())
    assert token is not None
    for crossed in (path, f"/developers/applications/{theirs}/webhooks/{kept.id}"):
        assert (await eve.browser.get(crossed)).status == 404
        for act in ("test", "replay", "verify", "disable", "set", "keys", "delete"):
            foreign = await eve.browser.post(crossed, {"token": token[1], "act": f"webhook-{act}"}.items())
            assert foreign.status == 404, (crossed, act)
    assert await portal.main.store.webhook(kept.id) == active
    assert (await ada.do(path, "webhook-disable")).status == 200
    stopped = await portal.main.store.webhook(kept.id)
    assert stopped is not None
    assert (stopped.state, stopped.disabled_reason) == ("disabled", "by_hand")
    assert (await ada.do(path, "webhook-verify")).status == 200
    again = await portal.main.store.webhook(kept.id)
    assert again is not None
    assert again.state == "unverified"


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({"url": ""}, "url"),
        ({"url": "http://receiver.example/hook"}, "url"),
        ({"url": "https://127.0.0.1/hook"}, "url"),
        ({"url": URL, "description": "x" * 101}, "description"),
        ({"url": URL, "description": "a\tb"}, "description"),
        ({"url": URL, "signature": "none"}, "signature"),
    ],
)
async def test_what_cannot_be_made_is_said_beside_its_field(portal: Portal, fields: dict[str, str], wrong: str) -> None:
    ada = await portal.developer("ada")
    client_id, _ = await ada.create()
    path = f"/developers/applications/{client_id}/webhooks"
    page = await ada.do(path, "webhook-make", **{"signature": "ed25519", **fields})
    assert (page.status, f'id="webhook-make-{wrong}-wrong"' in page.body.decode()) == (422, True), text_of(page)
    assert await portal.main.store.webhooks_of(client_id, "", 2) == []


@pytest.mark.settings(calls_out=False)
async def test_without_calls_to_others_the_page_says_so_and_makes_nothing(portal: Portal) -> None:
    ada = await portal.developer("ada")
    client_id, _ = await ada.create()
    path = f"/developers/applications/{client_id}/webhooks"
    assert "CREDENCE_CALLS_OUT" in text_of(await ada.browser.get(path))
    assert (await ada.do(path, "webhook-make", url=URL, signature="ed25519")).status == 422
