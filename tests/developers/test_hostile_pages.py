"""What the portal withstands: names with markup, marks that turn a line around, framing; and how small its pages are."""

import html5lib
import msgspec
import pytest

from credence.sites.developers.site import SCREENS
from credence.store.webhooks import WEBHOOKS, Webhook
from tests.console.test_hostile_pages import HOSTILE, PAGE_BYTES, elements_of
from tests.developers.conftest import Portal
from tests.developers.test_who_may import path_of


@pytest.mark.settings(calls_out=True)
async def test_names_are_text_and_nothing_else_on_every_screen(portal: Portal) -> None:
    ada = await portal.developer("ada")
    client_id, _ = await ada.create("web", redirect_uris="https://app.example.com/callback")
    hook = Webhook("wh_2o6x4hk3tmy7q5c3", client_id, "https://a.example", portal.main.now, "ed25519", ())
    await portal.main.store.save(WEBHOOKS, hook)
    pages = {screen.path: await ada.browser.get(path_of(screen, client_id, hook.id)) for screen in SCREENS}
    clean = set().union(*map(elements_of, pages.values())) | {"aria-invalid"}  # of a query that is none
    found = await portal.main.store.application(client_id)
    assert found is not None
    changed = msgspec.structs.replace(
        found, name=HOSTILE, redirect_uris=(f"https://app.example.com/{HOSTILE}",), version=found.version + 1
    )
    await portal.main.store.save_application(changed, portal.main.now)
    said = msgspec.structs.replace(hook, version=2, url=HOSTILE, description=HOSTILE, disabled_reason=HOSTILE)
    await portal.main.store.save(WEBHOOKS, said)
    for screen in SCREENS:
        page = await ada.browser.get(f"{path_of(screen, client_id, hook.id)}?q=%3Cscript%3E%22")
        assert page.status in (200, 404)
        assert elements_of(page) <= clean, screen.path
        assert not any(each in page.body.decode() for each in "\u202e\u200f\u2066")
        html5lib.HTMLParser(strict=True).parse(page.body)
        assert len(page.body) <= PAGE_BYTES
        policy = page.headers["content-security-policy"].split("; ")
        assert {"default-src 'none'", "frame-ancestors 'none'", "form-action 'self'", "base-uri 'none'"} <= set(policy)
        assert page.headers["cache-control"] == "no-store"
    typed = await ada.do("/developers/new", "app-create", name=HOSTILE, kind="machine", redirect_uris="<b>")
    assert typed.status == 422
    assert not {"script", "b", "img"} & elements_of(typed)
