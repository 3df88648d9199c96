"""SIGTERM while a request is on its way: what was accepted is finished, and nothing new is (spec §4.1, threats E7, F2)."""

import json
import signal
import socket
import time

import pytest

from tests.conftest import StartServer
from tests.running import RunningServer


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
        time.sleep(0.5)  # until the worker has the head; a test that is too early would pass too
        server.process.send_signal(signal.SIGTERM)
        wait_until_refused(server)
        assert server.process.poll() is None
        slow.sendall(body[10:])
        received = b""
        while piece := slow.recv(65_536):
            received += piece
    assert received.startswith(b"HTTP/1.1 200 ")
    assert b'"access_token"' in received
    assert server.process.wait(timeout=20) == 0


def connection(server: RunningServer) -> socket.socket:
    host, port = server.base_url.removeprefix("http://").split(":")
    return socket.create_connection((host, int(port)), timeout=20)


def wait_until_refused(server: RunningServer) -> None:
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        try:
            connection(server).close()
        except ConnectionError:
            return
        time.sleep(0.05)
    pytest.fail("the server still takes connections")
