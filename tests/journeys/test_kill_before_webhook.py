"""An event that was made before a kill reaches its webhook after it, verified by the package (threats F1, F12)."""

import asyncio
import json
import os
import signal
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from standardwebhooks.webhooks import Webhook as Verifier

from credence import paths
from tests.conftest import StartServer
from tests.datasets.snapshots import company, write
from tests.monitoring.webhook_site import fields
from tests.outgoing.receivers import authority, receiver, server_tls
from tests.ports import free_port
from tests.running import RunningServer
from tests.waiting import until, wait_until

LIMIT_SECONDS = 120
NUMBER = "00000001"


class Customer:
    """An application that watches one company, by the API alone."""

    def __init__(self, server: RunningServer) -> None:
        self.server = server
        login = {"username": server.username, "password": server.password, "scope": "credit:monitor"}
        form, credentials = {"grant_type": "password", **login}, (server.client_id, server.client_secret)
        reply = server.client.post("/oauth2/v1/token", data=form, auth=credentials)
        self.headers = {"Authorization": f"Bearer {reply.json()['access_token']}"}

    def post(self, path: str, body: Any) -> Any:
        reply = self.server.client.post(path, headers=self.headers, json=body)
        assert reply.status_code < 300, reply.text
        return reply.json()

    def get(self, path: str) -> Any:
        reply = self.server.client.get(path, headers=self.headers)
        assert reply.status_code == 200, reply.text
        return reply.json()


def load(server: RunningServer, path: Path, **cells: str) -> None:
    done = server.command("data", "load", "register", "--accept-fewer", str(write(path, company(NUMBER, **cells))))
    assert done.returncode == 0, done.stderr


def make_webhook(server: RunningServer, port: int) -> tuple[str, str]:
    """Make a webhook and return its path and its secret once it is verified."""
    customer = Customer(server)
    made = customer.post(paths.WEBHOOKS, {"url": f"https://localhost:{port}/hook", "signature": "hmac-sha256"})
    path = f"{paths.WEBHOOKS}/{made['id']}"
    wait_until(lambda: customer.get(path)["state"] == "active", LIMIT_SECONDS)
    return path, made["secret"]


def make_event(server: RunningServer, folder: Path) -> None:
    """Watch a company and load what changed of it."""
    customer = Customer(server)
    load(server, folder / "BasicCompanyData-2026-10-01.csv", name="BEFORE LIMITED")
    portfolio = customer.post(paths.PORTFOLIOS, {"name": "North", "rules": [{"rule": "name"}]})
    customer.post(f"{paths.PORTFOLIOS}/{portfolio['id']}/companies", [NUMBER])
    wait_until(lambda: observed(server), LIMIT_SECONDS)
    load(server, folder / "BasicCompanyData-2026-11-01.csv", name="AFTER LIMITED")
    wait_until(lambda: NUMBER in {each["resource_id"] for each in events(customer)}, LIMIT_SECONDS)


def events(customer: Customer) -> list[Any]:
    """Return what the application was told: also conditions that held when the sandbox began to watch its companies."""
    told: list[Any] = customer.get(f"{paths.EVENTS}?after=0")["events"]
    return told


def observed(server: RunningServer) -> bool:
    """Return whether the first look at the company is stored, without which a change is no event."""
    with closing(sqlite3.connect(server.data_dir / "credence.sqlite")) as connection:
        looked = "SELECT state IS NOT NULL FROM observations WHERE company = ?"
        return bool(connection.execute(looked, (NUMBER,)).fetchone() == (1,))


class Delivered(NamedTuple):
    """A delivery to the webhook, verified by the package."""

    id: str
    verified: Any


def about_company(requests: Sequence[Any], secret: str) -> list[Delivered]:
    """Return the deliveries about the company, in their order."""
    read = [
        Delivered(fields(each)["webhook-id"], Verifier(secret).verify(each.body, fields(each))) for each in requests
    ]
    return [each for each in read if each.verified["data"].get("company_number") == NUMBER]


async def test_an_event_survives_a_kill_is_delivered_by_the_next_process_and_replayed(
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
    async with receiver(tmp_path, port=port) as first:
        path, secret = await asyncio.to_thread(make_webhook, server, port)
        assert Verifier(secret).verify(first.requests[0].body, fields(first.requests[0]))
    await asyncio.to_thread(make_event, server, tmp_path)  # nothing listens at the port
    os.killpg(server.process.pid, signal.SIGKILL)
    await asyncio.to_thread(server.process.wait)
    async with receiver(tmp_path, port=port) as found:
        server = await asyncio.to_thread(start_server, data_dir=data, **settings)
        delivered = partial(about_company, found.requests, secret)
        await until(lambda: len(delivered()) >= 1, LIMIT_SECONDS)
        body = delivered()[0].verified
        assert (body["type"], body["data"]["company_number"]) == ("monitoring.name", NUMBER)
        customer, number = await asyncio.to_thread(Customer, server), body["data"]["sequence"]
        address = f"{body['data']['event'].partition('/monitoring')[1]}/v1/events/{number}"
        event = await asyncio.to_thread(customer.get, address)
        assert (event["data"]["before"], event["data"]["after"]) == ("BEFORE LIMITED", "AFTER LIMITED")
        replayed = await asyncio.to_thread(
            server.command, "webhook", "replay", path.rpartition("/")[2], "--event", str(number), "--json"
        )
        assert json.loads(replayed.stdout) == {"deliveries": 1, "next": 0}, replayed.stderr
        await until(lambda: len(delivered()) >= 2, LIMIT_SECONDS)
    assert delivered()[0].id == delivered()[1].id
    attempts = await asyncio.to_thread(server.command, "webhook", "attempts", path.rpartition("/")[2], "--json")
    assert [each["outcome"] for each in json.loads(attempts.stdout)][:2] == ["204", "204"]
