"""Revocation as standard clients request it (RFC 7009)."""

from collections.abc import Awaitable, Callable

import pytest

from tests.deployment import REVOKE_PATH, Deployment, Reply
from tests.oauth.exchanging import exchanged, service
from tests.oauth.standard import FORM, ask, error, log_in

WRONG = ("Authorization", "Basic eDp5")

Fault = Callable[[Deployment, str], Awaitable[Reply]]


async def revoke(deployment: Deployment, token: str, **more: str) -> Reply:
    return await ask(deployment, {"token": token, **more}, path=REVOKE_PATH)


@pytest.mark.parametrize("hint", [None, "access_token", "refresh_token", "saml2", ""])
@pytest.mark.parametrize("kind", ["access_token", "refresh_token"])
async def test_a_hint_may_be_right_wrong_or_unknown(deployment: Deployment, kind: str, hint: str | None) -> None:
    """RFC 7009 §2.1: a hint helps to look; the server extends its search when it was wrong, and may ignore it."""
    tokens = await deployment.tokens()
    reply = await revoke(deployment, tokens[kind], **({} if hint is None else {"token_type_hint": hint}))
    assert reply.status == 200
    assert (await deployment.report(tokens["access_token"])).status == 401
    refreshes = (await deployment.refresh(tokens["refresh_token"])).status
    assert refreshes == (200 if kind == "access_token" else 401)


@pytest.mark.parametrize("token", ["unknown", "a.b.c", "crd_sbx_ref_unknown", "x" * 8_000])
async def test_an_invalid_token_is_answered_200(deployment: Deployment, token: str) -> None:
    """RFC 7009 §2.2: the client can do nothing about it, and what it wanted is so."""
    reply = await revoke(deployment, token)
    assert (reply.status, reply.headers["cache-control"]) == (200, "no-store")


FAULTS: dict[str, tuple[Fault, int, str]] = {
    "no token": (
        lambda one, _: ask(one, {"token_type_hint": "access_token"}, path=REVOKE_PATH),
        400,
        "invalid_request",
    ),
    "an empty form": (lambda one, _: ask(one, {}, path=REVOKE_PATH), 400, "invalid_request"),
    "a blank token": (lambda one, _: ask(one, {"token": " "}, path=REVOKE_PATH), 400, "invalid_request"),
    "no client": (lambda one, token: ask(one, {"token": token}, [], REVOKE_PATH), 401, "invalid_client"),
    "a wrong client": (lambda one, token: ask(one, {"token": token}, [WRONG], REVOKE_PATH), 401, "invalid_client"),
    "two tokens": (
        lambda one, token: ask(one, [("token", token), ("token", "other")], path=REVOKE_PATH),
        400,
        "invalid_request",
    ),
    "two ways to prove a client": (
        lambda one, token: ask(one, {"token": token, "client_secret": one.secret}, path=REVOKE_PATH),
        400,
        "invalid_request",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
async def test_each_fault_has_its_code_and_revokes_nothing(deployment: Deployment, fault: str) -> None:
    """RFC 7009 §2.2.1, RFC 6749 §5.2: invalid_request, invalid_client with a challenge; a parameter comes once (§3.1)."""
    act, status, code = FAULTS[fault]

    token = (await deployment.tokens())["access_token"]
    reply = await act(deployment, token)
    assert error(reply) == (status, code)
    assert ("www-authenticate" in reply.headers) is (code == "invalid_client")
    assert (await deployment.report(token)).status == 200


async def test_only_post_revokes(deployment: Deployment) -> None:
    """RFC 7009 §2.1, §2.3: no GET, and so no JSONP."""
    token = (await deployment.tokens())["access_token"]
    reply = await deployment.send("GET", f"{REVOKE_PATH}?token={token}&callback=f", [FORM, deployment.basic])
    assert (reply.status, reply.headers["allow"]) == (405, "POST")
    assert (await deployment.report(token)).status == 200


async def test_an_id_token_is_nothing_to_revoke(deployment: Deployment) -> None:
    """RFC 7009 §2: refresh and access tokens; threats T8: it takes nothing of its login with it."""
    tokens = (await log_in(deployment, scope="openid credit:report")).json
    assert (await revoke(deployment, tokens["id_token"])).status == 200
    assert (await deployment.report(tokens["access_token"])).status == 200


async def test_an_exchanged_token_is_revoked_by_the_service_that_got_it(deployment: Deployment) -> None:
    """RFC 7009 §2.1: the token was issued to the client that revokes it; the user's own token goes on."""
    gateway = await service(deployment)
    shown = (await deployment.tokens())["access_token"]
    token = await exchanged(gateway, shown)
    await revoke(deployment, token)
    assert (await deployment.report(token)).status == 200
    await revoke(gateway, shown)
    assert (await deployment.report(shown)).status == 200
    await revoke(gateway, token)
    assert (await deployment.report(token)).status == 401
    assert (await deployment.report(shown)).status == 200


async def test_with_the_token_in_a_header_the_body_is_ignored(deployment: Deployment) -> None:
    """D11: with the token in a header the body is ignored, a form without one too."""
    token = (await deployment.tokens())["access_token"]
    headers = [*deployment.client, ("token", token), FORM]
    assert (await deployment.send("POST", REVOKE_PATH, headers, b"other=1&other=2")).status == 200
    assert (await deployment.report(token)).status == 401
