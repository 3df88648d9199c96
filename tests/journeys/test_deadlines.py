"""Those who connect and then dawdle, against the real server and the real kernel (threats P13 and its section 3)."""

import contextlib
import selectors
import socket
import ssl
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import StartServer
from tests.running import RunningServer

AT_MOST = 45.0
"""Seconds: the longest deadline is 20, and a busy machine is given as much again."""

HEAD = b"GET /livez HTTP/1.1\r\nHost: localhost\r\n"
HALF_A_BODY = b"POST /oauth2/v1/token HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{"
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0"

DAWDLERS = {
    "sends nothing": b"",
    "sends half a head": HEAD,
    "asks once and stays": HEAD + b"\r\n",
    "begins as HTTP/2 would and stops": PREFACE[:8],
    "opens HTTP/2 and asks for nothing": PREFACE,
}


_opened = contextlib.ExitStack()


@pytest.fixture(autouse=True)
def _close_what_was_opened() -> Iterator[None]:
    with _opened:
        yield


def test_whoever_dawdles_is_disconnected_and_the_others_are_served(start_server: StartServer) -> None:
    """threats P13: head and first request within 10 s of connecting, whatever is sent instead."""
    for server in (start_server("--http"), start_server()):
        begun = time.monotonic()
        held = {name: connect(server, sent) for name, sent in DAWDLERS.items()}
        if server.ca_file:
            held["begins no handshake"] = plain(server)
        assert server.client.get("/livez").status_code == 200
        ended = seconds_until_closed(held, begun)
        assert ended.keys() == held.keys(), f"still open: {held.keys() - ended.keys()}"
        assert min(ended.values()) > 8
        assert server.client.get("/livez").status_code == 200


def test_whoever_sends_half_a_body_is_refused(start_server: StartServer) -> None:
    """threats P13: 20 s for the whole of it, and no less."""
    server = start_server("--http")
    begun = time.monotonic()
    connection = connect(server, HALF_A_BODY)
    connection.settimeout(AT_MOST)
    assert connection.recv(65_536).startswith(b"HTTP/1.1 401 ")
    assert time.monotonic() - begun > 20


def test_whoever_takes_nothing_of_an_answer_is_disconnected(start_server: StartServer) -> None:
    """threats P13, §3: 20 s without progress. The buffers on the way hold megabytes, so it is many pages."""
    server = start_server("--http")
    connection = plain(server, buffer=2_048)
    asked = b"GET /docs HTTP/1.1\r\nHost: localhost\r\n\r\n" * 2_000
    connection.setblocking(False)
    sent = connection.send(asked)
    assert sent
    wait_until_let_go(connection.getpeername()[1], connection.getsockname()[1])
    assert server.client.get("/livez").status_code == 200


def test_one_address_cannot_hold_all_connections(start_server: StartServer) -> None:
    """threats P13: the oldest stay, the rest is closed; another address is not counted with it."""
    server = start_server("--http", CREDENCE_CONNECTIONS_PER_ADDRESS="20")
    stranger = connect(server, b"", source="127.0.0.3")
    crowd = {str(number): connect(server, b"", source="127.0.0.2") for number in range(60)}
    begun = time.monotonic()
    ended = seconds_until_closed(crowd, begun, count=40)
    assert len(ended) >= 40
    if max(ended.values()) < 7:  # before the deadline of the silent, which ends all of them
        assert len(ended) == 40
    stranger.setblocking(False)
    with pytest.raises(BlockingIOError):
        stranger.recv(1)


def plain(server: RunningServer, buffer: int = 0, source: str = "127.0.0.1") -> socket.socket:
    host, port = server.base_url.partition("://")[2].split(":")
    connection = _opened.enter_context(socket.socket())
    if buffer:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
    connection.bind((source, 0))
    connection.connect((socket.gethostbyname(host), int(port)))
    return connection


def connect(server: RunningServer, sent: bytes, source: str = "127.0.0.1") -> socket.socket:
    connection = plain(server, source=source)
    if server.ca_file:
        context = ssl.create_default_context(cafile=server.ca_file)
        connection = _opened.enter_context(context.wrap_socket(connection, server_hostname="localhost"))
    connection.sendall(sent)
    return connection


def seconds_until_closed(held: dict[str, socket.socket], begun: float, count: int | None = None) -> dict[str, float]:
    """Wait until so many of the connections (all, unless said) have been closed by the other side; by name."""
    ended: dict[str, float] = {}
    with selectors.DefaultSelector() as selector:
        for name, connection in held.items():
            connection.setblocking(False)
            selector.register(connection, selectors.EVENT_READ, name)
        while len(ended) < (count or len(held)) and time.monotonic() < begun + AT_MOST:
            for key, _ in selector.select(timeout=0.2):
                if _has_ended(held[key.data]):
                    ended[key.data] = time.monotonic() - begun
                    selector.unregister(key.fileobj)
    return ended


def wait_until_let_go(port: int, client: int) -> None:
    """Return once the kernel holds no connection for the server any more: a stalled reader is not told."""
    ports = (f"{port:04X}", f"{client:04X}")
    deadline = time.monotonic() + AT_MOST
    while time.monotonic() < deadline:
        rows = [row.split() for row in Path("/proc/net/tcp").read_text().splitlines()[1:]]
        if ports not in {(row[1].split(":")[1], row[2].split(":")[1]) for row in rows}:
            return
        time.sleep(0.2)
    raise AssertionError("still open")


def _has_ended(connection: socket.socket) -> bool:
    try:
        return connection.recv(65_536) == b""
    except (BlockingIOError, ssl.SSLWantReadError):
        return False
    except OSError:
        return True
