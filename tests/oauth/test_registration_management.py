"""What an application may do with its registration, and what stays the operator's (RFC 7592, threats E10)."""

import asyncio
from typing import Any

import msgspec
import psycopg
import pytest

from credence.access.rules import AccessRules
from credence.management.application_fields import configured
from tests.deployment import NOW, Deployment, OpenDeployment, Reply
from tests.oauth.registering import PATH, SAID_BY_THE_SERVICE, invited, manage, register, registered, resent, send
from tests.oauth.standard import error
from tests.oauth.test_registration import EC_KEY, ON
from tests.waiting import until_queries_wait

pytestmark = pytest.mark.settings(ON)


async def typed(deployment: Deployment, client_id: str, **options: Any) -> None:
    """Set options as `credence app set` does."""
    found = await deployment.store.application(client_id)
    assert found is not None
    changed = msgspec.structs.replace(configured(found, options), version=found.version + 1)
    await deployment.store.save_application(changed, NOW)


async def test_reading_returns_the_metadata_but_not_the_secret(deployment: Deployment) -> None:
    """RFC 7592 §2.1, §3: 200 and the client information; the secret is not kept, so it cannot be told."""
    said = await registered(deployment, client_name="Ledger")
    reply = await manage(deployment, "GET", said)
    assert reply.status == 200
    assert reply.headers["cache-control"] == "no-store"
    without = {name: value for name, value in said.items() if not name.startswith("client_secret")}
    assert reply.json == without


async def test_what_was_read_and_sent_back_changes_nothing(deployment: Deployment) -> None:
    """threats E10, for all that the operator can set by command too."""
    said = await registered(deployment, client_name="Ledger")
    await typed(
        deployment,
        said["client_id"],
        grants=["password", "refresh_token"],
        scopes=["openid", "credit:directors"],
        audiences=["https://b.example"],
        algorithm="ES256",
        id_token_algorithm="RS256",
        access_token_lifetime=60,
        refresh_token_lifetime=120,
        spike_per_minute=7,
        dpop_required=True,
    )
    before = await deployment.store.application(said["client_id"])
    assert before is not None
    read = (await manage(deployment, "GET", said)).json
    changed = await manage(deployment, "PUT", said, resent(read))
    assert changed.status == 200, changed
    after = await deployment.store.application(said["client_id"])
    assert after is not None
    assert before.registration is not None
    assert after.registration is not None
    same = msgspec.structs.replace(
        after,
        version=before.version,
        registration=msgspec.structs.replace(after.registration, token=before.registration.token),
    )
    assert same == before


async def test_a_member_that_is_left_out_goes_back_to_its_default(deployment: Deployment) -> None:
    """RFC 7592 §2.2: the values replace those of before, omitted and null ones too."""
    said = await registered(deployment, client_name="Ledger", scope="credit:report", dpop_bound_access_tokens=True)
    changed = (await manage(deployment, "PUT", said, {"client_id": said["client_id"], "scope": None})).json
    assert changed["client_name"] == said["client_id"]
    assert changed["scope"] == "credit:report credit:search"
    assert changed["dpop_bound_access_tokens"] is False


@pytest.mark.parametrize(
    ("options", "metadata"),
    [
        ({"grants": ["password"]}, {"grant_types": ["client_credentials"]}),
        ({"scopes": ["credit:report"]}, {"scope": "credit:report credit:search"}),
        ({"dpop_required": True}, {"dpop_bound_access_tokens": False}),
        ({"id_token_algorithm": "ES256"}, {"id_token_signed_response_alg": "RS256"}),
    ],
)
async def test_what_the_operator_has_settled_stays(
    deployment: Deployment, options: dict[str, Any], metadata: dict[str, Any]
) -> None:
    """threats E10: left out it stays as it is, and a request that says otherwise is refused and changes nothing."""
    said = await registered(deployment)
    await typed(deployment, said["client_id"], **options)
    before = await deployment.store.application(said["client_id"])
    refused = await manage(deployment, "PUT", said, {"client_id": said["client_id"], **metadata})
    assert error(refused) == (400, "invalid_client_metadata")
    assert await deployment.store.application(said["client_id"]) == before
    changed = await manage(deployment, "PUT", said, {"client_id": said["client_id"], "client_name": "New"})
    assert changed.status == 200
    after = await deployment.store.application(said["client_id"])
    for field in options:
        assert getattr(after, field) == getattr(before, field)


