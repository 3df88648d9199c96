"""SIGTERM while requests wait for events: each is answered at once and whole, and the node stops (threats E7, F2)."""

import signal
import socket
from contextlib import ExitStack

from credence import paths
from tests.conftest import StartServer
from tests.journeys.test_graceful_stop import connection, is_read
from tests.running import RunningServer
from tests.waiting import wait_until

LIMIT_SECONDS = 120


def ask(server: RunningServer, token: str, target: str, accept: str) -> socket.socket:
    """Send a request and return its connection once the server has read it."""
    client = connection(server)
    client.settimeout(LIMIT_SECONDS)
    head = f"GET {target} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\nAccept: {accept}\r\n\r\n"
    client.sendall(head.encode())
    wait_until(lambda: is_read(server, client), LIMIT_SECONDS)
    return client


def rest_of(client: socket.socket) -> bytes:
    received = b""
    while piece := client.recv(65_536):
        received += piece
    return received


def test_a_stop_ends_long_polls_and_streams_at_once_and_cleanly(start_server: StartServer) -> None:
    server = start_server("--http")
    login = {"username": server.username, "password": server.password, "scope": "credit:monitor"}
    form, credentials = {"grant_type": "password", **login}, (server.client_id, server.client_secret)
    token = server.client.post("/oauth2/v1/token", data=form, auth=credentials).json()["access_token"]
    with ExitStack() as held:
        poll = held.enter_context(ask(server, token, f"{paths.EVENTS}?after=0&wait=20", "application/json"))
        stream = held.enter_context(ask(server, token, paths.EVENTS, "text/event-stream"))
        begun = b""
        while b"retry: 100" not in begun:
            begun += stream.recv(65_536)
        server.process.send_signal(signal.SIGTERM)
        assert server.process.wait(timeout=LIMIT_SECONDS) == 0
        answered, streamed = rest_of(poll), begun + rest_of(stream)
    head, _, body = answered.partition(b"\r\n\r\n")
    assert (head.split(b"\r\n")[0], body) == (b"HTTP/1.1 200 OK", b'{"events":[],"next":0}')
    assert streamed.endswith(b"0\r\n\r\n")  # the last chunk (RFC 9112 §7.1): nothing was cut off
    # A stream that ends by itself has sent a sign of life after ten seconds and another after twenty.
    assert streamed.count(b": none") < 2
