"""Token exchange: a service acts for a user, with at most the user's rights (RFC 8693)."""

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from credence.access.rules import AccessRules
from credence.oauth.parameters.scopes import API_SCOPES, SCOPES
from tests.deployment import NOW, Deployment, OpenDeployment, claims
from tests.oauth.exchanging import ACCESS_TOKEN, API, GRANT, JWT, exchange, exchanged, service
from tests.oauth.minting import bound
from tests.oauth.standard import ask, error, log_in
from tests.sweeps import sweep


async def test_the_token_names_the_actor_and_the_subject(deployment: Deployment) -> None:
    """RFC 8693 §2.2.1, §4.1, §4.3; RFC 9068 §2.2: the account is the subject, the service the client and the actor."""
    gateway = await service(deployment)
    shown = (await deployment.tokens())["access_token"]
    answer = (await exchange(gateway, shown)).json
    assert answer["issued_token_type"] == ACCESS_TOKEN
    assert (answer["token_type"], answer["scope"]) == ("Bearer", API)
    assert "refresh_token" not in answer
    said, before = claims(answer["access_token"]), claims(shown)
    assert said["sub"] == "ada"
    assert said["client_id"] == gateway.application.client_id
    assert said["act"] == {"sub": gateway.application.client_id}
    assert said["login_client_id"] == deployment.application.client_id
    assert said["jti"] != before["jti"]
    assert [said[name] for name in ("iss", "aud", "sid", "auth_time", "account_type", "Email")] == [
        before[name] for name in ("iss", "aud", "sid", "auth_time", "account_type", "Email")
    ]
    assert (await deployment.report(answer["access_token"])).status == 200


async def test_up_to_four_actors_are_nested(deployment: Deployment) -> None:
    """RFC 8693 §4.1: the newest actor outside, the earlier ones nested."""
    token = (await deployment.tokens())["access_token"]
    chain: Any = None
    for number in range(4):
        acting = await service(deployment, f"Service {number}")
        token = await exchanged(acting, token)
        chain = {"sub": acting.application.client_id} | ({"act": chain} if chain else {})
        assert claims(token)["act"] == chain
    assert (await deployment.report(token)).status == 200
    assert error(await exchange(await service(deployment), token)) == (400, "invalid_request")


@sweep(10, long=750)
@given(
    shown=st.lists(st.sampled_from([*SCOPES]), min_size=1, unique=True),
    registered=st.lists(st.sampled_from([*SCOPES]), unique=True),
    asked=st.none() | st.lists(st.sampled_from([*SCOPES]), min_size=1, unique=True),
)
async def test_the_scope_is_at_most_that_of_the_subject_token(
    deployment: Deployment, shown: list[str], registered: list[str], asked: list[str] | None
) -> None:
    """threats A15: granted is a subset of the token shown and of the application; none left is a refusal, not all."""
    gateway = await service(deployment, scopes=tuple(registered))
    token = (await log_in(deployment, scope=" ".join(shown))).json["access_token"]
    both = set(shown) & set(registered)
    reply = await exchange(gateway, token, **({} if asked is None else {"scope": " ".join(asked)}))
    wanted = both & set(API_SCOPES) if asked is None else set(asked)
    if wanted and wanted <= both:
        assert set(reply.json["scope"].split(" ")) == wanted
        assert claims(reply.json["access_token"])["scope"] == reply.json["scope"]
    else:
        assert error(reply) == (400, "invalid_scope")


async def test_it_expires_no_later_than_the_subject_token(deployment: Deployment) -> None:
    """No exchange prolongs a login; and no longer than the application's own tokens do."""
    gateway, brief = await service(deployment), await service(deployment, access_token_lifetime=60)
    shown = (await deployment.tokens())["access_token"]
    deployment.now += 3_600_000
    late, short = await exchanged(gateway, shown), await exchanged(brief, shown)
    assert claims(late)["exp"] == claims(shown)["exp"]
    assert claims(late)["iat"] == claims(shown)["iat"] + 3_600
    assert claims(short)["exp"] - claims(short)["iat"] == 60
    deployment.now = claims(shown)["exp"] * 1000 - 1
    assert (await deployment.report(late)).status == 200
    deployment.now += 1
    assert (await deployment.report(late)).status == 401
    assert error(await exchange(gateway, shown)) == (400, "invalid_request")


