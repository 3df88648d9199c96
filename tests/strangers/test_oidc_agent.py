"""oidc-agent keeps a login for the command line: it finds the addresses by discovery, logs in and refreshes."""

import os
import re
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.strangers.programs import needs, opens_a_report
from tests.strangers.provider import EVERY_GRANT, Provider

pytestmark = needs("oidc-gen")


@pytest.fixture
def agent(tmp_path: Path) -> Iterator[dict[str, str]]:
    """The environment in which the commands of a running agent work."""
    environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path)}
    (tmp_path / ".oidc-agent").mkdir()
    started = subprocess.run(["oidc-agent"], env=environment, capture_output=True, text=True, timeout=20, check=True)
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
