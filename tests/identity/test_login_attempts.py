"""An attacker is throttled for known and unknown names, but not the owner (threats A2, A4, A5, D3). To the millisecond."""

from typing import Any

import pytest
from msgspec.structs import replace

from credence.app import open_service
from credence.crypto.passwords import PasswordHashing
from credence.store.transfer.tables import TALLIES
from tests.deployment import KEKS, Deployment, OpenDeployment, Reply
from tests.identity.attacks import ELSEWHERE, HOME, MINUTE, WRONG_PASSWORD, attempt, guess_from_many_places, present


def _seen(reply: Reply) -> Any:
    """All that a caller sees outside the sandbox, but the request number; the sandbox adds reason and link."""
    hidden = {"x-request-id", "x-reason", "link"}
    return reply.status, reply.body, {name: value for name, value in reply.headers.items() if name not in hidden}


async def test_after_five_wrong_passwords_even_the_right_one_is_answered_as_wrong(deployment: Deployment) -> None:
    """threats A2, A4, D3: the same bytes and headers as a wrong password."""
    wrong = await present(deployment, "wrong horse battery")
    await attempt(deployment, 4)
    assert _seen(await present(deployment)) == _seen(wrong)


async def test_four_wrong_passwords_throttle_no_one(deployment: Deployment) -> None:
    await attempt(deployment, 4)
    assert (await present(deployment)).status == 200


@pytest.mark.parametrize("username", ["ada", "nobody"])
async def test_a_throttled_attempt_is_neither_hashed_nor_written(
    open_deployment: OpenDeployment, monkeypatch: pytest.MonkeyPatch, username: str
) -> None:
    """threats A2, §8: it costs the attacker's time, not the service's, for known and unknown names."""
    hashed = []

    verify = PasswordHashing.verify

    def counting(hashing: PasswordHashing, *arguments: Any) -> bool:
        hashed.append(arguments)
        return verify(hashing, *arguments)

    monkeypatch.setattr(PasswordHashing, "verify", counting)

    deployment = await open_deployment()
    await attempt(deployment, 5, username)
    before = deployment.memory.rows(TALLIES)
    await attempt(deployment, 20, username)
    assert len(hashed) == 5
    assert deployment.memory.rows(TALLIES) == before


async def test_an_unknown_name_is_throttled_like_a_known_one(deployment: Deployment) -> None:
    """threats A1, I7: the same answers in the same order."""
    known = [_seen(await present(deployment, "wrong", "ada")) for _ in range(8)]
    unknown = [_seen(await present(deployment, "wrong", "nobody", ELSEWHERE)) for _ in range(8)]
    assert unknown == known


@pytest.mark.parametrize(("later", "status"), [(0, 401), (3 * MINUTE - 1, 401), (3 * MINUTE, 200)])
async def test_a_full_origin_admits_one_attempt_every_three_minutes(
    deployment: Deployment, later: int, status: int
) -> None:
    """threats A4: five at once, twenty an hour for as long as it takes."""
    await attempt(deployment, 5)
    deployment.now += later
    assert (await present(deployment)).status == status


async def test_continued_attempts_do_not_keep_the_origin_throttled(deployment: Deployment) -> None:
    """What is throttled does not count again."""
    await attempt(deployment, 50)
    deployment.now += 3 * MINUTE
    assert (await present(deployment)).status == 200


async def test_the_right_password_empties_the_tally_of_its_origin(deployment: Deployment) -> None:
    for _ in range(3):
        await attempt(deployment, 4)
        assert (await present(deployment)).status == 200


@pytest.mark.settings(password_failures_per_hour_per_address=10)
async def test_the_right_password_of_one_account_does_not_empty_other_tallies(deployment: Deployment) -> None:
    """threats A4: an attacker with an account gains nothing by using it in between."""
    await _register(deployment, "grace")
    for number in range(10):
        await attempt(deployment, 1, f"victim-{number}")
        assert (await present(deployment)).status == 200
    assert (await present(deployment, username="grace")).said == WRONG_PASSWORD


async def test_a_full_origin_throttles_no_other(deployment: Deployment) -> None:
    """threats A5: account, application and address prefix together; one of them else, and the owner is let in."""
    await attempt(deployment, 5)
    await _register(deployment, "grace")
    assert (await present(deployment, peer=ELSEWHERE)).status == 200
    assert (await present(await deployment.another_application())).status == 200
    assert (await present(deployment, username="grace")).status == 200
    assert (await present(deployment)).status == 401


@pytest.mark.parametrize(
    ("peer", "status"),
    [("2001:db8::1:2:3:4", 401), ("2001:db8:0:1::1", 200), ("::ffff:192.0.2.7", 200)],
)
async def test_an_ipv6_caller_is_its_64_bit_network(deployment: Deployment, peer: str, status: int) -> None:
    """threats A4: /32 and /64."""
    await attempt(deployment, 5, peer="2001:db8::1")
    assert (await present(deployment, peer=peer)).status == status


@pytest.mark.settings(password_cache_seconds=0)
async def test_an_attacker_elsewhere_never_stops_the_owner(deployment: Deployment) -> None:
    """threats A5: hundreds of wrong passwords from many addresses, and the owner logs in from a trusted origin."""
    assert (await present(deployment)).status == 200
    deployment.now += 29 * 24 * 60 * MINUTE
    for _ in range(3):
        await guess_from_many_places(deployment, 30)
        assert (await present(deployment)).status == 200
    await attempt(deployment, 4)
    assert (await present(deployment)).status == 200


