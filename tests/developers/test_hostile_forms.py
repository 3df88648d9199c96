"""What the forms of the portal withstand: values that no person enters, in every field of every act (threats E4)."""

from urllib.parse import quote_plus

import pytest

from credence.sites.developers.sandbox import SANDBOX
from credence.sites.developers.site import SCREENS
from credence.sites.developers.webhooks import WEBHOOK
from credence.store.webhooks import WEBHOOKS, Webhook, WebhookKey
from tests.console.test_hostile_pages import PAGE_BYTES, elements_of
from tests.developers.conftest import Portal
from tests.developers.test_lines import SPECIMEN, TRY
from tests.developers.test_who_may import path_of
from tests.sign_in.browsing import FORM, landed
from tests.workbench.test_hostile_forms import VALUES, forms_of

GOOD = {
    "name": "Ledger",
    "kind": "web",
    "redirect_uris": "https://app.example.com/callback",
    "url": "https://a.example/b",
}
UNTOUCHED = {"token", "kind", "signature", "client_id", "version"}
ANSWERS = (200, 303, 400, 401, 404, 409, 422)


@pytest.mark.settings(calls_out=True)
async def test_no_value_in_any_field_is_answered_by_more_than_a_page_that_says_so(portal: Portal) -> None:
    ada = await portal.developer("ada")
    client_id, _ = await ada.create()
    key = WebhookKey(b"sealed", "whpk_public", portal.main.now)
    hook = Webhook(
        "wh_2o6x4hk3tmy7q5c3", client_id, "https://a.example", portal.main.now, "ed25519", (key,), state="active"
    )
    await portal.main.store.save(WEBHOOKS, hook)
    wrong: list[object] = []
    tried: set[str] = set()
    for screen in (each for each in SCREENS if each.acts):
        path = path_of(screen, client_id, hook.id)
        for act, fields in forms_of(await ada.browser.get(path)):
            if act in ("webhook-disable", "webhook-delete", "app-disable"):  # after it the application may do nothing
                continue
            given = GOOD | {name: each for name, each in fields.items() if each}
            for kind, value in VALUES.items():
                pairs = [
                    f"{name}={quote_plus(given.get(name, '')) if name in UNTOUCHED else value.format(name=name)}"
                    for name in fields
                ]
                cookies = "; ".join(f"{name}={each}" for name, each in ada.cookies.items())
                body = "&".join([f"act={act}", *pairs]).encode()
                page = await portal.main.send("POST", path, [("Cookie", cookies), FORM], body)
                page = await landed(portal.main, cookies, page)
                tried.add(screen.path)
                if page.status not in ANSWERS or len(page.body) > PAGE_BYTES:
                    wrong.append((path, act, kind, page.status, len(page.body)))
                if "img" in elements_of(page) or any("-kept=;" not in each for each in page.cookies):
                    wrong.append((path, act, kind, page.headers))
    assert wrong == []
    with_acts = {screen.path for screen in SCREENS if screen.acts}
    assert tried == with_acts - {SANDBOX.path}, "this deployment has no scenario to play"


@pytest.mark.settings(calls_out=True)
async def test_no_field_and_no_path_mixes_what_belongs_to_two_developers(portal: Portal) -> None:
    """threats E13: the webhook of one below the application of the other, and requests as the application of the other."""
    ada, eve = await portal.developer("ada"), await portal.developer("eve")
    of_ada, _ = await ada.create()
    of_eve, _ = await eve.create()
    store = portal.main.store
    hook = Webhook("wh_2o6x4hk3tmy7q5c3", of_ada, "https://a.example", portal.main.now, "ed25519", (), state="active")
    await store.save(WEBHOOKS, hook)
    for client_id in (of_ada, of_eve):
        path = path_of(WEBHOOK, client_id, hook.id)
        assert (await eve.browser.get(path)).status == 404
        for act in WEBHOOK.acts:
            page = await eve.browser.get("/developers/new")
            token = dict(forms_of(page))["app-create"]["token"]
            fields = {"token": token, "act": act.name, "after": "0", "until": "9", "webhook": hook.id}
            assert (await eve.browser.post(path, fields.items())).status == 404, act.name
    assert (await store.webhook(hook.id)) == hook
    tried = await eve.do(TRY, "send", client_id=of_ada, **SPECIMEN)
    assert tried.status == 422
    assert "TEST SPECIMEN" not in tried.body.decode()
