"""Introspection: who may introspect which token, and the answer (RFC 7662, threats §9.2)."""

from typing import Any

import pytest

from credence.access.rules import AccessRules
from tests.deployment import NOW, Deployment, claims
from tests.oauth.exchanging import exchanged, service
from tests.oauth.minting import bound, minted
from tests.oauth.standard import ask, error, log_in

PATH = "/oauth2/v1/introspect"
OWN = "https://localhost:8443"
LEDGER = "https://ledger.example/api"
INACTIVE = b'{"active":false}'


async def about(deployment: Deployment, token: str, **more: str) -> Any:
    """Return the answer to an application about a token."""
    reply = await ask(deployment, {"token": token, **more}, path=PATH)
    assert reply.status == 200, reply
    assert reply.headers["content-type"] == "application/json"
    assert reply.headers["cache-control"] == "no-store"
    return reply.json


async def test_an_access_token_is_described_by_its_claims(deployment: Deployment) -> None:
    """RFC 7662 §2.2; of the person the name alone (§5)."""
    token = (await log_in(deployment, scope="openid email credit:report")).json["access_token"]
    said = claims(token)
    assert await about(deployment, token) == {
        "active": True,
        "iss": OWN,
        "sub": "ada",
        "aud": OWN,
        "client_id": deployment.application.client_id,
        "username": "ada",
        "scope": "openid email credit:report",
        "token_type": "Bearer",
        "iat": said["iat"],
        "exp": said["exp"],
        "jti": said["jti"],
        "sid": said["sid"],
        "auth_time": said["auth_time"],
    }


async def test_a_refresh_token_is_described_by_the_end_of_its_login(deployment: Deployment) -> None:
    """RFC 7662 §2.1: a refresh token may be asked about too; §2.2: `exp` is its own, 24 hours (D4)."""
    tokens = await deployment.tokens()
    told = await about(deployment, tokens["refresh_token"], token_type_hint="access_token")
    assert told == {
        "active": True,
        "iss": OWN,
        "sub": "ada",
        "client_id": deployment.application.client_id,
        "username": "ada",
        "scope": "credit:report credit:search credit:directors",
        "iat": NOW // 1000,
        "exp": (NOW + 86_400_000) // 1000,
        "sid": claims(tokens["access_token"])["sid"],
        "auth_time": NOW // 1000,
    }


async def test_of_an_application_there_is_no_user_to_name(deployment: Deployment) -> None:
    """RFC 7662 §2.2: `username` is the resource owner's."""
    gateway = await service(deployment)
    token = (await ask(gateway, {"grant_type": "client_credentials"})).json["access_token"]
    told = await about(gateway, token)
    assert told["sub"] == gateway.application.client_id
    assert "username" not in told


async def test_actors_and_keys_are_part_of_the_answer(deployment: Deployment) -> None:
    """RFC 8693 §4.1, RFC 7800 §3, RFC 9449 §6.2: `cnf` and the token type of a bound token."""
    gateway = await service(deployment)
    shown = (await deployment.tokens())["access_token"]
    told = await about(gateway, await exchanged(gateway, shown))
    assert told["act"] == {"sub": gateway.application.client_id}
    told = await about(deployment, bound(deployment, shown))
    assert told["token_type"] == "DPoP"
    assert told["cnf"] == {"jkt": "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I"}
    certified = minted(deployment, shown, cnf={"x5t#S256": "bwcK0esc3ACC3DB2Y5_lESsXE8o9ltc05O89jdN-dg2"})
    assert (await about(deployment, certified))["token_type"] == "Bearer"  # RFC 8705 §3


@pytest.mark.parametrize(
    ("guarded", "of_the_service", "of_the_ledger"),
    [((), False, False), ((OWN,), True, False), ((LEDGER,), False, True), ((OWN, LEDGER), True, True)],
    ids=["nothing", "the service", "another resource", "both"],
)
async def test_a_resource_server_may_introspect_the_tokens_for_its_resource(
    deployment: Deployment, guarded: tuple[str, ...], of_the_service: bool, of_the_ledger: bool
) -> None:
    """RFC 7662 §2.2, §4: any other caller gets the answer for an unknown token."""
    await deployment.change_application(audiences=(LEDGER,))
    guard = await service(deployment, audiences=(OWN, LEDGER), introspects=guarded)
    for resource, active in ((OWN, of_the_service), (LEDGER, of_the_ledger)):
        token = (await log_in(deployment, resource=resource)).json["access_token"]
        assert (await about(guard, token))["active"] is active
        assert (await about(deployment, token))["active"] is True


