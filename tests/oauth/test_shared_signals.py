"""Applications learn of logins that end and accounts that change (SSF 1.0, CAEP 1.0, RISC 1.0, RFC 8417, 8935, 8936)."""

import asyncio
import json
from collections.abc import Sequence
from typing import Any

import jwt
from joserfc import jwt as other_jwt
from joserfc.jwk import KeySet

from credence import paths
from credence.identity import accounts
from credence.oauth.signals import streams
from credence.oauth.signals.delivering import settle_signals
from credence.oauth.signals.events import (
    ACCOUNT_DISABLED,
    ACCOUNT_ENABLED,
    CREDENTIAL_CHANGE,
    SESSION_REVOKED,
    STREAM_UPDATED,
    SUPPORTED,
    TOKEN_CLAIMS_CHANGE,
)
from credence.oauth.signals.schema import POLL
from credence.store.people import Factor
from credence.store.sign_ins import Consent
from tests.deployment import Deployment, Reply, claims
from tests.oauth.standard import log_in
from tests.sign_in.notices import LIMIT_SECONDS
from tests.waiting import until

SCOPE = "openid email ssf.manage"


async def call(deployment: Deployment, method: str, target: str, body: Any = None, token: str = "") -> Reply:
    """Send a request with a token of this application."""
    token = token or (await log_in(deployment, scope=SCOPE)).json["access_token"]
    header = [("Authorization", f"Bearer {token}"), ("Content-Type", "application/json")]
    return await deployment.send(method, target, header, b"" if body is None else json.dumps(body).encode())


async def make(deployment: Deployment, **members: Any) -> Any:
    reply = await call(deployment, "POST", paths.SIGNAL_STREAMS, members)
    assert reply.status == 201, reply.body
    return reply.json


async def settle(deployment: Deployment) -> int:
    return await settle_signals(deployment.service.authority, deployment.now)


async def polled(deployment: Deployment, stream: Any, **body: Any) -> list[Any]:
    """Return the claims of all tokens that wait, each verified by two other implementations, and acknowledge them."""
    await settle(deployment)
    path = f"{paths.SIGNAL_POLL}/{stream['stream_id']}"
    found = (await call(deployment, "POST", path, {"returnImmediately": True, **body})).json
    read = [await verified(deployment, token, stream["aud"]) for token in found["sets"].values()]
    assert [each["jti"] for each in read] == list(found["sets"])
    await call(deployment, "POST", path, {"returnImmediately": True, "maxEvents": 0, "ack": list(found["sets"])})
    return read


async def verified(deployment: Deployment, token: str, audience: str) -> Any:
    """Return the claims of a token as PyJWT and joserfc read it with the keys that the service publishes."""
    published = (await deployment.send("GET", paths.KEYS)).json
    kid = jwt.get_unverified_header(token)["kid"]
    key = next(jwt.PyJWK(each) for each in published["keys"] if each["kid"] == kid)
    issuer = deployment.service.settings.issuer
    read = jwt.decode(token, key, ["RS256", "ES256"], audience=audience, issuer=issuer)
    other = other_jwt.decode(token, KeySet.import_key_set(published), algorithms=["RS256", "ES256"])
    assert dict(other.claims) == read
    assert other.header["typ"] == "secevent+jwt"
    assert read.keys() == {"iss", "aud", "iat", "jti", "sub_id", "events"}  # neither sub nor exp (SSF §4.1)
    return read


def said(found: list[Any]) -> list[str]:
    return sorted(event for each in found for event in each["events"])


def of(found: list[Any], event: str) -> Any:
    return next(each["events"][event] for each in found if event in each["events"])


async def test_the_metadata_names_what_there_is(deployment: Deployment) -> None:
    issuer = deployment.service.settings.issuer
    found = (await deployment.send("GET", paths.SIGNAL_CONFIGURATION)).json
    assert (found["issuer"], found["spec_version"], found["default_subjects"]) == (issuer, "1_0", "ALL")
    assert found["delivery_methods_supported"] == [POLL]  # without CREDENCE_CALLS_OUT nothing is pushed
    assert found["configuration_endpoint"] == f"{issuer}{paths.SIGNAL_STREAMS}"
    assert (await deployment.send("GET", f"{paths.SIGNAL_CONFIGURATION}/elsewhere")).status == 404


async def test_each_event_has_the_address_that_its_specification_gives_it(deployment: Deployment) -> None:
    """CAEP 1.0 §3.1 to §3.3, RISC 1.0 §2.2, §2.3; a receiver compares them letter by letter."""
    base = "https://schemas.openid.net/secevent"
    assert set((await make(deployment))["events_supported"]) == {
        *(f"{base}/caep/event-type/{name}" for name in ("session-revoked", "token-claims-change", "credential-change")),
        *(f"{base}/risc/event-type/{name}" for name in ("account-disabled", "account-enabled")),
    }


