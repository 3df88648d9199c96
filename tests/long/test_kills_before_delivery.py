"""A server is killed between a change and its deliveries, over both stores: the next one makes them (threats F1, F12)."""

import asyncio
import os
import signal
from pathlib import Path

import jwt
import psycopg
import pytest
from standardwebhooks.webhooks import Webhook as Verifier

from credence import paths
from credence.oauth.signals.events import SESSION_REVOKED
from credence.oauth.signals.schema import PUSH
from tests.conftest import StartServer
from tests.journeys import test_kill_before_webhook as journey
from tests.monitoring.webhook_site import fields
from tests.nodes import shared
from tests.outgoing.receivers import authority, receiver, server_tls
from tests.ports import free_port
from tests.running import RunningServer
from tests.waiting import until

LIMIT_SECONDS = 300

pytestmark = pytest.mark.long


def calling(folder: Path, port: int) -> dict[str, str]:
    server_tls(folder)
    return {
        "CREDENCE_CALLS_OUT": "on",
        "CREDENCE_OUTGOING_NETWORKS": "127.0.0.0/8,::1/128",
        "CREDENCE_OUTGOING_PORTS": str(port),
        "CREDENCE_OUTGOING_AUTHORITIES": str(authority(folder)),
    }


def kill(server: RunningServer) -> None:
    os.killpg(server.process.pid, signal.SIGKILL)
    server.process.wait()


async def test_an_event_in_postgresql_survives_a_kill(
    start_server: StartServer, tmp_path: Path, postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def observed(_server: RunningServer) -> bool:
        with psycopg.connect(postgres) as connection:
            row = connection.execute("SELECT count(*) FROM observations WHERE state IS NOT NULL").fetchone()
        return row == (1,)

    monkeypatch.setattr(journey, "observed", observed)
    port, data = free_port(), tmp_path / "data"
    settings = {**calling(tmp_path, port), **shared(postgres)}
    server = await asyncio.to_thread(start_server, "--http", data_dir=data, **settings)
    async with receiver(tmp_path, port=port):
        _, secret = await asyncio.to_thread(journey.make_webhook, server, port)
    await asyncio.to_thread(journey.make_event, server, tmp_path)  # nothing listens at the port
    await asyncio.to_thread(kill, server)
    async with receiver(tmp_path, port=port) as found:
        await asyncio.to_thread(start_server, "--http", data_dir=data, **settings)
        await until(lambda: len(found.requests) >= 1, LIMIT_SECONDS)
    body = Verifier(secret).verify(found.requests[0].body, fields(found.requests[0]))
    assert (body["type"], body["data"]["sequence"]) == ("monitoring.name", 1)


@pytest.mark.parametrize("over", ["sqlite", "postgresql"])
async def test_the_end_of_a_login_is_pushed_by_the_server_after_the_kill(
    start_server: StartServer, tmp_path: Path, over: str, request: pytest.FixtureRequest
) -> None:
    port, data = free_port(), tmp_path / "data"
    settings = calling(tmp_path, port)
    if over == "postgresql":
        settings |= shared(request.getfixturevalue("postgres"))
    server = await asyncio.to_thread(start_server, "--http", data_dir=data, **settings)
    login = {"username": server.username, "password": server.password}
    form = {"grant_type": "password", "scope": "ssf.manage", **login}
    credentials = (server.client_id, server.client_secret)
    token = server.client.post("/oauth2/v1/token", data=form, auth=credentials).json()["access_token"]
    delivery = {"method": PUSH, "endpoint_url": f"https://localhost:{port}/signals"}
    header = {"Authorization": f"Bearer {token}"}
    made = server.client.post(paths.SIGNAL_STREAMS, headers=header, json={"delivery": delivery})
    assert made.status_code == 201, made.text
    tokens = server.tokens()
    headers = {**server.client_headers, "token": tokens["refresh_token"]}
    assert server.client.post("/oauth2/v1/revokeToken", headers=headers).status_code == 200
    await asyncio.to_thread(kill, server)  # its signal may or may not have become a delivery
    async with receiver(tmp_path, port=port) as found:
        server = await asyncio.to_thread(start_server, "--http", data_dir=data, **settings)
        await until(lambda: len(found.requests) >= 1, LIMIT_SECONDS)
        published = server.client.get(paths.KEYS).json()["keys"]
    pushed = found.requests[0].body.decode()
    kid = jwt.get_unverified_header(pushed)["kid"]
    key = next(jwt.PyJWK(each) for each in published if each["kid"] == kid)
    claims = jwt.decode(pushed, key, ["RS256"], audience=server.client_id)
    family = jwt.decode(tokens["access_token"], options={"verify_signature": False})["sid"]
    assert list(claims["events"]) == [SESSION_REVOKED]
    assert claims["sub_id"]["session"] == {"format": "opaque", "id": family}