@pytest.mark.parametrize(
    "fields",
    [
        {"audience": "https://elsewhere.example"},
        {"resource": "https://elsewhere.example"},
        {"subject_token": "a.b.c"},
        {"actor_token": "a.b.c", "actor_token_type": ACCESS_TOKEN},
    ],
    ids=lambda fields: next(iter(fields)),
)
async def test_a_refusal_names_no_attribute_that_was_not_sent(deployment: Deployment, fields: dict[str, str]) -> None:
    """RFC 6749 §5.2: the description helps the developer of the client, who would look for that attribute in vain."""
    shown = (await deployment.tokens())["access_token"]
    reply = await exchange(await service(deployment), shown, **fields)
    sent = {"grant_type", "subject_token", "subject_token_type", *fields}
    assert reply.status == 400
    assert set(re.findall(r"'(\w+)'", reply.json["error_description"])) <= sent


async def test_a_refusal_for_want_of_scope_names_no_scope_parameter(deployment: Deployment) -> None:
    """RFC 6749 §5.2: the application has none of the scopes of the token, and the request has no `scope`."""
    shown = (await deployment.tokens())["access_token"]
    reply = await exchange(await service(deployment, scopes=("openid",)), shown)
    assert error(reply) == (400, "invalid_scope")
    assert "'scope'" not in reply.json["error_description"]


@pytest.mark.parametrize("said", ["resource", "audience"])
async def test_it_may_be_for_another_resource_of_the_service(deployment: Deployment, said: str) -> None:
    """RFC 8693 §2.1, RFC 8707 §2: `audience` is taken as another word for `resource`."""
    ledger = "https://ledger.example/api"
    gateway = await service(deployment, audiences=(ledger,))
    shown = (await deployment.tokens())["access_token"]
    token = await exchanged(gateway, shown, **{said: ledger})
    assert claims(token)["aud"] == ledger
    assert (await deployment.report(token)).status == 401
    both = await exchange(gateway, shown, resource=ledger, audience=ledger)
    assert both.status == 200
    assert error(await exchange(gateway, token)) == (400, "invalid_request")  # it was not meant for this service


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"subject_token_type_": ""}, "invalid_request"),
        ({"subject_token": ""}, "invalid_request"),
        ({"subject_token": "a.b.c"}, "invalid_request"),
        ({"subject_token": "x" * 8_000}, "invalid_request"),
        ({"subject_token_type": "urn:ietf:params:oauth:token-type:refresh_token"}, "invalid_request"),
        ({"subject_token_type": "urn:ietf:params:oauth:token-type:id_token"}, "invalid_request"),
        ({"subject_token_type": "urn:ietf:params:oauth:token-type:saml2"}, "invalid_request"),
        ({"requested_token_type": "urn:ietf:params:oauth:token-type:refresh_token"}, "invalid_request"),
        ({"requested_token_type": "urn:ietf:params:oauth:token-type:id_token"}, "invalid_request"),
        ({"actor_token_type": ACCESS_TOKEN}, "invalid_request"),
        ({"actor_token": "a.b.c"}, "invalid_request"),
        ({"actor_token": "a.b.c", "actor_token_type": ACCESS_TOKEN}, "invalid_request"),
        ({"resource": "https://elsewhere.example"}, "invalid_target"),
        ({"audience": "https://elsewhere.example"}, "invalid_target"),
        ({"audience": "https://elsewhere.example", "resource": "https://localhost:8443"}, "invalid_target"),
        ({"scope": "credit:report  credit:search"}, "invalid_scope"),
        ({"scope": "unknown"}, "invalid_scope"),
        ({"scope": "openid"}, "invalid_scope"),
    ],
    ids=lambda value: value if isinstance(value, str) else " ".join(f"{n}={v[-40:]}" for n, v in value.items()),
)
async def test_each_fault_has_its_code(deployment: Deployment, fields: dict[str, str], code: str) -> None:
    """RFC 8693 §2.2.2: invalid_request for a token or type that is not acceptable, invalid_target; RFC 6749 §5.2."""
    gateway = await service(deployment)
    shown = (await log_in(deployment)).json["access_token"]
    reply = await exchange(gateway, shown, **fields)
    assert error(reply) == (400, code)
    assert reply.headers["cache-control"] == "no-store"


async def test_an_application_without_the_grant_is_refused(deployment: Deployment) -> None:
    """D25, RFC 6749 §5.2 unauthorized_client; and a wrong secret is invalid_client with a challenge."""
    shown = (await deployment.tokens())["access_token"]
    assert error(await exchange(deployment, shown)) == (400, "unauthorized_client")
    gateway = await service(deployment)
    gateway.secret = "wrong"
    reply = await exchange(gateway, shown)
    assert error(reply) == (401, "invalid_client")
    assert reply.headers["www-authenticate"].startswith("Basic")


