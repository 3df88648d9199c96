"""Secrets put into every input turn up in no answer, no log line and no file of the data folder (threats A11, T13, I9)."""

import base64
import json
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.conftest import StartServer
from tests.running import RunningServer

CANARY = "canary-7f3a91c2d4e8"
TOKEN = "/oauth2/v1/token"
REVOKE = "/oauth2/v1/revokeToken"
REPORT = "/risk/business/v1/registeredcompanycredit/00000001"


def contents(folder: Path) -> dict[str, bytes]:
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def everywhere(server: RunningServer) -> Iterator[httpx.Response]:
    """The canary as every input of every endpoint of an application, in every place where one may stand."""
    good = {"username": server.username, "password": server.password, **server.client_headers}
    basic = (server.client_id, server.client_secret)
    inputs = ("client_id", "client_secret", "grant_type", "username", "password", "refresh_token", "token", "other")
    for path in (TOKEN, REVOKE):
        for name in inputs:
            fields = {**good, name: CANARY}
            xml = "".join(f"<{key}>{value}</{key}>" for key, value in fields.items())
            yield server.client.post(path, headers={name: CANARY}, json=good)
            yield server.client.post(path, headers={name.replace("_", "-"): CANARY}, json=good)
            yield server.client.post(path, json=fields)
            yield server.client.post(path, json={**good, CANARY: "x", "other": {"a": [CANARY]}})
            yield server.client.post(path, headers={"Content-Type": "application/xml"}, content=f"<r>{xml}</r>")
            yield server.client.post(path, auth=basic, data={"grant_type": "password", **fields})
            yield server.client.post(path, params={name: CANARY}, json={})
        for name in (
            "Content-Type",
            "Accept",
            "User-Agent",
            "Cookie",
            "Referer",
            "X-Forwarded-For",
            "Forwarded",
            "Via",
        ):
            yield server.client.post(path, headers={name: CANARY}, content=b"{}")


@pytest.mark.parametrize("password_cache_seconds", ["300", "0"])
def test_no_canary_and_no_real_secret_comes_out(start_server: StartServer, password_cache_seconds: str) -> None:
    server = start_server(CREDENCE_PASSWORD_CACHE_SECONDS=password_cache_seconds)
    client, tokens = server.client, server.tokens()
    pair = base64.b64encode(f"{CANARY}:{CANARY}".encode()).decode()
    xml = f"<r><username>{CANARY}</username><password>{CANARY}</password></r>"
    everything = {"client_id": CANARY, "client_secret": CANARY, "username": CANARY, "password": CANARY}
    answers = [
        client.post(TOKEN, headers=server.client_headers, json={"username": CANARY, "password": CANARY}),
        client.post(TOKEN, headers=server.client_headers, json={"username": server.username, "password": CANARY}),
        client.post(TOKEN, json=everything),
        client.post(TOKEN, json=everything | {"grant_type": CANARY}),
        client.post(TOKEN, headers={"client_id": CANARY, "client_secret": CANARY, "refresh_token": CANARY}),
        client.post(TOKEN, headers={**server.client_headers, "refresh_token": CANARY}),
        client.post(TOKEN, headers={"Authorization": f"Basic {pair}"}, json={"username": "a", "password": CANARY}),
        client.post(TOKEN, headers={"Authorization": f"Basic {pair}"}, data={"grant_type": "password", **everything}),
        client.post(TOKEN, headers={**server.client_headers, "Content-Type": "application/xml"}, content=xml),
        client.post(TOKEN, headers={**server.client_headers, "Content-Type": "application/json"}, content="{" + CANARY),
        client.post(f"{TOKEN}?password={CANARY}", json=everything),
        client.post(REVOKE, headers={**server.client_headers, "token": CANARY}),
        client.get(REPORT, headers={"Authorization": f"Bearer {CANARY}"}),
        client.get(f"{REPORT}?access_token={CANARY}", headers={"Authorization": f"Bearer {tokens['access_token']}"}),
        client.get(f"/{CANARY}"),
        client.get("/livez", headers={"X-Custom": CANARY, "Cookie": CANARY}),
        client.request(CANARY.upper(), TOKEN),
    ]
    answers += everywhere(server)
    refreshed = client.post(TOKEN, headers={**server.client_headers, "refresh_token": tokens["refresh_token"]}).json()
    client.post(REVOKE, headers={**server.client_headers, "token": refreshed["refresh_token"]})
    while_it_runs = contents(server.data_dir)  # the write-ahead log too, which a stop empties
    assert server.stop() == 0

    for answer in answers:
        said = answer.text + json.dumps(dict(answer.headers))
        assert CANARY.lower() not in said.lower()

    log = server.output.read_text()
    lines_of_events = "\n".join(line for line in log.splitlines() if "request_id" in line or "audit" in line)
    assert lines_of_events, "the refusals above must be in the log"
    assert CANARY.lower() not in log.lower()
    secrets = [server.client_secret, server.password, *tokens.values(), *refreshed.values()]
    for secret in secrets:
        if len(secret) > 20:
            assert secret not in lines_of_events

    assert while_it_runs["credence.sqlite-wal"]
    trail = contents(server.data_dir)["audit/refusals.jsonl"].splitlines()
    assert any(b'"refused"' in line for line in trail)
    assert sum(json.loads(line).get("refusals", 1) for line in trail) > 100
    for name, data in [*while_it_runs.items(), *contents(server.data_dir).items()]:
        assert CANARY.encode() not in data, name
        if name != "sandbox.json":
            for secret in secrets:
                if len(secret) > 20:
                    assert secret.encode() not in data, name
        if "key" not in name:
            assert b"PRIVATE KEY" not in data, name
