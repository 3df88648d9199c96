"""oidc-agent keeps a login for the command line: it finds the addresses by discovery, logs in in two ways, and refreshes."""

import os
import re
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.strangers.programs import needs, opens_a_report, person_decides
from tests.strangers.provider import EVERY_GRANT, Provider
from tests.waiting import wait_until

pytestmark = needs("oidc-gen")

USER_CODE = re.compile(r"\b[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}\b")


@pytest.fixture
def agent(tmp_path: Path) -> Iterator[dict[str, str]]:
    """The environment in which the commands of a running agent work."""
    environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path)}
    (tmp_path / ".oidc-agent").mkdir()
    started = subprocess.run(["oidc-agent"], env=environment, capture_output=True, text=True, timeout=60, check=True)
    known = dict(re.findall(r"(OIDC_SOCK|OIDCD_PID)=([^;]+);", started.stdout))
    yield environment | known
    os.kill(int(known["OIDCD_PID"]), signal.SIGTERM)


def run(agent: dict[str, str], *command: str) -> str:
    done = subprocess.run(
        command, env=agent, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.strip()


def test_it_logs_in_by_password_and_refreshes(provider: Provider, agent: dict[str, str]) -> None:
    """OpenID Connect Discovery §4, RFC 6749 §4.3, §6."""
    client_id, secret = provider.credentials("oidc-agent", *EVERY_GRANT)
    server = provider.server
    run(
        agent,
        "oidc-gen",
        "--flow=password",
        f"--iss={provider.issuer}",
        f"--client-id={client_id}",
        f"--client-secret={secret}",
        f"--cp={provider.ca_file}",
        f"--op-username={server.username}",
        f"--op-password={server.password}",
        "--scope=openid profile credit:report",
        "--redirect-uri=",
        "--pw-cmd=echo for-tests-only",
        "--prompt=none",
        "--no-url-call",
        "-m",
        "credence",
    )
    first = run(agent, "oidc-token", "credence")
    assert opens_a_report(provider, first)
    longer_than_it_lives = "--time=20000"
    again = run(agent, "oidc-token", longer_than_it_lives, "credence")
    assert again != first
    assert opens_a_report(provider, again)


def test_it_connects_as_a_device_and_refreshes(provider: Provider, agent: dict[str, str], tmp_path: Path) -> None:
    """RFC 8628: it shows address and code, and asks for the tokens until the person has allowed it."""
    options = ("--grant", "urn:ietf:params:oauth:grant-type:device_code", "--grant", "refresh_token")
    client_id, secret = provider.credentials("oidc-agent, a device", *options)
    shown = tmp_path / "shown"
    with shown.open("w") as output:
        started = subprocess.Popen(
            [
                "oidc-gen",
                "--flow=device",
                f"--iss={provider.issuer}",
                f"--client-id={client_id}",
                f"--client-secret={secret}",
                f"--cp={provider.ca_file}",
                "--scope=openid offline_access credit:report",
                "--redirect-uri=",
                "--pw-cmd=echo for-tests-only",
                "--prompt=none",
                "--no-url-call",
                "-m",
                "device",
            ],
            env=agent,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    try:
        wait_until(lambda: USER_CODE.search(shown.read_text()) is not None, seconds=60)
        (code,) = set(USER_CODE.findall(shown.read_text()))
        assert f"{provider.issuer}/device" in shown.read_text()
        person_decides(provider, code)
        assert started.wait(timeout=120) == 0, shown.read_text()
    finally:
        started.kill()
        started.wait()
    first = run(agent, "oidc-token", "device")
    assert opens_a_report(provider, first)
    again = run(agent, "oidc-token", "--time=20000", "device")
    assert again != first
    assert opens_a_report(provider, again)