async def test_only_its_application_may_introspect_a_refresh_token(deployment: Deployment) -> None:
    """RFC 7662 §4: no resource server has business with one."""
    guard = await service(deployment, introspects=(OWN, LEDGER))
    assert await about(guard, (await deployment.tokens())["refresh_token"]) == {"active": False}


async def _revoke_access(deployment: Deployment, tokens: dict[str, str]) -> None:
    await deployment.revoke(tokens["access_token"])


async def _revoke_refresh(deployment: Deployment, tokens: dict[str, str]) -> None:
    await deployment.revoke(tokens["refresh_token"])


async def _expire(deployment: Deployment, tokens: dict[str, str]) -> None:
    deployment.now = claims(tokens["access_token"])["exp"] * 1000


async def _suspend(deployment: Deployment, _tokens: dict[str, str]) -> None:
    await deployment.set_status("suspended")


async def _close(deployment: Deployment, _tokens: dict[str, str]) -> None:
    await deployment.set_status("closed")


async def _new_password(deployment: Deployment, _tokens: dict[str, str]) -> None:
    await deployment.change_account(not_before=NOW + 1)


async def _disable(deployment: Deployment, _tokens: dict[str, str]) -> None:
    await deployment.change_application(disabled=True)


async def _cut_off(deployment: Deployment, _tokens: dict[str, str]) -> None:
    await deployment.change_application(not_before=NOW + 1)


@pytest.mark.parametrize(
    "deed",
    [_revoke_access, _revoke_refresh, _expire, _suspend, _close, _new_password, _disable, _cut_off],
    ids=lambda deed: deed.__name__.strip("_"),
)
async def test_what_the_api_refuses_is_not_active(deployment: Deployment, deed: Any) -> None:
    """RFC 7662 §2.2, threats L6: one check decides for both; and nothing but `active` is said."""
    guard = await service(deployment, introspects=(OWN,))
    tokens = await deployment.tokens()
    assert (await about(guard, tokens["access_token"]))["active"] is True
    await deed(deployment, tokens)
    assert (await deployment.report(tokens["access_token"])).status == 401
    assert (await ask(guard, {"token": tokens["access_token"]}, path=PATH)).body == INACTIVE


@pytest.mark.parametrize("deed", [_revoke_refresh, _suspend, _new_password, _cut_off])
async def test_a_refresh_token_that_refreshes_nothing_is_not_active(deployment: Deployment, deed: Any) -> None:
    """RFC 7662 §2.2."""
    tokens = await deployment.tokens()
    assert (await about(deployment, tokens["refresh_token"]))["active"] is True
    await deed(deployment, tokens)
    assert (await ask(deployment, {"token": tokens["refresh_token"]}, path=PATH)).body == INACTIVE


async def test_introspecting_a_reused_token_ends_nothing(deployment: Deployment) -> None:
    """D7, threats §9.2: it is not active, and its family goes on, for nobody has used it."""
    first = await deployment.tokens()
    second = (await deployment.refresh(first["refresh_token"])).json
    deployment.now += 60_000
    assert await about(deployment, first["refresh_token"]) == {"active": False}
    assert (await about(deployment, second["refresh_token"]))["active"] is True
    assert (await deployment.refresh(second["refresh_token"])).status == 200


async def test_introspecting_an_access_token_reads_and_writes_no_row(deployment: Deployment) -> None:
    """threats §9.2: asserted by a store that counts its calls."""
    tokens = await deployment.tokens()
    for kind in ("access_token", "refresh_token"):
        await about(deployment, tokens[kind])
    asked: list[str] = []
    _watch(deployment.store, asked)
    await about(deployment, tokens["access_token"])
    assert asked == []
    await about(deployment, tokens["refresh_token"])
    assert asked == ["family"]


