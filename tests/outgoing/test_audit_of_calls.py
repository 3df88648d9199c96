"""What a deployment does with its client: nothing by default, and a line in the audit trail for each call (D29)."""

import json
from pathlib import Path
from typing import Any

import pytest

from credence.errors import OperatorError
from credence.outgoing.client import Call
from credence.outgoing.target import CallRefused
from tests.deployment import Deployment, OpenDeployment
from tests.outgoing.receivers import NAME, authority, receiver, server_tls


async def test_by_default_a_deployment_has_no_client(deployment: Deployment) -> None:
    assert deployment.service.outgoing is None


async def test_each_call_is_a_line_in_the_audit_trail(tmp_path: Path, open_deployment: OpenDeployment) -> None:
    server_tls(tmp_path)
    async with receiver(tmp_path) as found:
        deployment = await open_deployment(
            calls_out=True,
            outgoing_networks="127.0.0.0/8,::1/128",
            outgoing_ports=str(found.port),
            outgoing_authorities=authority(tmp_path),
            outgoing_hosts="localhost",
        )
        client = deployment.service.outgoing
        assert client is not None
        assert (await client.call(Call("test", "GET", found.url(host="localhost"), application="app"))).status == 204
        with pytest.raises(CallRefused):
            await client.call(Call("test", "GET", found.url(host=NAME)))
    deployment.service.audit.flush()
    lines = [json.loads(line) for line in (tmp_path / "audit" / "audit.jsonl").read_text().splitlines()]
    made, refused = (line for line in lines if line["event"] == "called_out")
    assert (made["purpose"], made["application"], made["host"], made["port"]) == (
        "test",
        "app",
        "localhost",
        found.port,
    )
    assert (made["peer"], made["status"], "reason" in made) == ("127.0.0.1", 204, False)
    assert (refused["reason"], "status" in refused) == ("host_not_allowed", False)


async def test_authorities_that_cannot_be_read_are_named_at_start(
    tmp_path: Path, open_deployment: OpenDeployment
) -> None:
    (tmp_path / "authorities.pem").write_text("none")
    with pytest.raises(OperatorError, match="CREDENCE_OUTGOING_AUTHORITIES"):
        await open_deployment(calls_out=True, outgoing_authorities=tmp_path / "authorities.pem")


@pytest.mark.parametrize(
    "settings",
    [
        {"outgoing_ports": "0"},
        {"outgoing_ports": "65536"},
        {"outgoing_ports": "https"},
        {"outgoing_proxy": "https://proxy:3128"},
        {"outgoing_proxy": "http://user:secret@proxy:3128"},
        {"outgoing_proxy": "http://proxy"},
        {"outgoing_networks": "10.0.0.0/99"},
    ],
)
async def test_settings_that_make_no_sense_are_refused(
    settings: dict[str, Any], open_deployment: OpenDeployment
) -> None:
    with pytest.raises(ValueError, match="|".join(settings)):
        await open_deployment(**settings)
