"""Shared Signals Framework 1.0 Final, plans Transmitter and Transmitter of the CAEP interoperability profile, by module.

The conditions are those of the suite, those that it only warns of or records included.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from credence.identity import accounts
from tests.conformance.signals import CAEP, OF_RECEIVER, VERIFICATION, Signals, pushed_to, signals
from tests.deployment import Deployment, OpenDeployment

BROKEN = b";{ broken"
"""`OIDSSFInsertBrokenStreamConfigJsonOverride`."""
CREDENTIAL_TYPES = {
    *("password", "pin", "x509", "fido2-platform", "fido2-roaming", "fido-u2f", "verifiable-credential"),
    *("phone-voice", "phone-sms", "app"),
}
"""CAEP 1.0 §3.3."""


@pytest.fixture
async def it(deployment: Deployment) -> Signals:
    return await signals(deployment)


@pytest.mark.settings(calls_out=True)
async def test_openid_ssf_transmitter_metadata(deployment: Deployment) -> None:
    """OIDSSF §7.1, with what CAEPIOP §2.3 requires beyond it."""
    reply = await deployment.send("GET", "/.well-known/ssf-configuration")
    assert (reply.status, reply.headers["content-type"]) == (200, "application/json")
    found = reply.json
    assert found["issuer"] == "https://localhost:8443"
    assert found["spec_version"] == "1_0"
    needed = {"jwks_uri", "configuration_endpoint", "status_endpoint", "verification_endpoint"}
    assert needed | {"add_subject_endpoint", "remove_subject_endpoint"} <= found.keys()
    assert all(value.startswith("https://") for name, value in found.items() if name.endswith(("_endpoint", "_uri")))
    assert found["default_subjects"] in {"ALL", "NONE"}
    assert set(found["delivery_methods_supported"]) == {"urn:ietf:rfc:8935", "urn:ietf:rfc:8936"}
    assert {each["spec_urn"] for each in found["authorization_schemes"]} == {"urn:ietf:rfc:6749"}
    assert all(value for value in found.values() if isinstance(value, list))
    keys = (await deployment.send("GET", found["jwks_uri"].removeprefix(found["issuer"]))).json["keys"]
    assert keys
    assert not any({"d", "p", "q", "k"} & key.keys() for key in keys)
    assert len({key["kid"] for key in keys}) == len(keys)


async def test_openid_ssf_stream_control_happy_path(it: Signals) -> None:
    stream = await it.make()
    named = f"?stream_id={stream['stream_id']}"
    read = await it.call("GET", "configuration_endpoint", query=named)
    assert (read.status, read.json) == (200, stream)
    assert [(await it.call("GET", "configuration_endpoint")).json] == [[stream]]
    changed = {"stream_id": stream["stream_id"], "delivery": it.delivery, "description": "Updated"}
    for method in ("PATCH", "PUT"):
        reply = await it.call(method, "configuration_endpoint", changed)
        assert reply.status == 200
        it.check(reply.json)
        assert reply.json["description"] == "Updated"
    assert (await it.call("GET", "status_endpoint", query=named)).json["status"] == "enabled"
    for status in ("enabled", "paused", "disabled"):
        wanted = {"stream_id": stream["stream_id"], "status": status, "reason": f"Updated to {status}"}
        reply = await it.call("POST", "status_endpoint", wanted, query=named)
        assert (reply.status, reply.json) == (200, wanted)
    assert (await it.call("DELETE", "configuration_endpoint", query=named)).status == 204
    assert (await it.call("GET", "configuration_endpoint")).json == []


async def test_openid_ssf_stream_control_error_create_stream_with_broken_input(it: Signals) -> None:
    assert (await it.call("POST", "configuration_endpoint", BROKEN)).status == 400
    assert (await it.call("GET", "configuration_endpoint")).json == []


async def test_openid_ssf_stream_control_error_create_stream_with_invalid_token(it: Signals) -> None:
    assert (await it.call("POST", "configuration_endpoint", {}, token="invalid")).status == 401
    assert (await it.call("GET", "configuration_endpoint")).json == []


async def test_openid_ssf_stream_control_error_create_stream_with_duplicate_config(it: Signals) -> None:
    await it.make()
    assert (await it.call("POST", "configuration_endpoint", {"delivery": it.delivery})).status == 409


@pytest.mark.parametrize("method", ["GET", "DELETE"])
async def test_openid_ssf_stream_control_error_read_or_delete_stream_with_invalid_token(
    it: Signals, method: str
) -> None:
    stream = (await it.make())["stream_id"]
    query = f"?stream_id={stream}"
    assert (await it.call(method, "configuration_endpoint", query=query, token="invalid")).status == 401
    assert (await it.call("GET", "configuration_endpoint", query=query)).status == 200


@pytest.mark.parametrize("method", ["GET", "DELETE"])
async def test_openid_ssf_stream_control_error_read_or_delete_unknown_stream(it: Signals, method: str) -> None:
    query = f"?stream_id={await it.unknown()}"
    assert (await it.call(method, "configuration_endpoint", query=query)).status == 404


@pytest.mark.parametrize("method", ["PATCH", "PUT"])
async def test_openid_ssf_stream_control_error_change_stream_with_invalid_token(it: Signals, method: str) -> None:
    stream = await it.make()
    changed = {"stream_id": stream["stream_id"], "delivery": it.delivery, "description": "Updated"}
    assert (await it.call(method, "configuration_endpoint", changed, token="invalid")).status == 401
    assert (await it.call("GET", "configuration_endpoint")).json == [stream]


@pytest.mark.parametrize("method", ["PATCH", "PUT"])
async def test_openid_ssf_stream_control_error_change_stream_with_invalid_body(it: Signals, method: str) -> None:
    stream = await it.make()
    assert (await it.call(method, "configuration_endpoint", BROKEN)).status == 400
    assert (await it.call("GET", "configuration_endpoint")).json == [stream]


@pytest.mark.parametrize("method", ["PATCH", "PUT"])
async def test_openid_ssf_stream_control_error_change_unknown_stream(it: Signals, method: str) -> None:
    changed = {"stream_id": await it.unknown(), "delivery": it.delivery}
    assert (await it.call(method, "configuration_endpoint", changed)).status == 404


async def test_openid_ssf_stream_subject_control(it: Signals) -> None:
    """The module sends the format `email`, which is refused here: `tests/oauth/test_signal_streams.py` holds why."""
    stream = await it.make()
    subject = {"format": "iss_sub", "iss": it.metadata["issuer"], "sub": "ada"}
    body = {"stream_id": stream["stream_id"], "subject": subject, "verified": True}
    assert (await it.call("POST", "add_subject_endpoint", body)).status == 200
    removed = await it.call("POST", "remove_subject_endpoint", body)
    assert (removed.status, removed.body) == (204, b"")


async def verified(it: Signals, stream: dict[str, Any], tokens: Iterable[str], state: str) -> None:
    """Check that the one token is the verification of this state (OIDSSF §8.1.4.1)."""
    (token,) = tokens
    event, members, claims = await it.read(token, stream)
    assert (event, members) == (VERIFICATION, {"state": state})
    assert claims["sub_id"] == {"format": "opaque", "id": stream["stream_id"]}


async def test_openid_ssf_transmitter_stream_verification_poll_only(it: Signals) -> None:
    stream = await it.make()
    await it.verify(stream, "one")
    await verified(it, stream, (await it.poll(stream)).values(), "one")


async def test_openid_ssf_transmitter_stream_verification_poll_and_ack(it: Signals) -> None:
    stream = await it.make()
    await it.verify(stream, "one")
    first = await it.poll(stream)
    await it.verify(stream, "two")
    await verified(it, stream, (await it.poll(stream, *first)).values(), "two")


async def test_openid_ssf_transmitter_stream_verification_ack_only(it: Signals) -> None:
    stream = await it.make()
    await it.verify(stream, "one")
    first = await it.poll(stream)
    await verified(it, stream, first.values(), "one")
    assert await it.poll(stream, *first, most=0) == {}
    assert await it.poll(stream) == {}


async def test_openid_ssf_transmitter_stream_verification_push(tmp_path: Path, open_deployment: OpenDeployment) -> None:
    async with pushed_to(tmp_path, open_deployment) as it:
        stream = await it.make()
        await it.verify(stream, "one")
        await verified(it, stream, await it.pushes(1), "one")
        assert it.pushed is not None
        assert f"authorization: {OF_RECEIVER}\r\n".lower() in it.pushed.requests[0].head.lower()


async def test_openid_ssf_transmitter_stream_verification_error_push_no_auth(
    tmp_path: Path, open_deployment: OpenDeployment
) -> None:
    async with pushed_to(tmp_path, open_deployment, header="") as it:
        stream = await it.make()
        await it.verify(stream, "one")
        await verified(it, stream, await it.pushes(1), "one")
        assert it.pushed is not None
        assert "authorization:" not in it.pushed.requests[0].head.lower()


async def happen(it: Signals) -> None:
    """One of two logins ends, and the password changes."""
    tokens, _ = await it.deployment.tokens(), await it.deployment.tokens()
    await it.deployment.revoke(tokens["refresh_token"])
    kept = await it.deployment.store.account("ada")
    assert kept is not None
    now = it.deployment.now
    await it.deployment.store.save_account(accounts.with_password(kept, kept.password_hash, now), now)


async def interoperates(it: Signals, stream: dict[str, Any], tokens: Iterable[str]) -> None:
    """Each event has the members that CAEP 1.0 §2 and §3 allow; all that the stream delivers have come."""
    came = set()
    for token in tokens:
        event, members, claims = await it.read(token, stream)
        came.add(event)
        if event == VERIFICATION:
            continue
        assert claims["sub_id"]["format"] in {"iss_sub", "complex"}
        assert isinstance(members.get("event_timestamp", 0), int)
        assert members.get("initiating_entity", "user") in {"admin", "user", "policy", "system"}
        for reason in ("reason_admin", "reason_user"):
            assert all(isinstance(text, str) and text for text in members.get(reason, {"en": "x"}).values())
        if event == f"{CAEP}/credential-change":
            assert members["credential_type"] in CREDENTIAL_TYPES
            assert members["change_type"] in {"create", "revoke", "update", "delete"}
    assert came == {VERIFICATION, *stream["events_delivered"]}


async def test_openid_ssf_transmitter_stream_caep_interop(it: Signals) -> None:
    """By poll."""
    stream = await it.make()
    await it.verify(stream, "one")
    first = await it.poll(stream)
    await verified(it, stream, first.values(), "one")
    await happen(it)
    later = await it.poll(stream, *first)
    await interoperates(it, stream, [*first.values(), *later.values()])
    assert await it.poll(stream, *later) == {}


async def test_openid_ssf_transmitter_stream_caep_interop_by_push(
    tmp_path: Path, open_deployment: OpenDeployment
) -> None:
    async with pushed_to(tmp_path, open_deployment) as it:
        stream = await it.make()
        await it.verify(stream, "one")
        await it.pushes(1)
        await happen(it)
        await interoperates(it, stream, await it.pushes(4))