def _watch(store: Any, asked: list[str]) -> None:
    """Note every asynchronous call of the store by its name."""

    def noting(name: str, act: Any) -> Any:
        def call(*arguments: Any, **named: Any) -> Any:
            asked.append(name)
            return act(*arguments, **named)

        return call

    for name in dir(type(store)):
        if not name.startswith("_") and name != "change_marker" and callable(getattr(store, name)):
            setattr(store, name, noting(name, getattr(store, name)))


@pytest.mark.parametrize("token", ["unknown", "a.b.c", "crd_sbx_ref_unknown", "x" * 8_000, "crd_sbx_ref_" + "A" * 100])
async def test_any_other_text_is_not_active(deployment: Deployment, token: str) -> None:
    """RFC 7662 §2.2: no error, because that would distinguish tokens from other texts."""
    assert (await ask(deployment, {"token": token}, path=PATH)).body == INACTIVE


async def test_each_fault_of_the_request_has_its_code(deployment: Deployment) -> None:
    """RFC 7662 §2.1, §2.3; RFC 6749 §5.2: invalid_client with a challenge, invalid_request, 405, 415."""
    token = (await deployment.tokens())["access_token"]
    wrong = ("Authorization", "Basic eDp5")
    stranger = await ask(deployment, {"token": token}, [wrong], PATH)
    assert error(stranger) == (401, "invalid_client")
    assert stranger.headers["www-authenticate"].startswith("Basic")
    assert error(await ask(deployment, {"token": token}, [], PATH)) == (401, "invalid_client")
    assert error(await ask(deployment, {"token_type_hint": "access_token"}, path=PATH)) == (400, "invalid_request")
    assert error(await ask(deployment, [("token", token), ("token", token)], path=PATH))[1] == "invalid_request"
    assert (await deployment.send("GET", PATH, [deployment.basic])).status == 405
    assert (await deployment.send("POST", PATH, [deployment.basic], b"{}")).status == 415
    by_bearer = await ask(deployment, {"token": token}, [("Authorization", f"Bearer {token}")], PATH)
    assert error(by_bearer) == (401, "invalid_client")  # an access token proves no application


async def test_an_application_outside_its_networks_is_refused(deployment: Deployment) -> None:
    """D15."""
    token = (await deployment.tokens())["access_token"]
    await deployment.change_application(rules=AccessRules(networks=("198.51.100.0/24",)))
    assert error(await ask(deployment, {"token": token}, path=PATH)) == (403, "access_denied")


async def test_each_introspection_counts_for_its_caller(deployment: Deployment) -> None:
    """D16, RFC 7662 §4, threats §9.2: fishing is as slow as everything else."""
    guard = await service(deployment, spike_per_minute=1)
    assert await about(guard, "unknown") == {"active": False}
    assert error(await ask(guard, {"token": "other"}, path=PATH)) == (401, "temporarily_unavailable")
    deployment.now += 60_000
    assert await about(guard, "other") == {"active": False}


async def test_an_unknown_hint_is_ignored(deployment: Deployment) -> None:
    """RFC 7662 §2.1: the server may ignore it."""
    tokens = await deployment.tokens()
    for hint in ("refresh_token", "access_token", "saml2", "", "x" * 100):
        assert (await about(deployment, tokens["access_token"], token_type_hint=hint))["active"] is True


async def test_a_public_application_may_not_introspect(deployment: Deployment) -> None:
    """RFC 7662 §2.1: the endpoint asks for authorization; anybody can give a name."""
    token = (await deployment.tokens())["access_token"]
    await deployment.change_application(authentication="none", secrets=())
    fields = {"token": token, "client_id": deployment.application.client_id}
    assert error(await ask(deployment, fields, [], PATH)) == (401, "invalid_client")


async def test_an_application_may_prove_itself_in_the_form(deployment: Deployment) -> None:
    """RFC 6749 §2.3.1: the secret in the body, where no password is (D1)."""
    token = (await deployment.tokens())["access_token"]
    fields = {"token": token, "client_id": deployment.application.client_id, "client_secret": deployment.secret}
    assert (await ask(deployment, fields, [], PATH)).json["active"] is True