async def test_an_application_has_the_rule_for_pkce_of_its_invitation_unless_it_is_public(
    deployment: Deployment,
) -> None:
    """D35: a program that sends neither PKCE nor a nonce registers itself, and the person who invited it decides that."""
    token = invited(deployment, grants=("authorization_code",), pkce="off")
    metadata = {"redirect_uris": ["https://app.example.com/cb"]}
    said = await registered(deployment, token, **metadata)
    assert (await manage(deployment, "PUT", said, {"client_id": said["client_id"], **metadata})).status == 200
    found = await deployment.store.application(said["client_id"])
    assert found is not None
    assert found.pkce == "off"
    public = {"token_endpoint_auth_method": "none", **metadata}
    refused = await register(deployment, invited(deployment, grants=("authorization_code",), pkce="off"), **public)
    assert error(refused) == (400, "invalid_client_metadata")
    assert "public application needs PKCE" in refused.json["error_description"]


async def test_rules_lifetimes_and_rates_are_not_a_registrations_to_change(deployment: Deployment) -> None:
    """threats E10: no member stands for them, and no change touches them."""
    said = await registered(deployment)
    found = await deployment.store.application(said["client_id"])
    assert found is not None
    kept = {
        "rules": AccessRules(networks=("192.0.2.0/24",)),
        "spike_per_minute": 5,
        "access_token_lifetime": 60,
        "algorithm": "ES256",
        "audiences": ("https://b.example",),
        "not_before": NOW - 1,
    }
    await deployment.store.save_application(msgspec.structs.replace(found, version=found.version + 1, **kept), NOW)
    assert (await manage(deployment, "PUT", said, {"client_id": said["client_id"]})).status == 200
    after = await deployment.store.application(said["client_id"])
    assert {name: getattr(after, name) for name in kept} == kept


async def test_a_change_gives_a_new_token_and_ends_the_old_one(deployment: Deployment) -> None:
    """RFC 7592 §5: the token may be rotated with a change."""
    said = await registered(deployment)
    changed = (await manage(deployment, "PUT", said, {"client_id": said["client_id"]})).json
    assert changed["registration_access_token"] != said["registration_access_token"]
    assert (await manage(deployment, "GET", said)).status == 401
    assert (await manage(deployment, "GET", changed)).status == 200


async def test_of_two_changes_at_once_one_is_done(deployment: Deployment) -> None:
    """threats E10: no lost update; the other is told that the registration moved, or that its token is over."""
    said = await registered(deployment)
    client_id = said["client_id"]
    replies = await asyncio.gather(
        *(manage(deployment, "PUT", said, {"client_id": client_id, "client_name": name}) for name in ("A", "B"))
    )
    done = [reply for reply in replies if reply.status == 200]
    assert len(done) == 1
    assert {reply.status for reply in replies} <= {200, 401, 409}
    kept = await deployment.store.application(client_id)
    assert kept is not None
    assert kept.name == done[0].json["client_name"]


@pytest.mark.parametrize("method", ["PUT", "DELETE"])
async def test_what_the_operator_changes_after_it_was_read_is_not_overwritten(
    open_deployment: OpenDeployment, migrated_postgres: str, method: str
) -> None:
    """threats E10: the row stands still until the request has read it and waits to write it, and then has moved."""
    deployment = await open_deployment(store=migrated_postgres, registration=True)
    said = await registered(deployment)
    client_id = said["client_id"]

    async def asked() -> Reply:
        return await manage(deployment, method, said, {"client_id": client_id, "client_name": "Theirs"})

    with (
        psycopg.connect(migrated_postgres) as operator,
        psycopg.connect(migrated_postgres, autocommit=True) as watching,
    ):
        moved = "UPDATE applications SET version = version + 1 WHERE client_id = %s"
        assert operator.execute(moved, (client_id,)).rowcount == 1
        asking = asyncio.create_task(asked())
        await until_queries_wait(watching, 1)
        operator.commit()
    reply = await asking
    assert (reply.status, reply.headers["x-reason"]) == (409, "registration.conflict")
    kept = await deployment.store.application(client_id)
    assert kept is not None
    assert (kept.name, kept.disabled) == (client_id, False)


async def test_the_token_of_one_application_opens_no_other(deployment: Deployment) -> None:
    """RFC 7592 §2, threats E8: client A's token against B's registration, by every method."""
    mine, other = await registered(deployment), await registered(deployment)
    path = f"{PATH}/{other['client_id']}"
    for method, body in (("GET", None), ("PUT", {"client_id": other["client_id"]}), ("DELETE", None)):
        reply = await send(deployment, method, path, mine["registration_access_token"], body)
        assert error(reply) == (401, "invalid_token")
        assert reply.headers["www-authenticate"] == 'Bearer error="invalid_token"'
    assert (await manage(deployment, "GET", other)).status == 200


