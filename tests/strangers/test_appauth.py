"""npm's @openid/appauth, unchanged, as a native application: loopback redirect, in a browser that it opens itself."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from tests.browser import browsing, needs_chromium
from tests.ports import free_port
from tests.strangers.programs import needs, opens_a_report
from tests.strangers.provider import Provider
from tests.waiting import wait_until

FOLDER = Path(__file__).parent / "node"

pytestmark = [
    needs("node"),
    needs_chromium,
    pytest.mark.skipif(
        not (FOLDER / "node_modules/@openid/appauth").exists(), reason="appauth is missing: python -m tests.provision"
    ),
]

NATIVE = ("--authentication", "none", "--type", "native", "--redirect-uri", "http://127.0.0.1/callback")
GRANTS = ("--grant", "authorization_code", "--grant", "refresh_token")


def test_a_person_signs_in_to_a_native_application(provider: Provider, tmp_path: Path) -> None:
    """RFC 8252 §7.3: the port of the redirect URI is the one that was free. Later the tokens are refreshed and revoked."""
    opened = tmp_path / "opened"
    command = tmp_path / "xdg-open"
    command.write_text(f'#!/bin/sh\nprintf %s "$1" > "{opened}.part" && mv "{opened}.part" "{opened}"\n')
    command.chmod(0o700)
    client_id = provider.application("AppAuth", *NATIVE, *GRANTS)["client_id"]
    with subprocess.Popen(
        ["node", "appauth.mjs", provider.issuer, client_id, str(free_port())],
        cwd=FOLDER,
        env=os.environ
        | {
            "NODE_EXTRA_CA_CERTS": str(provider.ca_file),
            "NODE_NO_WARNINGS": "1",
            "PATH": f"{tmp_path}:{os.environ['PATH']}",
        },
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as library:
        assert library.stdout is not None
        wait_until(opened.exists, 60)
        person_signs_in(provider, opened.read_text())
        tokens = json.loads(library.stdout.readline())
        assert opens_a_report(provider, tokens["first"])
        assert opens_a_report(provider, tokens["second"])
        done, errors = library.communicate("revoke\n", timeout=60)
    assert (library.returncode, done) == (0, "revoked\n"), errors
    assert not opens_a_report(provider, tokens["second"])


def person_signs_in(provider: Provider, address: str) -> None:
    """Go through the pages in Chromium, back to the application's own server."""
    with browsing() as context:
        page = context.new_page()
        page.goto(address)
        page.get_by_label("Username").fill(provider.server.username)
        page.get_by_role("button", name="Continue").click()
        page.get_by_label("Password").fill(provider.server.password)
        page.get_by_role("button", name="Sign in", exact=True).click()
        page.get_by_text("a program on this computer").wait_for()
        page.get_by_role("button", name="Allow", exact=True).click()
        page.get_by_text("Close your browser to continue").wait_for()
