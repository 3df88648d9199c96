"""What an invitation is good for: registrations (RFC 7591 §1.2, the initial access token), in its time and number."""

from typing import Any

import pytest

from credence.oauth.registration.invitation import read, use
from credence.store.contract import StoreUnavailable
from tests.deployment import NOW, Deployment
from tests.oauth.registering import HOUR, PATH, invited, manage, register, registered, send
from tests.oauth.standard import error

ON = {"registration": True}


def altered(token: str) -> str:
    return token[:-1] + ("A" if token[-1] != "A" else "B")


@pytest.mark.parametrize(
    ("token", "challenge"),
    [
        (lambda _deployment: "wrong", 'Bearer error="invalid_token"'),
        (lambda _deployment: "crd_sbx_inv_", 'Bearer error="invalid_token"'),
        (lambda _deployment: "crd_sbx_inv_AAAA", 'Bearer error="invalid_token"'),
        (lambda deployment: altered(invited(deployment)), 'Bearer error="invalid_token"'),
        (lambda deployment: invited(deployment).replace("sbx", "prd", 1), 'Bearer error="invalid_token"'),  # D18
        (lambda deployment: deployment.secret, 'Bearer error="invalid_token"'),
        (lambda _deployment: None, "Bearer"),
    ],
)
@pytest.mark.settings(ON)
async def test_without_an_invitation_nothing_is_registered(deployment: Deployment, token: Any, challenge: str) -> None:
    """RFC 7591 §3.2.2, RFC 6750 §3: 401, and no error for one who showed no token."""
    reply = await send(deployment, "POST", PATH, token(deployment), {})
    assert reply.status == 401
    assert reply.headers["www-authenticate"] == challenge
    assert len(await deployment.store.applications()) == 1


@pytest.mark.settings(ON)
async def test_an_access_token_is_no_invitation_and_an_invitation_no_access_token(deployment: Deployment) -> None:
    """threats T8."""
    access_token = (await deployment.tokens())["access_token"]
    assert (await register(deployment, access_token)).status == 401
    assert (await deployment.report(invited(deployment))).status == 401


@pytest.mark.settings(ON)
async def test_an_invitation_ends_with_its_time(deployment: Deployment) -> None:
    token = invited(deployment)
    deployment.now = NOW + HOUR
    assert (await register(deployment, token)).status == 401
    deployment.now -= 1
    await registered(deployment, token)


@pytest.mark.parametrize("uses", [1, 3])
@pytest.mark.settings(ON)
async def test_an_invitation_is_valid_for_its_number_of_uses(deployment: Deployment, uses: int) -> None:
    """threats L1: decided by the store, so on every node."""
    token = invited(deployment, uses=uses)
    for _ in range(uses):
        await registered(deployment, token)
    reply = await register(deployment, token)
    assert error(reply) == (401, "invalid_token")


@pytest.mark.settings(ON)
async def test_a_store_failure_is_a_500_and_registers_nothing(
    deployment: Deployment, monkeypatch: pytest.MonkeyPatch
) -> None:
    """threats L4: neither when the use of the invitation nor when the application cannot be stored."""

    async def fail(*_arguments: object) -> None:
        raise StoreUnavailable("disk")

    for method in ("consume_once", "save_application"):
        with monkeypatch.context() as patch:
            patch.setattr(deployment.store, method, fail)
            assert (await register(deployment)).status == 500
        assert len(await deployment.store.applications()) == 1


@pytest.mark.settings(ON)
async def test_an_invitation_contains_its_limits(deployment: Deployment) -> None:
    key = deployment.service.authority.secrets.digest
    invitation = read("sbx", key, invited(deployment, uses=2), NOW)
    assert invitation is not None
    assert (invitation.uses, invitation.grants) == (2, ("client_credentials",))
    assert read("sbx", b"x" * 32, invited(deployment), NOW) is None
    used = [await use(deployment.store, key, invitation) for _ in range(3)]
    assert used == [True, True, False]


@pytest.mark.settings(ON, spike_address_per_minute=2, spike_address_burst=2)
async def test_registering_counts_for_the_address(deployment: Deployment) -> None:
    """D16, threats A6: the limit of an address applies to guessed registration tokens and to registrations in a loop."""
    assert error(await register(deployment, "wrong")) == (401, "invalid_token")
    assert (await register(deployment)).status == 201
    reply = await register(deployment)
    assert (reply.status, reply.json["error"]) == (429, "temporarily_unavailable")
    assert reply.headers["retry-after"] == "30"
    assert (
        await manage(deployment, "GET", {"registration_client_uri": f"{PATH}/x", "registration_access_token": "x"})
    ).headers["retry-after"]