@pytest.mark.parametrize("kind", ["refresh_token", "of an application", "revoked", "of another deployment"])
async def test_only_a_good_token_of_an_account_is_exchanged(
    open_deployment: OpenDeployment, tmp_path: Path, kind: str
) -> None:
    """RFC 8693 §2.1: the server validates the subject token as its type demands; threats T8."""
    deployment = await open_deployment(tmp_path / "sandbox")
    gateway = await service(deployment)
    tokens = await deployment.tokens()
    match kind:
        case "refresh_token":
            shown = tokens["refresh_token"]
        case "of an application":
            shown = (await ask(gateway, {"grant_type": "client_credentials"})).json["access_token"]
        case "revoked":
            shown = tokens["access_token"]
            await deployment.revoke(shown)
        case _:
            uat = await open_deployment(tmp_path / "uat", environment="uat", base_url="https://uat.example")
            shown = (await uat.tokens())["access_token"]
    assert error(await exchange(gateway, shown)) == (400, "invalid_request")


async def test_an_actor_token_is_one_that_the_service_got_for_itself(deployment: Deployment) -> None:
    """RFC 8693 §2.1: the actor is the one who asks; another's token, or a user's, proves nothing of him."""
    gateway, other = await service(deployment), await service(deployment, "Other")
    shown = (await deployment.tokens())["access_token"]
    own, others = [
        (await ask(each, {"grant_type": "client_credentials"})).json["access_token"] for each in (gateway, other)
    ]
    for actor, status in ((own, 200), (others, 400), (shown, 400)):
        reply = await exchange(gateway, shown, actor_token=actor, actor_token_type=JWT)
        assert reply.status == status


async def test_the_answer_has_the_requested_token_type(deployment: Deployment) -> None:
    """RFC 8693 §2.2.1, §3."""
    shown = (await deployment.tokens())["access_token"]
    reply = await exchange(await service(deployment), shown, subject_token_type=JWT, requested_token_type=JWT)
    assert reply.json["issued_token_type"] == JWT


async def test_the_house_dialect_has_no_exchange(deployment: Deployment) -> None:
    """The house dialect knows the attributes of the specification and no others (D2)."""
    gateway = await service(deployment)
    shown = (await deployment.tokens())["access_token"]
    headers = [*gateway.client, ("Content-Type", "application/json"), ("grant_type", GRANT)]
    body = f'{{"subject_token": "{shown}", "subject_token_type": "{ACCESS_TOKEN}"}}'.encode()
    reply = await gateway.send("POST", "/oauth2/v1/token", headers, body)
    assert reply.said == (
        400,
        "Bad Request",
        "The 'subject_token' and 'subject_token_type' attributes are required.",
    )


async def test_a_bound_token_is_exchanged_only_for_a_bound_token(deployment: Deployment) -> None:
    """RFC 9449 §1, RFC 8705 §3: who stole a bound token cannot shed the binding."""
    gateway = await service(deployment)
    token = bound(deployment, (await deployment.tokens())["access_token"])
    assert error(await exchange(gateway, token)) == (400, "invalid_request")


@pytest.mark.settings(spike_account_per_minute=1)
async def test_an_exchange_counts_for_the_account_of_the_subject_token(deployment: Deployment) -> None:
    """D16, threats A6: an exchange counts for the account that its token proved."""
    gateway = await service(deployment)
    shown = (await deployment.tokens())["access_token"]
    assert error(await exchange(gateway, shown)) == (401, "temporarily_unavailable")
    deployment.now += 60_000
    assert (await exchange(gateway, shown)).status == 200
    assert error(await exchange(gateway, shown)) == (401, "temporarily_unavailable")


async def test_the_state_of_application_and_account_is_checked(deployment: Deployment) -> None:
    """D14, D15, threats L6."""
    gateway = await service(deployment)
    shown = (await deployment.tokens())["access_token"]
    await deployment.set_status("suspended")
    assert error(await exchange(gateway, shown)) == (400, "invalid_request")
    await deployment.set_status("active")
    deployment.now = NOW + 2_000
    shown = (await deployment.tokens())["access_token"]
    await gateway.change_application(disabled=True)
    assert error(await exchange(gateway, shown)) == (401, "invalid_client")


async def test_the_users_rules_on_addresses_hold_for_the_service_too(deployment: Deployment) -> None:
    """D15: as for every grant, the address that counts is the caller's."""
    gateway = await service(deployment)
    shown = (await deployment.tokens())["access_token"]
    await deployment.change_account(rules=AccessRules(networks=("198.51.100.0/24",)))
    assert error(await exchange(gateway, shown)) == (403, "access_denied")
