"""The official inspector of the Model Context Protocol, by its command line: over HTTPS with a token, and locally.

Its client begins with `initialize` and checks each structured answer by the schema of the tool.
"""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.strangers.programs import needs
from tests.strangers.provider import Provider

FOLDER = Path(__file__).parent / "inspector" / "node_modules"
PROGRAM = FOLDER / "@modelcontextprotocol" / "inspector-cli" / "build" / "cli.js"

pytestmark = [
    needs("node"),
    pytest.mark.skipif(not PROGRAM.is_file(), reason="inspector-cli is missing: python -m tests.provision"),
]

SUMMARY = ("tools/call", "--tool-name", "company_summary", "--tool-arg", "number=99999999")


def inspect(provider: Provider, target: Sequence[str], method: str, *options: str) -> tuple[int, str]:
    """Return the exit code and what is printed."""
    done = subprocess.run(
        ["node", str(PROGRAM), "--cli", *target, "--method", method, *options],
        cwd=FOLDER,  # it looks for its package.json in the folder above
        env=os.environ | {"NODE_EXTRA_CA_CERTS": str(provider.ca_file)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    return done.returncode, done.stdout if done.returncode == 0 else done.stderr


def ways(provider: Provider) -> dict[str, tuple[list[str], list[str]]]:
    """The targets over HTTPS and on this machine, each with its further options."""
    client_id, secret = provider.credentials("Inspector", "--grant", "client_credentials")
    form = {"grant_type": "client_credentials", "resource": f"{provider.issuer}/mcp"}
    reply = provider.server.client.post("/oauth2/v1/token", data=form, auth=(client_id, secret))
    header = f"Authorization: Bearer {reply.json()['access_token']}"
    local = [sys.executable, "-m", "credence", "mcp", "--data-dir", str(provider.server.data_dir)]
    return {
        "https": ([f"{provider.issuer}/mcp"], ["--transport", "http", "--header", header]),
        "local": (["-e", f"PYTHONPATH={os.pathsep.join(sys.path)}", *local], []),
    }


@pytest.mark.parametrize("way", ["https", "local"])
def test_the_inspector_calls_a_tool(provider: Provider, way: str) -> None:
    target, options = ways(provider)[way]
    code, printed = inspect(provider, target, *SUMMARY, *options)
    assert code == 0, printed
    result: dict[str, Any] = json.loads(printed)
    assert result["structuredContent"]["Name"] == "TEST SPECIMEN TRADING LIMITED"


def test_the_inspector_lists_the_tools(provider: Provider) -> None:
    target, options = ways(provider)["https"]
    code, printed = inspect(provider, target, "tools/list", *options)
    assert code == 0, printed
    assert "portfolio_events" in {each["name"] for each in json.loads(printed)["tools"]}


def test_without_a_token_the_inspector_is_told_that_it_needs_one(provider: Provider) -> None:
    code, printed = inspect(provider, [f"{provider.issuer}/mcp"], "tools/list", "--transport", "http")
    assert (code, "401" in printed or "Unauthorized" in printed) == (1, True), printed
