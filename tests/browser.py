"""A real Chromium without a window, one for all tests of a process: each test has contexts of its own in it."""

import asyncio
import atexit
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

CHROMIUM = Path("/usr/bin/chromium-headless-shell")
"""Chromium without the parts that draw a window, whose start takes a third of the processor time."""

if not CHROMIUM.exists():
    CHROMIUM = Path("/usr/bin/chromium")

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP *.test 127.0.0.1",
]
"""Names below `.test`, which belong to nobody (RFC 6761 §6.2), are this machine: hosts of one site, and of several."""

LIMIT_MS = 60_000
"""How long a page may take for a step on a busy machine."""

needs_chromium = pytest.mark.skipif(
    not CHROMIUM.exists(), reason="chromium-headless-shell is missing: python -m tests.provision"
)


@contextmanager
def chromium() -> Iterator[Browser]:
    """Lend the browser; while it is lent, no other event loop can run in this thread, so no async test and no command."""
    browser, loop = _started()
    asyncio._set_running_loop(loop)
    try:
        yield browser
    finally:
        asyncio._set_running_loop(None)


@contextmanager
def browsing(**options: Any) -> Iterator[BrowserContext]:
    """Lend a context of its own with these options; it trusts every certificate, as it knows no authority of a sandbox."""
    with chromium() as browser:
        context = browser.new_context(ignore_https_errors=True, **options)
        context.set_default_timeout(LIMIT_MS)
        try:
            yield context
        finally:
            context.close()


@contextmanager
def browser_page(*, javascript: bool = True, width: int = 1280, dark: bool = False) -> Iterator[Page]:
    """Lend a page in a context of its own."""
    with browsing(
        java_script_enabled=javascript,
        viewport={"width": width, "height": 900},
        color_scheme="dark" if dark else "light",
    ) as context:
        yield context.new_page()


@cache
def _started() -> tuple[Browser, asyncio.AbstractEventLoop]:
    playwright = sync_playwright().start()
    browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
    loop = asyncio.get_running_loop()

    def stop() -> None:
        asyncio._set_running_loop(loop)
        browser.close()
        playwright.stop()

    atexit.register(stop)
    return browser, loop


def sign_in_by_keyboard(page: Page, username: str, password: str) -> None:
    """Type login name and password into the pages that ask for them, once each has given its field the focus."""
    for field, text in (("username", username), ("password", password)):
        page.locator(f"#{field}:focus").wait_for()  # the browser gives it the focus with the first frame that it draws
        page.keyboard.type(text)
        page.keyboard.press("Enter")
