"""A notice that was written before a kill is delivered after it (threats F1, monitoring.md 7.3)."""

import asyncio
import json
import os
import signal
import ssl
from pathlib import Path
from urllib.parse import parse_qs, urlencode, urlsplit

import httpx

from tests.conftest import StartServer
from tests.outgoing.receivers import authority, receiver, server_tls
from tests.ports import free_port
from tests.running import RunningServer
from tests.sign_in.browsing import CALLBACK, CHALLENGE, VERIFIER, form_of_text
from tests.waiting import until

LIMIT_SECONDS = 120


def sign_in_and_out(server: RunningServer, client_id: str, secret: str) -> None:
    """Sign a person in at the application, and out again."""
    asked = {
        "response_type": "code",
        "client_id": client_id,
        "redirect_uri": CALLBACK,
        "scope": "openid",
        "code_challenge": CHALLENGE,
        "code_challenge_method": "S256",
    }
    login = {"username": server.username, "password": server.password}
    with httpx.Client(
        base_url=server.base_url, verify=ssl.create_default_context(cafile=server.ca_file), trust_env=False
    ) as browser:
        page = browser.get(f"/oauth2/v1/authorize?{urlencode(asked)}")
        for typed in (login, {"decision": "allow"}):
            action, hidden = form_of_text(page.text)
            page = browser.post(action, data={**hidden, **typed})
        (code,) = parse_qs(urlsplit(page.headers["refresh"].removeprefix("0; url=")).query)["code"]
        redeemed = browser.post(
            "/oauth2/v1/token",
            data={
                "grant_type": "authorization_code",
                "code": code,
                "redirect_uri": CALLBACK,
                "code_verifier": VERIFIER,
            },
            auth=(client_id, secret),
        )
        assert redeemed.status_code == 200, redeemed.text
        action, hidden = form_of_text(browser.get("/oauth2/v1/sign-out").text)
        assert browser.post(action, data=hidden).status_code == 200


async def test_a_notice_survives_a_kill_and_is_delivered_by_the_next_process(
    start_server: StartServer, tmp_path: Path
) -> None:
    server_tls(tmp_path)
    port, data = free_port(), tmp_path / "data"
    settings = {
        "CREDENCE_CALLS_OUT": "on",
        "CREDENCE_OUTGOING_NETWORKS": "127.0.0.0/8,::1/128",
        "CREDENCE_OUTGOING_PORTS": str(port),
        "CREDENCE_OUTGOING_AUTHORITIES": str(authority(tmp_path)),
    }
    server = await asyncio.to_thread(start_server, data_dir=data, **settings)
    made = await asyncio.to_thread(
        server.command,
        *("app", "create", "app", "--grant", "authorization_code", "--redirect-uri", CALLBACK),
        *("--backchannel-logout-uri", f"https://localhost:{port}/signed-out", "--json"),
    )
    credentials = json.loads(made.stdout)
    client_id, secret = credentials["client_id"], credentials["client_secret"]
    await asyncio.to_thread(sign_in_and_out, server, client_id, secret)  # nothing listens at the port
    os.killpg(server.process.pid, signal.SIGKILL)
    await asyncio.to_thread(server.process.wait)
    async with receiver(tmp_path, b"HTTP/1.1 204 No Content\r\n\r\n", port=port) as found:
        await asyncio.to_thread(start_server, data_dir=data, **settings)
        await until(lambda: len(found.requests) >= 1, LIMIT_SECONDS)
    assert b"logout_token=" in found.requests[0].body
