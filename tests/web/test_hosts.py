"""Under which host names the service answers (RFC 9110 §15.5.20, threats P12, E1)."""

import pytest

from credence.access.caller_address import KnownHosts
from tests.deployment import Deployment, Reply

BASE = "https://api.example.com:8443/credence"

KNOWN = [
    "api.example.com",
    "api.example.com:8443",
    "API.Example.COM.",
    "inside.example:80",
    "192.0.2.7",
    "localhost:8443",
    "127.0.0.1",
    "127.9.9.9:1",
    "[::1]:8443",
    "ledger.localhost",
]

UNKNOWN = [
    "evil.example",
    "api.example.com.evil.example",
    "evil.example:8443",
    "192.0.2.8",
    "[2001:db8::1]",
    "localhost.evil",
    "[::ffff:192.0.2.8]",
    "127.0.0.1.evil.example",
    "api.example.com@evil.example",
    "evil.example/api.example.com",
    "evil.example#localhost",
    "api.example.com:8443@evil.example",
    "localhost:evil.example",
    "[::1]evil.example",
    "[::1",
    "*",
]


async def ask(deployment: Deployment, host: str, path: str = "/oauth2/v1/keys", method: str = "GET") -> Reply:
    return await deployment.send(method, path, host=host)


@pytest.mark.settings(base_url=BASE, hosts=("inside.example",), host="192.0.2.7")
@pytest.mark.parametrize("host", KNOWN)
async def test_base_address_loopback_and_configured_names_are_answered(deployment: Deployment, host: str) -> None:
    assert (await ask(deployment, host)).status == 200


@pytest.mark.settings(base_url=BASE)
@pytest.mark.parametrize("host", UNKNOWN)
async def test_every_other_name_is_421(deployment: Deployment, host: str) -> None:
    """DNS rebinding: the page of another site reaches the machine under the name of that site."""
    expected = 421, "Misdirected Request", "The service is not reached under the host of this request."
    assert (await ask(deployment, host)).said == expected
    assert (await ask(deployment, host, "/oauth2/v1/token", "POST")).said == expected
    assert (await ask(deployment, host, "/risk/business/v1/registeredcompanycredit/00000001")).said == expected


@pytest.mark.settings(base_url=BASE)
async def test_probes_and_forward_authentication_may_name_any_host(deployment: Deployment) -> None:
    """A prober names an address, a proxy the host of the service that it guards."""
    for path in ("/livez", "/readyz"):
        assert (await ask(deployment, "10.0.0.7:8443", path)).status == 200
    assert (await ask(deployment, "ledger.example", "/oauth2/v1/forward-auth")).status == 401


def test_inventing_names_fills_no_memory() -> None:
    """threats A12."""
    hosts = KnownHosts(["api.example.com"])
    for number in range(10_000):
        assert not hosts.know(f"{number}.example")
    assert hosts._cached.cache_info().currsize <= 256
    assert not hosts.know("localhost" + " " * 300)
