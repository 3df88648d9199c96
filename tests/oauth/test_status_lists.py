"""Status lists: what a verifier elsewhere learns (draft-ietf-oauth-status-list, threats §7)."""

import zlib
from pathlib import Path

from credence.crypto import base64url
from tests.deployment import NOW, Deployment, claims, tell


async def is_invalid(deployment: Deployment, token: str) -> bool:
    """What the list says of a token, read as §8.3 has it: nothing of ours decides but the list itself."""
    reference = claims(token)["status"]["status_list"]
    path = reference["uri"].removeprefix(deployment.service.settings.issuer)
    reply = await deployment.send("GET", path)
    assert reply.status == 200, reply
    said = claims(reply.body.decode())
    assert said["sub"] == reference["uri"]
    octets = zlib.decompress(base64url.decode(said["status_list"]["lst"]))
    index = reference["idx"]
    return bool(octets[index // 8] >> index % 8 & 1)


def test_a_revoked_token_is_invalid_and_another_is_not(tmp_path: Path) -> None:
    """§7.1: 0 is valid, 1 invalid; D11: an access token takes only itself."""

    async def story(deployment: Deployment) -> None:
        first, second = (await deployment.tokens())["access_token"], (await deployment.tokens())["access_token"]
        assert [await is_invalid(deployment, token) for token in (first, second)] == [False, False]
        await deployment.revoke(first)
        deployment.now = NOW + 30_000
        assert [await is_invalid(deployment, token) for token in (first, second)] == [True, False]

    tell(tmp_path, story, status_list=True)