async def test_every_wrong_token_gets_the_same_answer(deployment: Deployment) -> None:
    """RFC 7592 §2.1: 401 also for an application that does not exist, so that nobody learns which do (threats A2)."""
    said = await registered(deployment)
    token, own = said["registration_access_token"], deployment.application.client_id
    replies = [
        await send(deployment, "GET", f"{PATH}/{said['client_id']}", token[:-1] + "x"),
        await send(deployment, "GET", f"{PATH}/{said['client_id']}", invited(deployment)),
        await send(deployment, "GET", f"{PATH}/{said['client_id']}", deployment.secret),
        await send(deployment, "GET", f"{PATH}/crd_sbx_app_unknown", token),
        await send(deployment, "GET", f"{PATH}/{own}", token),  # an application that the operator made
        await send(deployment, "GET", f"{PATH}/", token),
    ]
    assert {(reply.status, reply.body) for reply in replies} == {(401, replies[0].body)}
    nothing = await send(deployment, "GET", f"{PATH}/{said['client_id']}", None)
    assert (nothing.status, nothing.headers["www-authenticate"]) == (401, "Bearer")


@pytest.mark.parametrize("member", [*SAID_BY_THE_SERVICE, "client_id", "client_secret"])
async def test_a_change_with_members_of_the_answer_is_refused(deployment: Deployment, member: str) -> None:
    """RFC 7592 §2.2: none of the four members, its own client_id, and no other secret than its own."""
    said = await registered(deployment)
    reply = await manage(deployment, "PUT", said, {"client_id": said["client_id"]} | {member: "other"})
    assert error(reply) == (400, "invalid_client_metadata")
    assert (await manage(deployment, "PUT", said, {"client_name": "Ledger"})).status == 400


async def test_a_change_may_repeat_the_secret_and_it_stays(deployment: Deployment) -> None:
    """RFC 7592 §2.2: `client_secret` must match the one that is in use."""
    said = await registered(deployment)
    same = {"client_id": said["client_id"], "client_secret": said["client_secret"]}
    changed = await manage(deployment, "PUT", said, same)
    assert changed.status == 200
    assert "client_secret" not in changed.json


async def test_an_application_that_changes_to_a_key_loses_its_secret_and_gets_a_new_one_back(
    deployment: Deployment,
) -> None:
    """A method that is no longer registered proves nothing (RFC 7591 §2)."""
    said = await registered(deployment)
    by_key = {"token_endpoint_auth_method": "private_key_jwt", "jwks": {"keys": [EC_KEY]}}
    changed = (await manage(deployment, "PUT", said, {"client_id": said["client_id"], **by_key})).json
    kept = await deployment.store.application(said["client_id"])
    assert kept is not None
    assert kept.secrets == ()
    back = (await manage(deployment, "PUT", changed, {"client_id": said["client_id"]})).json
    assert back["client_secret"] != said["client_secret"]
    assert back["client_secret_expires_at"] == 0


async def test_ending_a_registration_disables_the_application_for_good(deployment: Deployment) -> None:
    """RFC 7592 §2.3: 204 and no body; the token is over. threats T16: the name is not given again."""
    said = await registered(deployment)
    reply = await manage(deployment, "DELETE", said)
    assert (reply.status, reply.body) == (204, b"")
    assert "content-length" not in reply.headers  # RFC 9110 §8.6
    assert "content-type" not in reply.headers
    kept = await deployment.store.application(said["client_id"])
    assert kept is not None
    assert kept.disabled
    assert kept.not_before > deployment.now
    for method in ("GET", "DELETE"):
        assert (await manage(deployment, method, said)).status == 401


async def test_a_disabled_application_manages_nothing(deployment: Deployment) -> None:
    """threats L6: no second path for what was disabled."""
    said = await registered(deployment)
    found = await deployment.store.application(said["client_id"])
    assert found is not None
    await deployment.store.save_application(
        msgspec.structs.replace(found, disabled=True, version=found.version + 1), NOW
    )
    assert (await manage(deployment, "GET", said)).status == 401


async def test_rules_on_addresses_hold_here_too(deployment: Deployment) -> None:
    """D15: an application that may not call from there cannot change itself from there."""
    said = await registered(deployment)
    found = await deployment.store.application(said["client_id"])
    assert found is not None
    rules = AccessRules(networks=("198.51.100.0/24",))
    await deployment.store.save_application(msgspec.structs.replace(found, rules=rules, version=found.version + 1), NOW)
    assert (await manage(deployment, "GET", said)).status == 403
