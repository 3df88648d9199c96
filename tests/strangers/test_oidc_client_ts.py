"""npm's oidc-client-ts, unchanged and over HTTPS: the client of single-page applications, with the password grant (D1)."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from tests.strangers.programs import BY_POST, needs, opens_a_report
from tests.strangers.provider import Provider

FOLDER = Path(__file__).parent / "node"

pytestmark = [
    needs("node"),
    pytest.mark.skipif(
        not (FOLDER / "node_modules" / "oidc-client-ts").is_dir(),
        reason="oidc-client-ts is missing: python -m tests.provision",
    ),
]


def test_it_logs_in_refreshes_and_revokes(provider: Provider) -> None:
    """RFC 6749 §4.3, §6, RFC 7009; the ID token and the user information are the library's to check (Core §3.1.3.7)."""
    client_id, secret = provider.credentials("oidc-client-ts", *BY_POST)
    server = provider.server
    known = {
        "issuer": provider.issuer,
        "clientId": client_id,
        "secret": secret,
        "username": server.username,
        "password": server.password,
    }
    done = subprocess.run(
        ["node", "oidc_client_ts.mjs"],
        cwd=FOLDER,
        env=os.environ | {"NODE_EXTRA_CA_CERTS": str(provider.ca_file), "NODE_NO_WARNINGS": "1"},
        input=json.dumps(known),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    assert said["sub"] == server.username
    assert opens_a_report(provider, said["first"])
    assert not opens_a_report(provider, said["refreshed"])  # revoked
