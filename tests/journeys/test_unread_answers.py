"""Callers that ask for answers and do not read them, over real sockets (threats P13 and its section 3)."""

import selectors
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest
from h2.config import H2Configuration
from h2.connection import H2Connection
from h2.events import StreamEnded
from h2.settings import SettingCodes, Settings

from credence import paths
from tests.conftest import StartServer
from tests.running import RunningServer

STREAMS = 64
"""Answers at a time over one connection: as many as the server admits."""

AT_MOST = 30.0
"""Seconds until a connection with a stalled answer is closed: the deadline is 20, looked at every two."""

PING_EVERY = 2.0


class StalledStreams:
    """An HTTP/2 connection that asks for a document 64 times and lets none of it come (SETTINGS_INITIAL_WINDOW_SIZE 0)."""

    def __init__(self, connected: socket.socket, path: str) -> None:
        self.socket = connected
        self.http = H2Connection(H2Configuration(client_side=True))
        self.http.local_settings = Settings(client=True, initial_values={SettingCodes.INITIAL_WINDOW_SIZE: 0})
        self.http.initiate_connection()
        for _ in range(STREAMS):
            stream = self.http.get_next_available_stream_id()
            fields = [(":method", "GET"), (":path", path), (":scheme", "http"), (":authority", "localhost")]
            self.http.send_headers(stream, fields, end_stream=True)
        connected.sendall(self.http.data_to_send())

    def ping(self) -> None:
        self.http.ping(b"8 octets")
        self.socket.sendall(self.http.data_to_send())

    def has_ended(self) -> bool:
        try:
            received = self.socket.recv(65_536)
            self.http.receive_data(received)
            self.socket.sendall(self.http.data_to_send())
        except OSError:
            return True
        return not received


@pytest.fixture
def opened() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


def test_stalled_streams_cost_little_and_end_their_connection(start_server: StartServer, opened: ExitStack) -> None:
    """24 such connections took a worker from 125 to 599 MB, and pings kept them for ever."""
    server = start_server("--http")
    for _ in range(3):
        server.client.get(paths.OPENAPI)
    before = megabytes(server)
    stalled = [StalledStreams(opened.enter_context(plain(server)), path) for path in (paths.OPENAPI, paths.DOCS) * 2]
    most, seconds = before, 0.0
    began = pinged = time.monotonic()
    with selectors.DefaultSelector() as selector:
        for each in stalled:
            selector.register(each.socket, selectors.EVENT_READ, each)
        while selector.get_map() and seconds < AT_MOST:
            for key, _ in selector.select(timeout=0.2):
                if key.data.has_ended():
                    selector.unregister(key.fileobj)
            if time.monotonic() - pinged > PING_EVERY:
                pinged = time.monotonic()
                for key in selector.get_map().values():
                    key.data.ping()
            most, seconds = max(most, megabytes(server)), time.monotonic() - began
        assert not selector.get_map(), f"still open after {seconds:.0f} s"
    assert most - before < 20
    assert server.client.get("/livez").status_code == 200


def test_a_reader_of_a_few_octets_at_a_time_is_closed(start_server: StartServer, opened: ExitStack) -> None:
    """400 octets a second, of an answer of 300 KB: the kernel sees progress, but 10 KiB in 20 s are the least."""
    server = start_server("--http")
    connection = opened.enter_context(plain(server, buffer=2_048))
    connection.sendall(f"GET {paths.OPENAPI} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
    began, read = time.monotonic(), b"HTTP/1.1 200 OK"
    with suppress(ConnectionResetError):
        while read:
            assert time.monotonic() - began < AT_MOST + 10, "still open"
            time.sleep(1)
            read = connection.recv(400)
    assert time.monotonic() - began > 15
    assert server.client.get("/livez").status_code == 200


def test_an_answer_in_pieces_arrives_whole(start_server: StartServer, opened: ExitStack) -> None:
    """Over HTTP/2 with the smallest window that makes sense, and with the usual one."""
    server = start_server("--http")
    wanted = server.client.get(paths.OPENAPI, headers={"Accept-Encoding": "identity"}).content
    for window in (1_000, 65_535):
        assert fetched(opened.enter_context(plain(server)), paths.OPENAPI, window) == wanted


def fetched(connection: socket.socket, path: str, window: int) -> bytes:
    """Return a document, of which at most `window` octets are on their way at a time."""
    http = H2Connection(H2Configuration(client_side=True))
    http.local_settings = Settings(client=True, initial_values={SettingCodes.INITIAL_WINDOW_SIZE: window})
    http.initiate_connection()
    fields = [(":method", "GET"), (":path", path), (":scheme", "http"), (":authority", "localhost")]
    http.send_headers(1, fields, end_stream=True)
    connection.sendall(http.data_to_send())
    body, ended = b"", False
    while not ended:
        for each in http.receive_data(connection.recv(65_536)):
            if data := getattr(each, "data", b""):
                body += data
                http.acknowledge_received_data(len(data), 1)
            ended = ended or isinstance(each, StreamEnded)
        connection.sendall(http.data_to_send())
    return body


def plain(server: RunningServer, buffer: int = 0) -> socket.socket:
    connection = socket.socket()
    connection.settimeout(AT_MOST)
    if buffer:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
    connection.connect(("127.0.0.1", server.client.base_url.port or 0))
    return connection


def megabytes(server: RunningServer) -> float:
    """Return the resident memory of the workers."""
    first = server.process.pid
    workers = Path(f"/proc/{first}/task/{first}/children").read_text().split()
    pages = (int(Path(f"/proc/{worker}/statm").read_text().split()[1]) for worker in workers)
    return sum(pages) * 4_096 / 1e6
