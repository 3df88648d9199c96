"""Who may read the scenarios of a sandbox, which hold its secrets (D24, threats E1)."""

import pytest

from tests.deployment import Deployment

READ, REFUSED = 404, 403
"""This sandbox has no scenarios yet, so the answer to a caller who may read them is 404."""


async def status(deployment: Deployment, peer: str, *fields: tuple[str, str]) -> int:
    return (await deployment.send("GET", "/sandbox/scenarios", fields, peer=peer)).status


@pytest.mark.parametrize("peer", ["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"])
async def test_a_caller_on_this_machine_may_read(deployment: Deployment, peer: str) -> None:
    assert await status(deployment, peer) == READ


@pytest.mark.parametrize("peer", ["192.0.2.7", "10.0.0.1", "2001:db8::1"])
async def test_a_caller_elsewhere_may_not(deployment: Deployment, peer: str) -> None:
    assert await status(deployment, peer) == REFUSED


@pytest.mark.parametrize(
    "name", ["Forwarded", "Via", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-IP"]
)
async def test_what_was_forwarded_to_this_machine_comes_from_elsewhere(deployment: Deployment, name: str) -> None:
    """A tunnel is a caller on loopback."""
    assert await status(deployment, "127.0.0.1", (name, "127.0.0.1")) == REFUSED


@pytest.mark.settings(trusted_proxies="127.0.0.1/32,10.0.0.0/8")
@pytest.mark.parametrize(
    ("peer", "forwarded", "expected"),
    [
        ("127.0.0.1", "203.0.113.9", REFUSED),
        ("127.0.0.1", "::1", READ),
        ("10.0.0.1", "::1", READ),
        ("10.0.0.1", "203.0.113.9", REFUSED),
        ("192.0.2.7", "::1", REFUSED),
        ("::1", "::1", REFUSED),
    ],
)
async def test_a_trusted_proxy_says_where_a_caller_is(
    deployment: Deployment, peer: str, forwarded: str, expected: int
) -> None:
    assert await status(deployment, peer, ("X-Forwarded-For", forwarded)) == expected


@pytest.mark.settings(sandbox_scenarios_to="all")
async def test_the_setting_lets_everybody_read(deployment: Deployment) -> None:
    assert await status(deployment, "192.0.2.7") == READ
