"""What an application does with its stream of signals, and what is refused (SSF 1.0 §8.1)."""

from typing import Any

import pytest

from credence import paths
from credence.oauth.signals import streams
from credence.oauth.signals.schema import PUSH
from tests.deployment import Deployment
from tests.oauth.standard import log_in
from tests.oauth.test_shared_signals import SCOPE, call, make, polled, settle


async def test_a_stream_that_is_replaced_without_a_description_has_none(deployment: Deployment) -> None:
    """SSF §8.1.1.4: what the new configuration leaves out is deleted; §8.1.1: a description is a string."""
    stream = await make(deployment, description="Ledger")
    replaced = await call(deployment, "PUT", paths.SIGNAL_STREAMS, {"stream_id": stream["stream_id"]})
    assert (replaced.status, replaced.json["description"]) == (200, "")


async def test_a_public_application_has_no_stream(deployment: Deployment) -> None:
    stream = await make(deployment)
    await deployment.change_account(email="one@b.example")
    token = (await log_in(deployment, scope=SCOPE)).json["access_token"]
    await deployment.change_application(authentication="none", secrets=())
    await deployment.service.authority.follow(deployment.now)
    assert await settle(deployment) == 0
    for method, target, body in (
        ("GET", paths.SIGNAL_STREAMS, None),
        ("POST", paths.SIGNAL_STREAMS, {}),
        ("POST", f"{paths.SIGNAL_POLL}/{stream['stream_id']}", {"returnImmediately": True}),
    ):
        reply = await call(deployment, method, target, body, token)
        assert (reply.status, reply.headers["x-reason"]) == (403, "signals.public")


@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [
        ("POST", paths.SIGNAL_STREAMS, {}, 409),
        ("POST", paths.SIGNAL_STREAMS, {"delivery": {"method": "urn:x"}}, 400),
        ("POST", paths.SIGNAL_STREAMS, {"delivery": {"method": PUSH, "endpoint_url": "https://a.example/"}}, 400),
        ("POST", paths.SIGNAL_STREAMS, [], 400),
        ("PATCH", paths.SIGNAL_STREAMS, {"stream_id": "ID", "aud": "other"}, 400),
        ("PATCH", paths.SIGNAL_STREAMS, {"stream_id": "st_unknown"}, 404),
        ("GET", f"{paths.SIGNAL_STREAMS}?stream_id=st_unknown", None, 404),
        ("POST", paths.SIGNAL_STATUS, {"stream_id": "ID", "status": "asleep"}, 400),
        ("POST", paths.SIGNAL_SUBJECTS_ADD, {"stream_id": "ID", "subject": {"format": "email", "email": "a@b.c"}}, 400),
        ("POST", paths.SIGNAL_STATUS, {"stream_id": "ID", "status": "paused", "reason": "\x1b[2J"}, 400),
        (
            "POST",
            paths.SIGNAL_SUBJECTS_REMOVE,
            {"stream_id": "ID", "subject": {"format": "opaque", "id": "a" * 255}},
            400,
        ),
        ("POST", f"{paths.SIGNAL_POLL}/ID", {"maxEvents": -1}, 400),
    ],
)
async def test_what_cannot_be_is_refused(
    deployment: Deployment, method: str, path: str, body: Any, status: int
) -> None:
    identity = (await make(deployment))["stream_id"]
    if isinstance(body, dict):
        body = {name: identity if value == "ID" else value for name, value in body.items()}
    assert (await call(deployment, method, path.replace("ID", identity), body)).status == status


async def test_a_stream_is_verified_once_in_its_least_interval(deployment: Deployment) -> None:
    stream = await make(deployment)
    seconds, body = stream["min_verification_interval"], {"stream_id": stream["stream_id"]}
    assert (await call(deployment, "POST", paths.SIGNAL_VERIFICATION, body)).status == 204
    deployment.now += 1_000
    early = await call(deployment, "POST", paths.SIGNAL_VERIFICATION, body)
    assert (early.status, early.json["reason"]) == (429, "signals.too_soon")
    assert early.headers["retry-after"] == str(seconds - 1)
    assert len(await polled(deployment, stream)) == 1
    deployment.now += (seconds - 1) * 1_000
    assert (await call(deployment, "POST", paths.SIGNAL_VERIFICATION, body)).status == 204
    assert len(await polled(deployment, stream)) == 1


async def test_a_stream_leaves_out_so_many_accounts_and_no_more(
    deployment: Deployment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streams, "MAX_REMOVED", 1)
    stream, issuer = await make(deployment), deployment.service.settings.issuer
    bodies = [
        {"stream_id": stream["stream_id"], "subject": {"format": "iss_sub", "iss": issuer, "sub": name}}
        for name in ("bob", "eve")
    ]
    for body, status in zip((bodies[0], bodies[0], bodies[1]), (204, 204, 429), strict=True):
        assert (await call(deployment, "POST", paths.SIGNAL_SUBJECTS_REMOVE, body)).status == status
    assert (await call(deployment, "POST", paths.SIGNAL_SUBJECTS_ADD, bodies[0])).status == 200
    assert (await call(deployment, "POST", paths.SIGNAL_SUBJECTS_REMOVE, bodies[1])).status == 204


async def test_a_token_without_the_scope_opens_nothing(deployment: Deployment) -> None:
    token = (await deployment.tokens())["access_token"]
    assert (await call(deployment, "POST", paths.SIGNAL_STREAMS, {}, token)).status == 403


@pytest.mark.parametrize(
    "subject",
    [
        {"format": "email", "email": "ada@example.com"},
        {"format": "iss_sub", "iss": "https://elsewhere.example", "sub": "ada"},
        {"format": "phone_number", "phone_number": "+441632960000"},
    ],
    ids=str,
)
async def test_a_subject_of_another_format_is_refused_with_those_that_are_not(
    deployment: Deployment, subject: dict[str, str]
) -> None:
    """SSF §8.1.3: the answer names the formats, and says nothing of whether there is such an account."""
    stream = await make(deployment)
    for path in (paths.SIGNAL_SUBJECTS_ADD, paths.SIGNAL_SUBJECTS_REMOVE):
        reply = await call(deployment, "POST", path, {"stream_id": stream["stream_id"], "subject": subject})
        assert reply.status == 400
        assert "iss_sub" in reply.json["detail"]
        assert "ada" not in reply.json["detail"]
