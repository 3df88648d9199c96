"""A notice that was written before a kill is delivered after it (threats F1, F4, monitoring.md 7.3)."""

import asyncio
import json
import os
import signal
import ssl
from collections import Counter
from contextlib import AsyncExitStack
from pathlib import Path
from urllib.parse import parse_qs, urlencode, urlsplit

import httpx
import pytest

from credence.app import open_store
from credence.outbox.engine import PER_RECEIVER
from credence.settings import Settings
from tests.conftest import StartServer
from tests.long.failover import UNTHROTTLED
from tests.nodes import shared
from tests.outgoing.receivers import Request, authority, receiver, server_tls
from tests.ports import free_port
from tests.replication import replicated
from tests.running import RunningServer, start
from tests.sign_in.browsing import CALLBACK, CHALLENGE, VERIFIER, form_of_text
from tests.sign_in.notices import part
from tests.waiting import LOOK_EVERY_SECONDS, until

LIMIT_SECONDS = 120

NOTICES = 12


def sign_in_and_out(server: RunningServer, client_id: str, secret: str) -> str:
    """Sign a person in at the application, and out again; return the `sid` of the session."""
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
            if "refresh" not in page.headers:  # consent is asked for once
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
        return session_of(redeemed.json()["id_token"])


def session_of(token: str) -> str:
    sid: str = part(token, 1)["sid"]
    return sid


def calls_to(port: int, folder: Path) -> dict[str, str]:
    """Settings that allow calls to this port of the machine."""
    return {
        "CREDENCE_CALLS_OUT": "on",
        "CREDENCE_OUTGOING_NETWORKS": "127.0.0.0/8,::1/128",
        "CREDENCE_OUTGOING_PORTS": str(port),
        "CREDENCE_OUTGOING_AUTHORITIES": str(authority(folder)),
    }


def application(server: RunningServer, port: int) -> tuple[str, str]:
    """Make an application that gets its notices at this port; return its credentials."""
    made = server.command(
        *("app", "create", "app", "--grant", "authorization_code", "--redirect-uri", CALLBACK),
        *("--backchannel-logout-uri", f"https://localhost:{port}/signed-out", "--json"),
    )
    credentials = json.loads(made.stdout)
    return credentials["client_id"], credentials["client_secret"]


async def test_a_notice_survives_a_kill_and_is_delivered_by_the_next_process(
    start_server: StartServer, tmp_path: Path
) -> None:
    server_tls(tmp_path)
    port, data = free_port(), tmp_path / "data"
    settings = calls_to(port, tmp_path)
    server = await asyncio.to_thread(start_server, data_dir=data, **settings)
    client_id, secret = await asyncio.to_thread(application, server, port)
    await asyncio.to_thread(sign_in_and_out, server, client_id, secret)  # nothing listens at the port
    os.killpg(server.process.pid, signal.SIGKILL)
    await asyncio.to_thread(server.process.wait)
    async with receiver(tmp_path, b"HTTP/1.1 204 No Content\r\n\r\n", port=port) as found:
        await asyncio.to_thread(start_server, data_dir=data, **settings)
        await until(lambda: len(found.requests) >= 1, LIMIT_SECONDS)
    assert b"logout_token=" in found.requests[0].body


@pytest.mark.long
async def test_no_notice_is_lost_when_the_node_that_delivers_and_the_database_die(tmp_path: Path) -> None:
    """Two nodes over a PostgreSQL with a standby; the one that has notices on their way is killed, and the primary too."""
    server_tls(tmp_path)
    port, answers = free_port(), asyncio.Event()
    delivered: Counter[str] = Counter()

    async def answering(request: Request, writer: asyncio.StreamWriter) -> None:
        await answers.wait()
        writer.write(b"HTTP/1.1 204 No Content\r\n\r\n")
        await writer.drain()
        delivered[session_of(parse_qs(request.body.decode())["logout_token"][0])] += 1

    async with AsyncExitStack() as stack:
        pair = stack.enter_context(replicated())
        variables = {
            **shared(pair.url),
            **calls_to(port, tmp_path),
            **UNTHROTTLED,
            "CREDENCE_BASE_URL": "https://localhost:8443",
        }
        nodes = []
        for number in range(2):
            output = tmp_path / f"node-{number}.txt"
            nodes.append(await asyncio.to_thread(start, tmp_path / "data", output, **variables))
            stack.callback(nodes[-1].stop)
        credentials = await asyncio.to_thread(application, nodes[0], port)
        found = await stack.enter_async_context(receiver(tmp_path, answering, port=port))
        ended = [await asyncio.to_thread(sign_in_and_out, nodes[number % 2], *credentials) for number in range(NOTICES)]
        await until(lambda: len(found.requests) > PER_RECEIVER, LIMIT_SECONDS)  # so both nodes have some on their way
        assert not delivered
        os.killpg(nodes[0].process.pid, signal.SIGKILL)
        await asyncio.to_thread(pair.fail_over)
        answers.set()
        await until(lambda: delivered.keys() >= set(ended), LIMIT_SECONDS)
        assert delivered.keys() == set(ended)
        store = await open_store(Settings(data_dir=tmp_path / "look", store=pair.url))
        stack.push_async_callback(store.close)
        async with asyncio.timeout(LIMIT_SECONDS):
            while (await store.backlog()).waiting:  # noqa: ASYNC110 - looks from outside
                await asyncio.sleep(LOOK_EVERY_SECONDS)
        assert (await store.backlog()).given_up == 0