async def test_an_account_under_attack_is_only_slowed_for_unknown_origins(deployment: Deployment) -> None:
    """threats A5: after a hundred, one attempt a minute from unknown origins."""
    await guess_from_many_places(deployment, 20)
    assert (await present(deployment, peer=ELSEWHERE)).said == WRONG_PASSWORD
    deployment.now += MINUTE - 1
    assert (await present(deployment, peer=ELSEWHERE)).said == WRONG_PASSWORD
    deployment.now += 1
    assert (await present(deployment, peer=ELSEWHERE)).status == 200


async def test_a_wrong_password_while_the_clock_was_ahead_throttles_nobody_afterwards(deployment: Deployment) -> None:
    """threats T11: it would count until the time of that clock, for the address and the application too."""
    right = deployment.now
    deployment.now += 365 * 24 * 60 * MINUTE
    await attempt(deployment, 6)
    deployment.now = right
    assert (await present(deployment)).status == 200
    assert (await present(deployment, peer=ELSEWHERE)).status == 200
    await attempt(deployment, 5)
    assert (await present(deployment)).said == WRONG_PASSWORD


@pytest.mark.settings(password_cache_seconds=0)
async def test_an_origin_is_not_trusted_until_the_time_of_a_clock_that_was_ahead(deployment: Deployment) -> None:
    """threats T11: it is an unknown one until the next right password makes it a trusted one for its month."""
    right = deployment.now
    deployment.now += 365 * 24 * 60 * MINUTE
    assert (await present(deployment)).status == 200
    deployment.now = right
    await guess_from_many_places(deployment, 20)
    assert (await present(deployment)).said == WRONG_PASSWORD
    deployment.now += MINUTE
    assert (await present(deployment)).status == 200
    await guess_from_many_places(deployment, 20)
    assert (await present(deployment)).status == 200


@pytest.mark.settings(password_failures_per_hour_per_address=10)
async def test_one_address_that_tries_many_accounts_is_slowed_and_others_are_not(deployment: Deployment) -> None:
    """threats A4: credential stuffing, one password an account."""
    for number in range(10):
        await attempt(deployment, 1, f"victim-{number}", ELSEWHERE)
    assert (await present(deployment, peer=ELSEWHERE)).said == WRONG_PASSWORD
    assert (await present(deployment, peer=HOME)).status == 200
    deployment.now += 6 * MINUTE
    assert (await present(deployment, peer=ELSEWHERE)).status == 200


@pytest.mark.settings(password_failures_per_hour_per_application=10, password_cache_seconds=0)
async def test_one_application_under_attack_from_many_addresses_is_slowed_and_others_are_not(
    deployment: Deployment,
) -> None:
    """threats A4: a stolen client secret used from many addresses; trusted origins can still log in."""
    assert (await present(deployment)).status == 200
    for number in range(10):
        await attempt(deployment, 1, f"victim-{number}", f"203.0.113.{number}")
    assert (await present(deployment, peer=ELSEWHERE)).said == WRONG_PASSWORD
    assert (await present(deployment)).status == 200
    assert (await present(await deployment.another_application(), peer=ELSEWHERE)).status == 200


@pytest.mark.settings(password_failures_per_hour_per_address=0, password_failures_per_hour_per_application=0)
async def test_the_limits_on_address_and_application_can_be_switched_off(deployment: Deployment) -> None:
    for number in range(30):
        await attempt(deployment, 5, f"victim-{number}")
    assert (await present(deployment)).status == 200


async def test_another_node_and_a_restarted_one_know_what_was_counted(deployment: Deployment) -> None:
    """threats A4, L7: the counters and the trusted origins are in the store, not in the process."""
    assert (await present(deployment)).status == 200
    await attempt(deployment, 5, peer=ELSEWHERE)
    await guess_from_many_places(deployment, 20)
    settings = deployment.service.settings
    other = await open_service(settings, deployment.store, lambda: KEKS, lambda: deployment.now)
    here, deployment.service = deployment.service, other
    assert (await present(deployment, peer=ELSEWHERE)).said == WRONG_PASSWORD
    assert (await present(deployment)).status == 200
    deployment.service = here
    await other.authority.passwords.close()


async def test_a_remembered_password_does_not_bypass_a_full_origin(deployment: Deployment) -> None:
    """threats A6: a remembered password is accepted without reading the tallies, so a wrong one makes it forgotten."""
    assert (await present(deployment)).status == 200
    await attempt(deployment, 5)
    assert (await present(deployment)).said == WRONG_PASSWORD
    assert (await present(deployment, peer=ELSEWHERE)).status == 200


@pytest.mark.settings(password_cache_seconds=0)
async def test_a_login_without_trouble_costs_no_write_of_its_own(
    deployment: Deployment, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The hot path: an origin is written at its first login and then twice a month."""
    noted = []

    keep = deployment.store.count_success

    async def counting(key: bytes, until: int) -> None:
        noted.append(until - deployment.now)
        await keep(key, until)

    monkeypatch.setattr(deployment.store, "count_success", counting)
    for _ in range(63):  # thirty-one days, two logins each
        assert (await present(deployment)).status == 200
        deployment.now += 12 * 60 * MINUTE
    assert noted == [30 * 24 * 60 * MINUTE] * 3


async def _register(deployment: Deployment, username: str) -> None:
    kept = await deployment.store.account("ada")
    assert kept is not None
    await deployment.store.save_account(replace(kept, username=username, version=1), deployment.now)
