"""A verifier that has only the status lists of a deployment (draft-ietf-oauth-status-list §8.3)."""

import json
import zlib
from typing import Any

from credence.crypto import base64url
from credence.store.records import StatusBlock
from tests.deployment import NOW, Deployment, Reply, claims

LIFE = 30_000
"""Milliseconds for which a list is served as it is."""


def reference(token: str) -> tuple[int, str]:
    """Index and address of the token's status (§6.2)."""
    said = claims(token)["status"]["status_list"]
    assert said.keys() == {"idx", "uri"}
    return said["idx"], said["uri"]


async def fetch(deployment: Deployment, token: str) -> Reply:
    """The list that the token names."""
    _, uri = reference(token)
    return await deployment.send("GET", uri.removeprefix(deployment.service.settings.issuer))


def header(token: str) -> Any:
    """Return the unverified header of a signed token."""
    return json.loads(base64url.decode(token.split(".")[0]))


async def is_invalid(deployment: Deployment, token: str) -> bool:
    """Return whether the list has the token as invalid."""
    reply = await fetch(deployment, token)
    assert reply.status == 200, reply
    said = claims(reply.body.decode())
    index, uri = reference(token)
    assert said["sub"] == uri
    return bit(said["status_list"], index)


def bit(status_list: dict[str, Any], index: int) -> bool:
    """One status, read as §4 describes it."""
    assert status_list["bits"] == 1
    octets = zlib.decompress(base64url.decode(status_list["lst"]))
    return bool(octets[index // 8] >> index % 8 & 1)


async def skip_blocks(deployment: Deployment, count: int) -> None:
    """Reserve this number of blocks."""
    passed = StatusBlock(deployment.application.client_id, "", b"", opened_at=NOW, until=NOW)
    await deployment.store.open_status_blocks(passed, count)
    await deployment.store.sweep(NOW, max_rows=count)
