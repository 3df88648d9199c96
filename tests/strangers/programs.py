"""Programs that other people wrote, started for a test: what a test says when one is missing, and how one is run."""

import shutil
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from tests.sign_in.browsing import form_of_text
from tests.strangers.provider import EVERY_GRANT, Provider

BY_POST = ("--authentication", "client_secret_post", *EVERY_GRANT)
"""Options of `credence app create` for a client that sends everything in the form."""

READY_WITHIN = 60.0
"""Seconds. Spring Boot starts in five, and in thirty where every core is busy."""


def needs(program: str) -> pytest.MarkDecorator:
    """Return the mark of tests that cannot run without this program."""
    return pytest.mark.skipif(shutil.which(program) is None, reason=f"{program} is missing: python -m tests.provision")


@contextmanager
def running(
    command: Sequence[str],
    ready: Callable[[], bool],
    output: Path,
    env: Mapping[str, str] | None = None,
    *,
    within: float = READY_WITHIN,
) -> Iterator[None]:
    """Run a program until the end of the block, once it is ready."""
    with output.open("ab") as stream:
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=stream, stderr=stream, env=None if env is None else dict(env)
        )
    try:
        deadline = time.monotonic() + within
        while not ready():
            assert process.poll() is None, output.read_text(errors="replace")
            assert time.monotonic() < deadline, output.read_text(errors="replace")
            time.sleep(0.05)
        yield
    finally:
        process.terminate()
        try:
            process.wait(timeout=60)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def opens_a_report(provider: Provider, token: str) -> bool:
    """Return whether the credit API accepts the token."""
    return provider.server.report(token).status_code == 200


def person_decides(provider: Provider, user_code: str, decision: str = "allow") -> None:
    """Enter the code of a device on the page for it and decide, as a person does who signs in for that."""
    with httpx.Client(base_url=provider.issuer, verify=provider.trust, timeout=60, follow_redirects=True) as browser:
        page = browser.get("/device", params={"user_code": user_code})
        login = {"username": provider.server.username, "password": provider.server.password}
        for typed in (login, {"user_code": user_code}, {"decision": decision}):
            action, hidden = form_of_text(page.text)
            page = browser.post(action, data={**hidden, **typed})
        assert ("Device connected" in page.text) == (decision == "allow")
