"""The first minutes of a newcomer, by the clock: a fresh clone, a scored report, a Flask and an Express sign-in.

Everything that is typed stands on a page or in the output of the start, and packages are fetched as a newcomer fetches them.
"""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Error, Page

from tests.browser import browsing, needs_chromium, sign_in_by_keyboard
from tests.ports import free_port
from tests.running import clean_environment
from tests.waiting import wait_until

REPORT_WITHIN, SIGN_INS_WITHIN = 300, 600
"""Seconds from the clone on."""

_SOURCE = Path(__file__).parents[2]


@dataclass(frozen=True)
class _Clone:
    began: float
    output: Path

    @property
    def said(self) -> str:
        return self.output.read_text(encoding="utf-8", errors="replace")

    def printed(self, name: str) -> str:
        """Return the credential or the address that the start prints after a name."""
        found = re.search(rf"^ *{name}(?: at)? +(\S+?):?(?: |$)", self.said, re.MULTILINE)
        assert found, f"{name} is not printed: {self.said}"
        return found[1]


@contextmanager
def _running(command: list[str], folder: Path, output: Path, **variables: str) -> Iterator[None]:
    """Run a command with what it starts, until the end of the block."""
    environment = {name: value for name, value in clean_environment(**variables).items() if name != "VIRTUAL_ENV"}
    environment.pop("CREDENCE_PASSWORD_PROFILE", None)
    with output.open("wb") as stream:
        started = subprocess.Popen(
            command, cwd=folder, env=environment, stdout=stream, stderr=subprocess.STDOUT, start_new_session=True
        )
        try:
            yield
        finally:
            os.killpg(started.pid, signal.SIGTERM)
            started.wait(timeout=60)


@contextmanager
def _serving(folder: Path) -> Iterator[_Clone]:
    began, clone, output = time.monotonic(), folder / "credence", folder / "output.txt"
    subprocess.run(["git", "clone", "-q", str(_SOURCE), str(clone)], check=True, timeout=60)
    ports = {"CREDENCE_PORT": str(free_port()), "CREDENCE_MANAGE_PORT": str(free_port())}
    with _running(["make", "serve"], clone, output, **ports):
        found = _Clone(began, output)
        wait_until(lambda: "Listening" in found.said, REPORT_WITHIN)
        yield found


def _program(page: Page, language: str, folder: Path) -> tuple[str, str]:
    """Save the files that the page shows for a language; return the command that runs them, and the address to open."""
    page.locator(".languages > label", has_text=language).click()
    panel = page.locator(".languages > div").filter(visible=True)
    create, run, see = panel.locator("ol > li").all()
    names = [each.inner_text() for each in create.locator("p > code").all()]
    texts = [each.text_content() or "" for each in create.locator("pre code").all()]
    for name, text in zip(names, texts, strict=True):
        (folder / name).write_text(text, encoding="utf-8")
    return run.locator("pre code").inner_text(), see.get_by_role("link").first.get_attribute("href") or ""


def _signed_in_by(context: BrowserContext, address: str, clone: _Clone) -> str:
    """Open the address as soon as the program is there, sign in, and return what the program says."""
    page = context.new_page()
    wait_until(lambda: _opens(page, address), SIGN_INS_WITHIN)
    if page.get_by_label("Username").count():
        sign_in_by_keyboard(page, clone.printed("username"), clone.printed("password"))
    page.get_by_role("button", name="Allow", exact=True).click()
    page.get_by_text("Signed in as").wait_for()
    return page.inner_text("body")


def _opens(page: Page, address: str) -> bool:
    try:
        return page.goto(address) is not None
    except Error:
        return False


@pytest.mark.long
@needs_chromium
def test_a_newcomer_has_a_scored_report_in_five_minutes_and_two_sign_ins_in_ten(tmp_path: Path) -> None:
    with _serving(tmp_path) as clone, browsing() as context:
        page = context.new_page()
        page.goto(clone.printed("Credit workbench"))
        sign_in_by_keyboard(page, clone.printed("username"), clone.printed("password"))
        page.locator("section", has=page.get_by_role("heading", name="Try these")).get_by_role("link").first.click()
        page.get_by_text("of 100").first.wait_for()
        took = time.monotonic() - clone.began
        sys.stderr.write(f"\na scored report after {took:.0f} s\n")
        assert took < REPORT_WITHIN
        for language, own in (
            ("Python (Flask)", "python3 -m venv own && . own/bin/activate && "),
            ("JavaScript (Express)", ""),
        ):
            folder = tmp_path / language.split()[0]
            folder.mkdir()
            page.goto(clone.printed("Developer portal"))
            if page.get_by_role("link", name="Sign in").count():
                page.get_by_role("link", name="Sign in").click()
            page.get_by_role("link", name="Create an application").click()
            page.get_by_label("Name", exact=True).fill(language)
            page.get_by_label("Kind").select_option("web")
            page.get_by_label("Redirect URIs").fill(f"http://localhost:{free_port()}/callback")
            page.get_by_role("button", name="Create application").click()
            page.locator(".secret").wait_for()
            command, address = _program(page, language, folder)
            with _running(["bash", "-c", own + command], folder, folder / "output.txt"):
                said = _signed_in_by(context, address, clone)
            took = time.monotonic() - clone.began
            sys.stderr.write(f"{language} signs in after {took:.0f} s\n")
            assert said.startswith(f"Signed in as {clone.printed('username')}")
            assert took < SIGN_INS_WITHIN