async def test_the_end_of_a_login_reaches_a_receiver_that_polls_once_it_is_acknowledged_no_more(
    deployment: Deployment,
) -> None:
    stream = await make(deployment)
    assert stream["delivery"]["method"] == POLL
    assert stream["events_delivered"] == list(SUPPORTED)
    tokens = await deployment.tokens()
    await deployment.revoke(tokens["refresh_token"])
    assert await settle(deployment) == 1
    assert await settle(deployment) == 0
    path = stream["delivery"]["endpoint_url"].removeprefix(deployment.service.settings.issuer)
    first = (await call(deployment, "POST", path, {"returnImmediately": True})).json
    again = (await call(deployment, "POST", path, {"returnImmediately": True, "ack": ["unknown"]})).json
    assert list(first["sets"]) == list(again["sets"])
    (identity,) = first["sets"]
    read = await verified(deployment, first["sets"][identity], deployment.application.client_id)
    assert read["sub_id"] == {
        "format": "complex",
        "user": {"format": "iss_sub", "iss": deployment.service.settings.issuer, "sub": "ada"},
        "session": {"format": "opaque", "id": claims(tokens["access_token"])["sid"]},
    }
    event = {"event_timestamp": deployment.now // 1000, "reason_admin": {"en": "revoked"}}
    assert read["events"] == {SESSION_REVOKED: event}
    last = await call(deployment, "POST", path, {"returnImmediately": True, "ack": [identity]})
    assert last.json == {"sets": {}, "moreAvailable": False}


async def test_a_poll_waits_for_a_token(deployment: Deployment) -> None:
    stream = await make(deployment)
    tokens = await deployment.tokens()
    waiting = asyncio.ensure_future(call(deployment, "POST", f"{paths.SIGNAL_POLL}/{stream['stream_id']}", {}))
    await until(lambda: deployment.service.feed._waiting.total() > 0, LIMIT_SECONDS)
    await deployment.revoke(tokens["refresh_token"])
    await settle(deployment)
    assert len((await asyncio.wait_for(waiting, LIMIT_SECONDS)).json["sets"]) == 1


async def test_a_change_of_an_account_is_said_in_the_words_of_the_standards(deployment: Deployment) -> None:
    await deployment.change_application(password_alone=True)  # its login goes on when the person has a passkey
    stream = await make(deployment)
    await deployment.change_account(email="ada@new.example", first_name="Augusta")
    found = await polled(deployment, stream)
    assert said(found) == [TOKEN_CLAIMS_CHANGE]
    # The login granted `email` and not `profile`.
    assert of(found, TOKEN_CLAIMS_CHANGE)["claims"] == {"email": "ada@new.example", "Email": "ada@new.example"}
    await deployment.set_status("suspended")
    await deployment.set_status("locked")
    await deployment.set_status("active")
    deployment.now += 5_000  # a login of the same second would be older than the change
    found = await polled(deployment, stream)
    assert said(found) == sorted([ACCOUNT_DISABLED, ACCOUNT_ENABLED, *[SESSION_REVOKED] * 3])
    assert {json.dumps(each["sub_id"]) for each in found} == {
        json.dumps({"format": "iss_sub", "iss": deployment.service.settings.issuer, "sub": "ada"})
    }
    kept = await deployment.store.account("ada")
    assert kept is not None
    await deployment.store.change_factors(kept, [], [Factor(b"p" * 16, "ada", "passkey", "Key", deployment.now)])
    await deployment.store.save_account(
        accounts.with_password(kept, kept.password_hash, deployment.now), deployment.now
    )
    deployment.now += 5_000
    found = await polled(deployment, stream)
    assert said(found) == [CREDENTIAL_CHANGE] * 2 + [SESSION_REVOKED]
    assert changed_credentials(found) == [("fido2-roaming", "create"), ("password", "update")]
    await deployment.store.remove_factors("ada", [b"p" * 16])
    assert changed_credentials(await polled(deployment, stream)) == [("fido2-roaming", "revoke")]


def changed_credentials(found: Sequence[Any]) -> list[tuple[str, str]]:
    """Return the type of each credential that changed and how (CAEP §3.3)."""
    members = [each["events"][CREDENTIAL_CHANGE] for each in found if CREDENTIAL_CHANGE in each["events"]]
    return sorted((each["credential_type"], each["change_type"]) for each in members)


async def test_an_application_gets_the_signals_of_its_own_accounts_alone(deployment: Deployment) -> None:
    other = await deployment.another_application()
    third = await deployment.another_application()
    mine, theirs = await make(deployment), await make(other)
    tokens = await third.tokens()
    await third.revoke(tokens["refresh_token"])
    assert await polled(deployment, mine) == []
    await deployment.change_account("ada", email="a@b.example")
    assert said(await polled(other, theirs)) == [TOKEN_CLAIMS_CHANGE]  # its login has asked for the stream
    assert said(await polled(deployment, mine)) == [TOKEN_CLAIMS_CHANGE]
    for target, body in (
        (f"{paths.SIGNAL_STREAMS}?stream_id={theirs['stream_id']}", None),
        (f"{paths.SIGNAL_STATUS}?stream_id={theirs['stream_id']}", None),
    ):
        assert (await call(deployment, "GET", target, body)).status == 404
    for path, body in (
        (paths.SIGNAL_STATUS, {"stream_id": theirs["stream_id"], "status": "disabled"}),
        (paths.SIGNAL_VERIFICATION, {"stream_id": theirs["stream_id"]}),
        (
            paths.SIGNAL_SUBJECTS_REMOVE,
            {"stream_id": theirs["stream_id"], "subject": {"format": "opaque", "id": "ada"}},
        ),
        (f"{paths.SIGNAL_POLL}/{theirs['stream_id']}", {}),
    ):
        assert (await call(deployment, "POST", path, body)).status == 404
    assert (await call(deployment, "DELETE", f"{paths.SIGNAL_STREAMS}?stream_id={theirs['stream_id']}")).status == 404
    listed = (await call(deployment, "GET", paths.SIGNAL_STREAMS)).json
    assert [each["stream_id"] for each in listed] == [mine["stream_id"]]


async def test_a_consent_is_a_relation_and_a_removed_subject_is_not_spoken_of(deployment: Deployment) -> None:
    owner, now = deployment.application.client_id, deployment.now
    await deployment.store.save_account(accounts.register("bob", "user", "x", now), now)
    stream = await make(deployment)
    await deployment.set_status("suspended", "bob")
    assert await polled(deployment, stream) == []
    await deployment.store.save_consent(Consent("bob", owner, "openid", b"t" * 16, now))
    await deployment.set_status("active", "bob")
    assert said(await polled(deployment, stream)) == sorted([ACCOUNT_ENABLED, SESSION_REVOKED])
    issuer = deployment.service.settings.issuer
    body = {"stream_id": stream["stream_id"], "subject": {"format": "iss_sub", "iss": issuer, "sub": "Bob"}}
    assert (await call(deployment, "POST", paths.SIGNAL_SUBJECTS_REMOVE, body)).status == 204
    await deployment.set_status("suspended", "bob")
    assert await polled(deployment, stream) == []
    assert (await call(deployment, "POST", paths.SIGNAL_SUBJECTS_ADD, body)).status == 200
    await deployment.set_status("active", "bob")
    assert len(await polled(deployment, stream)) == 2


async def test_a_paused_stream_keeps_what_happens_and_a_disabled_one_loses_it(deployment: Deployment) -> None:
    stream = await make(deployment, events_requested=[TOKEN_CLAIMS_CHANGE, "https://example.com/unknown"])
    assert stream["events_delivered"] == [TOKEN_CLAIMS_CHANGE]
    status = {"stream_id": stream["stream_id"], "status": "paused", "reason": "Maintenance"}
    assert (await call(deployment, "POST", paths.SIGNAL_STATUS, status)).json == status
    await deployment.change_account(email="one@b.example")
    assert await polled(deployment, stream) == []
    await call(deployment, "POST", paths.SIGNAL_STATUS, status | {"status": "enabled"})
    assert said(await polled(deployment, stream)) == [TOKEN_CLAIMS_CHANGE]
    await call(deployment, "POST", paths.SIGNAL_STATUS, status | {"status": "disabled"})
    await deployment.change_account(email="two@b.example")
    assert await polled(deployment, stream) == []
    kept = await deployment.store.signal_stream(stream["stream_id"])
    assert kept is not None
    await streams.change_status(deployment.store, kept, "enabled", "", deployment.now, notify=True)  # the operator
    found = await polled(deployment, stream)
    assert [each["events"] for each in found] == [{STREAM_UPDATED: {"status": "enabled"}}]


async def test_the_end_of_all_logins_of_an_application_names_the_application(deployment: Deployment) -> None:
    """SSF §3.3, RFC 9493 §3.2.3: a complex subject, whose member `application` is a simple one."""
    stream = await make(deployment)
    deployment.now += 1_000
    await deployment.change_application(not_before=deployment.now)
    (ended,) = await polled(deployment, stream)
    name = {"format": "opaque", "id": deployment.application.client_id}
    assert ended["sub_id"] == {"format": "complex", "application": name}
    assert ended["events"] == {SESSION_REVOKED: {"event_timestamp": deployment.now // 1000}}
