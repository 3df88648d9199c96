"""Strangers who try passwords on the pages keep nobody else out (threats A4, A5, A7)."""

import pytest

from credence.identity.login_attempts import (
    LoginAttempt,
    LoginLimits,
    Throttled,
    increments,
    keys_of,
    throttle,
)
from credence.refusals.credentials import WRONG_USER
from tests.deployment import NOW, Deployment
from tests.identity.attacks import ELSEWHERE, MINUTE, WRONG, present
from tests.memory_store import MemoryStore
from tests.sign_in.browsing import ACCOUNT, Browser, request_of, with_browser_application
from tests.sign_in.devices import DEVICE
from tests.sign_in.factors import COOKIE
from tests.sweeps import many

HOUR = 60 * MINUTE


async def _guess(deployment: Deployment, target: str, peer: str, *usernames: str) -> None:
    """Try a wrong password for each of the names, with one form."""
    browser = Browser(deployment, peer=peer)
    page = await browser.get(target)
    for username in usernames:
        await browser.sign_in(page, username, WRONG)
    assert COOKIE not in browser.cookies


async def _gets_in(deployment: Deployment, target: str, peer: str) -> bool:
    """Whether ada, with a new browser at this address, signs in with the right password."""
    browser = Browser(deployment, peer=peer)
    await browser.sign_in(await browser.get(target))
    return COOKIE in browser.cookies


@pytest.mark.settings(password_failures_per_hour_per_application=5)
async def test_a_flood_from_twelve_addresses_closes_no_page(deployment: Deployment) -> None:
    """threats A5: 1,080 wrong passwords from 12 addresses kept everybody at a new address from every page."""
    targets = (request_of(await with_browser_application(deployment)), ACCOUNT, DEVICE)
    for number in range(12):
        names = [f"name-{number}-{each}" for each in range(many(2, 90))]
        await _guess(deployment, targets[number % 3], f"203.0.113.{number}", *names)
    for number, target in enumerate(targets):
        assert await _gets_in(deployment, target, f"198.51.100.{number}")


async def test_a_flood_at_one_account_keeps_nobody_out_who_is_elsewhere(deployment: Deployment) -> None:
    """threats A5: after a hundred wrong passwords an address that has had three waits, and another does not."""
    for number in range(34):
        await _guess(deployment, ACCOUNT, f"203.0.113.{number}", *["ada"] * 3)
    await _guess(deployment, ACCOUNT, "203.0.113.0", "ada")
    assert deployment.service.counts.refusals["password.throttled_account"] == 1
    assert await _gets_in(deployment, ACCOUNT, ELSEWHERE)
    assert (await present(deployment, peer=ELSEWHERE)).status == 200
    deployment.now += 12 * HOUR
    assert await _gets_in(deployment, ACCOUNT, "203.0.113.0")


async def _admitted(limits: LoginLimits, store: MemoryStore, network: str, now: int) -> LoginAttempt | None:
    """Return the attempt of this network at the account, if it does not have to wait."""
    attempt = LoginAttempt("ada", "", network)
    rules = limits.rules(attempt)
    try:
        throttle(rules, await store.tallies(keys_of(rules)), WRONG_USER, now)
    except Throttled:
        return None
    return attempt


@pytest.mark.parametrize(("networks", "open_to_others"), [(240, True), (1_100, False)])
async def test_an_attack_without_end_from_240_addresses_keeps_nobody_out(networks: int, open_to_others: bool) -> None:
    """threats A4, A5: each has three at once and one in four hours, and all together add one a minute.

    From however many addresses, no more than a thousand are tried at once, and then one a minute.
    """
    limits, store, tried = LoginLimits(b"digest key", 100, 0), MemoryStore(), 0
    length = many(4 * HOUR, 168 * HOUR)
    for now in range(NOW, NOW + length, HOUR):
        for number in [each for each in range(networks) for _ in range(5 if now == NOW else 1)]:
            attempt = await _admitted(limits, store, f"10.0.{number // 250}.{number % 250}/32", now)
            if attempt is not None:
                tried += 1
                await store.count_failure(increments(limits.rules(attempt)), now)
        assert (await _admitted(limits, store, "192.0.2.7/32", now) is not None) is open_to_others
    assert tried <= 1_000 + length // MINUTE


@pytest.mark.settings(password_failures_per_hour_per_address=4)
async def test_an_ipv6_caller_is_also_its_networks_of_56_and_48_bits(deployment: Deployment) -> None:
    """threats A4: a customer of a provider has 256 or 65,536 networks of 64 bits: twice and four times as many failures."""
    waited = []
    for group in ("1", "2", "3", "1001", "1002", "2001"):
        names = [f"name-{group}-{each}" for each in range(5)]
        await _guess(deployment, ACCOUNT, f"2001:db8:0:{group}::1", *names)
        waited.append(deployment.service.counts.refusals["password.throttled_address"])
    assert waited == [1, 2, 7, 8, 9, 14]
    assert await _gets_in(deployment, ACCOUNT, "2001:db8:1::1")
