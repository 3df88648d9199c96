"""No header moves a caller into an allowed range (threats A9, I8, D26)."""

from collections.abc import Sequence
from ipaddress import ip_network

import pytest

from credence.access.rules import AccessRules
from tests.deployment import Deployment

ALLOWED = "198.51.100.9"
RULES = AccessRules(networks=("198.51.100.0/24",))
PROXY = "10.0.0.1"

FORGED: list[list[tuple[str, str]]] = [
    [("X-Forwarded-For", ALLOWED)],
    [("X-Forwarded-For", f"{ALLOWED}, {ALLOWED}")],
    [("X-Forwarded-For", ALLOWED), ("X-Forwarded-For", ALLOWED)],
    [("X-Forwarded-For", f"::ffff:{ALLOWED}")],
    [("Forwarded", f"for={ALLOWED}")],
    [("Forwarded", f'for="{ALLOWED}:4711";proto=https')],
    [("X-Real-IP", ALLOWED)],
    [("X-Client-IP", ALLOWED)],
    [("True-Client-IP", ALLOWED)],
    [("X-Forwarded-Host", ALLOWED), ("Via", f"1.1 {ALLOWED}")],
]


async def status(deployment: Deployment, token: str, headers: Sequence[tuple[str, str]], peer: str) -> int:
    target = "/risk/business/v1/registeredcompanycredit/99999999"
    sent = [("Authorization", f"Bearer {token}"), *headers]
    return (await deployment.send("GET", target, sent, peer=peer)).status


@pytest.mark.parametrize("headers", FORGED)
async def test_a_caller_without_a_trusted_proxy_is_where_its_connection_comes_from(
    deployment: Deployment, headers: list[tuple[str, str]]
) -> None:
    token = (await deployment.tokens())["access_token"]
    await deployment.change_application(rules=RULES)
    assert await status(deployment, token, headers, "203.0.113.66") == 403
    assert await status(deployment, token, headers, PROXY) == 403  # not declared, so not trusted
    assert await status(deployment, token, [], ALLOWED) == 200


@pytest.mark.parametrize("headers", FORGED)
@pytest.mark.settings(trusted_proxies=(ip_network("10.0.0.0/8"),))
async def test_a_caller_behind_a_trusted_proxy_is_where_the_proxy_saw_it(
    deployment: Deployment, headers: list[tuple[str, str]]
) -> None:
    """The proxy appends what it saw, to the line that came or as one more line; what stands left of it is the caller's."""
    token = (await deployment.tokens())["access_token"]
    await deployment.change_application(rules=RULES)
    for seen, expected in (("203.0.113.66", 403), ("_hidden", 403), ("fe80::1%eth0", 403), (ALLOWED, 200)):
        one_more_line = [*headers, ("X-Forwarded-For", seen)]
        assert await status(deployment, token, one_more_line, PROXY) == expected, seen
        lines = [value for name, value in headers if name == "X-Forwarded-For"]
        appended = [("X-Forwarded-For", ", ".join([*lines, seen]))]
        assert await status(deployment, token, appended, PROXY) == expected, seen
        assert await status(deployment, token, appended, "203.0.113.1") == 403
