"""Who gets the scenarios of the sandbox, which have its credentials (threats E1)."""

from ipaddress import ip_network

import pytest

from tests.deployment import Deployment, OpenDeployment

PATH = "/sandbox/scenarios"


@pytest.mark.parametrize("peer", ["127.0.0.1", "127.8.8.8", "::1", "::ffff:127.0.0.1"])
async def test_a_caller_on_the_machine_gets_them(deployment: Deployment, peer: str) -> None:
    """This sandbox has not been provisioned, so it has none: 404."""
    assert (await deployment.send("GET", PATH, peer=peer)).status == 404


@pytest.mark.parametrize("peer", ["192.0.2.1", "10.0.0.1", "169.254.1.1", "2001:db8::1", "::ffff:192.0.2.1"])
async def test_a_caller_elsewhere_does_not(deployment: Deployment, peer: str) -> None:
    reply = await deployment.send("GET", PATH, peer=peer)
    assert (reply.status, reply.headers["x-reason"]) == (403, "sandbox.not_loopback")


@pytest.mark.parametrize(
    "field", ["X-Forwarded-For", "Forwarded", "Via", "X-Forwarded-Proto", "X-Forwarded-Host", "X-Real-IP"]
)
async def test_a_tunnel_on_the_machine_is_not_the_machine(deployment: Deployment, field: str) -> None:
    """Through a tunnel every caller of the internet has a loopback address as its peer."""
    assert (await deployment.send("GET", PATH, [(field, "127.0.0.1")], peer="127.0.0.1")).status == 403


async def test_a_trusted_proxy_says_where_the_caller_is(open_deployment: OpenDeployment) -> None:
    deployment = await open_deployment(trusted_proxies=(ip_network("10.0.0.0/8"), ip_network("127.0.0.0/8")))
    for forwarded, status in (("192.0.2.1", 403), ("::1", 404), ("::1, 192.0.2.1", 403)):
        reply = await deployment.send("GET", PATH, [("X-Forwarded-For", forwarded)], peer="10.0.0.1")
        assert (forwarded, reply.status) == (forwarded, status)


@pytest.mark.settings(sandbox_scenarios_to="all")
async def test_an_operator_may_open_them_to_all(deployment: Deployment) -> None:
    assert (await deployment.send("GET", PATH, peer="192.0.2.1")).status == 404
