"""SIGTERM while a request is on its way: what was accepted is finished, and nothing new is (spec §4.1, threats E7, F2)."""

import json
import signal
import socket
from pathlib import Path

from tests.conftest import StartServer
from tests.running import RunningServer
from tests.waiting import wait_until


def test_a_stop_finishes_what_was_accepted_and_takes_nothing_new(start_server: StartServer) -> None:
    server = start_server("--http")
    body = json.dumps({"username": server.username, "password": server.password}).encode()
    head = (
        f"POST /oauth2/v1/token HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        f"client_id: {server.client_id}\r\nclient_secret: {server.client_secret}\r\n"
        f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    ).encode()
    with connection(server) as slow:
        slow.sendall(head + body[:10])
        wait_until(lambda: is_read(server, slow), 10)
        server.process.send_signal(signal.SIGTERM)
        wait_until(lambda: is_refused(server), 20)
        assert server.process.poll() is None
        slow.sendall(body[10:])
        received = b""
        while piece := slow.recv(65_536):
            received += piece
    assert received.startswith(b"HTTP/1.1 200 ")
    assert b'"access_token"' in received
    assert server.process.wait(timeout=60) == 0


def connection(server: RunningServer) -> socket.socket:
    host, port = server.base_url.removeprefix("http://").split(":")
    return socket.create_connection((host, int(port)), timeout=60)


def is_read(server: RunningServer, client: socket.socket) -> bool:
    """Whether the worker has read all that the client sent: nothing of it waits in the kernel on the server's side."""
    ends = f"{server.client.base_url.port:04X}", f"{client.getsockname()[1]:04X}"
    rows = [row.split() for row in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    waiting = {(row[1].split(":")[1], row[2].split(":")[1]): row[4].split(":")[1] for row in rows}
    return waiting.get(ends) == "00000000"


def is_refused(server: RunningServer) -> bool:
    try:
        connection(server).close()
    except ConnectionError:
        return True
    return False
