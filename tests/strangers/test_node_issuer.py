"""npm's jose signs as an employer's provider and as a platform: its tokens are accepted (RFC 7523, ID-JAG)."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from credence.identity.client_keys import read_key_set
from credence.store.records import Workload
from tests.deployment import Deployment
from tests.oauth.asserting import asserted, issuer, present, trusting
from tests.oauth.assertions import TYPE
from tests.oauth.standard import ask

FOLDER = Path(__file__).parent / "node"

pytestmark = [
    pytest.mark.skipif(shutil.which("node") is None, reason="node is missing: install Node 20 or later"),
    pytest.mark.skipif(not (FOLDER / "node_modules").is_dir(), reason="jose is missing: python -m tests.provision"),
]


def issued(type_: str, claims: dict[str, Any]) -> tuple[str, str]:
    """Return key set and token."""
    command = ["node", "issue.mjs", type_, json.dumps(claims)]
    keys, token = subprocess.run(command, cwd=FOLDER, check=True, capture_output=True, text=True).stdout.split()
    return keys, token


async def test_its_identity_assertion_becomes_a_token(deployment: Deployment) -> None:
    keys, token = issued("oauth-id-jag+jwt", asserted(deployment))
    await trusting(deployment, issuer(keys=read_key_set(keys)))
    assert (await present(deployment, token)).status == 200


async def test_its_token_authenticates_a_program(deployment: Deployment) -> None:
    keys, token = issued("", asserted(deployment, sub="ns:prod:ledger", client_id=None, jti=None))
    workload = Workload("example", "ns:prod:ledger")
    changes = {"grants": ("client_credentials",), "authentication": "private_key_jwt", "workloads": (workload,)}
    await trusting(deployment, issuer(keys=read_key_set(keys), uses=("clients",)), **changes)
    fields = {"grant_type": "client_credentials", "client_id": deployment.application.client_id}
    shown = {"client_assertion_type": TYPE, "client_assertion": token}
    assert (await ask(deployment, fields | shown, headers=[])).status == 200
