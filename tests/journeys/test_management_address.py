"""The management API of a running server: at its own address, felt at the public one, gone with the server (threats E1)."""

import contextlib
import json
import os
import signal
from pathlib import Path

import httpx

from tests.conftest import StartServer
from tests.ports import free_port
from tests.running import RunningServer, run_command
from tests.waiting import wait_until

PATIENCE = 60.0

SCOPES = ("manage:read", "manage:applications")


def operator_token(server: RunningServer) -> str:
    """A token from the public address, for an application that the command line has made."""
    scopes = [part for scope in SCOPES for part in ("--scope", scope)]
    made = run_command(
        "app", "create", "Operator", "--grant", "client_credentials", *scopes, "--json", **server.variables
    )
    application = json.loads(made.stdout)
    form = {"grant_type": "client_credentials", "scope": " ".join(SCOPES), "resource": f"{server.base_url}/manage/v1"}
    credentials = (application["client_id"], application["client_secret"])
    reply = server.client.post("/oauth2/v1/token", auth=credentials, data=form)
    assert reply.status_code == 200, reply.text
    token: str = reply.json()["access_token"]
    return token


def answers(address: str) -> bool:
    try:
        return httpx.get(f"{address}/livez").status_code == 200
    except httpx.TransportError:
        return False


def test_an_act_at_the_one_address_is_felt_at_the_other(start_server: StartServer) -> None:
    port = free_port()
    server = start_server("--http", CREDENCE_MANAGE_PORT=str(port))
    address = f"http://127.0.0.1:{port}"
    wait_until(lambda: answers(address), PATIENCE)
    token = server.tokens()["access_token"]
    assert server.report(token).status_code == 200
    headers = {"Authorization": f"Bearer {operator_token(server)}"}
    path = f"/manage/v1/applications/{server.client_id}"
    with httpx.Client(base_url=address, headers=headers, timeout=PATIENCE) as operator:
        tag = operator.get(path).headers["etag"]
        changed = operator.patch(path, json={"disabled": True}, headers={"If-Match": tag})
        assert (changed.status_code, changed.json()["disabled"]) == (200, True)
        assert server.report(token).status_code == 401
        shown = run_command("app", "show", server.client_id, "--json", **server.variables)
        assert json.loads(shown.stdout)["disabled"] is True
        assert operator.post("/oauth2/v1/token").status_code == 404
    assert server.client.get(path, headers=headers).status_code == 404
    server.stop()
    wait_until(lambda: not answers(address), PATIENCE)


def children(process: int) -> list[int]:
    tasks = Path(f"/proc/{process}/task").iterdir()
    return [int(each) for task in tasks for each in (task / "children").read_text().split()]


def managing(server: RunningServer) -> list[int]:
    """The process of the management API: the only child with a child of its own."""
    with contextlib.suppress(FileNotFoundError, ProcessLookupError):
        return [child for child in children(server.process.pid) if children(child)]
    return []


def test_the_management_api_is_started_again_when_its_process_ends(start_server: StartServer) -> None:
    port = free_port()
    server = start_server("--http", CREDENCE_MANAGE_PORT=str(port))
    address = f"http://127.0.0.1:{port}"
    wait_until(lambda: answers(address) and bool(managing(server)), PATIENCE)
    (first,) = managing(server)
    os.kill(first, signal.SIGKILL)
    wait_until(lambda: managing(server) not in ([], [first]) and answers(address), PATIENCE)
    assert server.client.get("/livez").status_code == 200
    assert b"management_ended" in server.output.read_bytes()
    assert server.stop() == 0
    wait_until(lambda: not answers(address), PATIENCE)
