"""The pages about unverified clients in a real Chromium: axe-core, light and dark, narrow and magnified."""

import asyncio
from pathlib import Path
from typing import Any

from playwright.sync_api import ViewportSize, sync_playwright

from tests.accessibility.axe import OF_COLOURS, OF_WIDTH, complaints, needs_axe
from tests.browser import ARGUMENTS, CHROMIUM, LIMIT_MS, needs_chromium
from tests.deployment import OpenDeployment, Reply
from tests.oauth.registering import send
from tests.sign_in.browsing import Browser, request_of
from tests.sign_in.client_documents import asked, publishing

pytestmark = [needs_chromium, needs_axe]

NAME = "Assistant for suppliers and customers of every kind"
LOCAL = "http://127.0.0.1:49152/done"
_ALLOW = f"Allow “{NAME}”?"
HEADINGS = {"document": _ALLOW, "registration": _ALLOW, "refused": "Access not allowed"}
LOOKS: dict[str, tuple[Any, ViewportSize, tuple[str, ...]]] = {
    "light": ("light", {"width": 1280, "height": 900}, ()),
    "dark": ("dark", {"width": 1280, "height": 900}, OF_COLOURS),
    "320px": ("dark", {"width": 320, "height": 700}, ()),
    "200%": ("light", {"width": 640, "height": 450}, OF_WIDTH),
}
"""Colours, size of the window, and the rules if not all; 1280 pixels at 400 % and at 200 % (WCAG 1.4.10, 1.4.4)."""


async def test_everyone_can_read_who_is_unverified(tmp_path: Path, open_deployment: OpenDeployment) -> None:
    """WCAG 2.2 A and AA by axe-core, with nothing to scroll sideways, for both kinds of unverified clients."""
    further = {"registration": True, "open_registration": True}
    async with publishing(tmp_path, open_deployment, **further) as (publisher, deployment):
        publisher.members["client_name"] = NAME
        described = Browser(deployment)
        first = await described.get(asked(publisher, deployment, redirect_uri=LOCAL))
        by_document = await described.sign_in(first)
        metadata = {"client_name": NAME, "redirect_uris": [LOCAL], "token_endpoint_auth_method": "none"}
        made = await send(deployment, "POST", "/oauth2/v1/register", None, metadata)
        registered = Browser(deployment)
        request = request_of(deployment.application, client_id=made.json["client_id"], redirect_uri=LOCAL)
        by_registration = await registered.sign_in(await registered.get(request))
        refused = await registered.submit(by_registration, decision="refuse")
    pages = {"document": by_document, "registration": by_registration, "refused": refused}
    found = await asyncio.to_thread(examined, pages)
    assert {look: lines for look, lines in found.items() if lines} == {}


def examined(pages: dict[str, Reply]) -> dict[str, list[str]]:
    """Return what is wrong with each page, with the header fields that it was sent with, in each look."""
    found: dict[str, list[str]] = {}
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        page = chromium.new_page()
        page.set_default_timeout(LIMIT_MS)
        for name, reply in pages.items():
            headers = {field: value for field, value in reply.headers.items() if field != "set-cookie"}
            page.route("**/*", lambda route: route.fulfill(body=reply.body, headers=headers))  # noqa: B023 - the one shown
            page.goto("https://localhost/oauth2/v1/consent")
            page.get_by_role("heading", name=HEADINGS[name]).wait_for()
            assert page.locator(".warning").count() == (0 if name == "refused" else 2)
            if name == "refused":  # it stays here: only the link leads on
                assert page.get_by_role("link", name="Continue to a program on this computer (127.0.0.1)").is_visible()
            for look, (scheme, size, rules) in LOOKS.items() if name == "document" else [("320px", LOOKS["320px"])]:
                page.emulate_media(color_scheme=scheme)
                page.set_viewport_size(size)
                lines = found[f"{name}, {look}"] = complaints(page, rules)
                if page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth"):
                    lines.append("scrolls sideways")
        chromium.close()
    return found
