"""The programs that the developer portal shows sign a person in as they are: saved, started, and opened in Chromium."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

import pytest
from playwright.sync_api import Error, Page

from credence.sandbox.examples import COMPANY_NUMBER
from credence.sites.developers.quickstarts import quickstarts
from tests.browser import browsing, needs_chromium
from tests.ports import free_port
from tests.strangers.provider import Provider
from tests.waiting import wait_until

NODE = Path(__file__).parent / "node" / "node_modules"

pytestmark = [
    needs_chromium,
    pytest.mark.skipif(not NODE.exists(), reason="openid-client is missing: python -m tests.provision"),
]

GRANTS = ("--grant", "authorization_code", "--grant", "refresh_token")


def saved(provider: Provider, folder: Path, kind: str, language: str, uri: str, *options: str) -> str:
    """Save the files of the program for a new application with this redirect URI, and return the command that runs it."""
    known = provider.application(f"{kind} {language}", *GRANTS, "--redirect-uri", uri, *options)
    values = (provider.issuer, known["client_id"], known.get("client_secret", ""), uri, str(provider.ca_file))
    found = next(each for each in quickstarts(kind, *values) if language in each.language)
    for name, text in found.files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return found.run


@contextmanager
def running(folder: Path, command: list[str], **variables: str) -> Iterator[subprocess.Popen[str]]:
    if not (folder / "node_modules").exists():
        (folder / "node_modules").symlink_to(NODE)
    with subprocess.Popen(
        command, cwd=folder, env=os.environ | variables, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as started:
        try:
            yield started
        finally:
            started.terminate()


def signed_in_at(provider: Provider, start: str, ready_within: float = 60) -> str:
    """Open the address as soon as it answers, sign in, and return what the program shows."""
    with browsing() as context:
        page = context.new_page()
        wait_until(lambda: _answers(page, start), ready_within)
        if page.get_by_role("button", name="Sign in").count():
            page.get_by_role("button", name="Sign in").click()
        person_signs_in(provider, page)
        page.wait_for_url(lambda url: not url.startswith(provider.issuer))
        wait_until(lambda: len(page.inner_text("body").strip()) > len("Sign in"), 60)
        return page.inner_text("body")


def _answers(page: Page, address: str) -> bool:
    try:
        return page.goto(address) is not None
    except Error:
        return False


def person_signs_in(provider: Provider, page: Page) -> None:
    page.get_by_label("Username").fill(provider.server.username)
    page.get_by_role("button", name="Continue").click()
    page.get_by_label("Password").fill(provider.server.password)
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.get_by_role("button", name="Allow", exact=True).click()


@pytest.mark.parametrize(
    "uri", ["https://app.example/'+alert(1)+'", "https://app.example/${x}`", "https://a.example/" + "x" * 200]
)
def test_a_redirect_uri_that_would_end_a_text_gets_no_program(uri: str) -> None:
    assert list(quickstarts("web", "https://issuer.example", "client", "secret", uri, "")) == []


@pytest.mark.skipif(find_spec("flask") is None, reason="flask is missing: make develop")
def test_flask(provider: Provider, tmp_path: Path) -> None:
    at = f"http://localhost:{free_port()}"
    saved(provider, tmp_path, "web", "Flask", f"{at}/oidc/callback")
    with running(tmp_path, [sys.executable, "app.py"], REQUESTS_CA_BUNDLE=str(provider.ca_file)):
        assert signed_in_at(provider, f"{at}/sign-in") == f"Signed in as {provider.server.username}"


def test_express(provider: Provider, tmp_path: Path) -> None:
    at = f"http://localhost:{free_port()}"
    saved(provider, tmp_path, "web", "Express", f"{at}/callback")
    with running(tmp_path, ["node", "app.mjs"], NODE_EXTRA_CA_CERTS=str(provider.ca_file)):
        shown = signed_in_at(provider, f"{at}/")
    assert shown.startswith(f"Signed in as {provider.server.username}")
    assert f'"RegNumber":"{COMPANY_NUMBER}"' in shown


def test_a_single_page(provider: Provider, tmp_path: Path) -> None:
    port = free_port()
    at = f"http://localhost:{port}"
    options = ("--authentication", "none", "--origin", at)
    saved(provider, tmp_path, "page", "HTML", f"{at}/", *options)
    with running(tmp_path, [sys.executable, "-m", "http.server", str(port)]):
        assert f'"RegNumber": "{COMPANY_NUMBER}"' in signed_in_at(provider, f"{at}/")


def test_a_native_application(provider: Provider, tmp_path: Path) -> None:
    opened, command = tmp_path / "opened", tmp_path / "xdg-open"
    command.write_text(f'#!/bin/sh\nprintf %s "$1" > "{opened}.part" && mv "{opened}.part" "{opened}"\n')
    command.chmod(0o700)
    options = ("--authentication", "none", "--type", "native")
    saved(provider, tmp_path, "native", "AppAuth", "http://127.0.0.1/callback", *options)
    app = tmp_path / "app.mjs"
    app.write_text(app.read_text().replace("4180", str(free_port())))
    variables = {"NODE_EXTRA_CA_CERTS": str(provider.ca_file), "PATH": f"{tmp_path}:{os.environ['PATH']}"}
    with running(tmp_path, ["node", "app.mjs"], **variables) as started, browsing() as context:
        wait_until(opened.exists, 60)
        page = context.new_page()
        page.goto(opened.read_text())
        person_signs_in(provider, page)
        page.get_by_text("Close your browser to continue").wait_for()
        shown, _ = started.communicate(timeout=60)
    assert f'"RegNumber":"{COMPANY_NUMBER}"' in shown


@pytest.mark.long
@pytest.mark.parametrize(("language", "path"), [("Next.js", "/api/auth/callback/credence"), ("Spring", "/callback")])
def test_a_framework_by_the_printed_command(provider: Provider, tmp_path: Path, language: str, path: str) -> None:
    """Files and command as the portal shows them; npm and Maven install the packages."""
    at = f"http://localhost:{free_port()}"
    command = saved(provider, tmp_path, "web", language, at + path)
    (tmp_path / "node_modules").mkdir()
    with running(tmp_path, ["setsid", "bash", "-c", f"trap 'kill 0' TERM; ({command}) & wait"]):
        assert signed_in_at(provider, f"{at}/", 300).strip() == f"Signed in as {provider.server.username}"
