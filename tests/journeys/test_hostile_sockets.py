"""Bytes that no client library would send, over a real socket (threats R0, P1, P7, P9, P11, P12, P13, P14, E7).

Each must end in a refusal or a closed connection: never a 5xx, never a second answer, never a dead worker.
"""

import json
import re
import socket
import ssl
import time
from collections.abc import Iterator

import pytest

from tests.conftest import StartServer
from tests.running import RunningServer

CANARY = "GET /livez HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"


@pytest.fixture(scope="module")
def login(sandbox: RunningServer) -> tuple[str, bytes]:
    body = json.dumps({"username": sandbox.username, "password": sandbox.password}).encode()
    head = (
        "POST /oauth2/v1/token HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        f"client_id: {sandbox.client_id}\r\nclient_secret: {sandbox.client_secret}\r\n"
    )
    return head, body


@pytest.fixture(autouse=True)
def _worker_survives(sandbox: RunningServer) -> Iterator[None]:
    yield
    assert sandbox.client.get("/readyz").status_code == 200
    assert "Traceback" not in sandbox.output.read_text()


def talk(server: RunningServer, sent: bytes, *, half_close: bool = False, wait: float = 3.0) -> bytes:
    """Send bytes and return everything that comes back until the server closes or is silent for `wait` seconds."""
    host, port = server.base_url.removeprefix("https://").split(":")
    context = ssl.create_default_context(cafile=server.ca_file)
    received = b""
    plain = socket.create_connection((host, int(port)), timeout=wait)
    with plain, context.wrap_socket(plain, server_hostname=host) as connection:
        try:
            connection.sendall(sent)
            if half_close:
                connection.unwrap()
            while piece := connection.recv(65_536):
                received += piece
        except OSError:  # silence, a reset or a TLS alert: what came until then is what came
            pass
    return received


def statuses(received: bytes) -> list[int]:
    return [int(status) for status in re.findall(rb"HTTP/1\.1 (\d{3})", received)]


def test_the_request_the_others_distort_is_answered(sandbox: RunningServer, login: tuple[str, bytes]) -> None:
    head, body = login
    sent = f"{head}Content-Length: {len(body)}\r\nConnection: close\r\n\r\n".encode() + body
    assert statuses(talk(sandbox, sent)) == [200]


@pytest.mark.parametrize(
    "framing",
    [
        "Content-Length: {n}\r\nTransfer-Encoding: chunked\r\n",
        "Content-Length: {n}\r\nContent-Length: {m}\r\n",
        "Content-Length: {n}, {m}\r\n",
        "Content-Length: +{n}\r\n",
        "Content-Length: -1\r\n",
        "Content-Length: 0x10\r\n",
        "Transfer-Encoding: xchunked\r\n",
        "Transfer-Encoding: chunked, identity\r\n",
        "Transfer-Encoding : chunked\r\n",
        "Transfer-Encoding:\x0bchunked\r\n",
        "Content-Length : {n}\r\n",
    ],
)
def test_no_framing_smuggles_a_second_request(sandbox: RunningServer, login: tuple[str, bytes], framing: str) -> None:
    """threats P11: at most one answer, and the request hidden in the body is never executed."""
    head, body = login
    fields = framing.format(n=len(body), m=len(body) + len(CANARY))
    received = talk(sandbox, f"{head}{fields}\r\n".encode() + body + CANARY.encode())
    assert b'"alive"' not in received or len(statuses(received)) == 1
    assert len(statuses(received)) <= 1
    assert all(status < 500 for status in statuses(received))


@pytest.mark.parametrize(
    "codings",
    [
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n",
        "Transfer-Encoding: chunked, chunked\r\n",
        "Transfer-Encoding: gzip, chunked\r\n",
    ],
)
def test_several_transfer_codings_close_the_connection(
    sandbox: RunningServer, login: tuple[str, bytes], codings: str
) -> None:
    """RFC 9112 §6.1, threats P11: the next request on the connection is not executed."""
    head, body = login
    chunks = f"{len(body):x}\r\n".encode() + body + b"\r\n0\r\n\r\n"
    received = talk(sandbox, f"{head}{codings}\r\n".encode() + chunks + CANARY.encode())
    assert statuses(received) == [401]
    assert b"connection: close" in received.lower()


@pytest.mark.parametrize(
    ("framing", "line_end"),
    [
        ("Content-Length: {n}\r\nContent-Length: {n}\r\n", "\r\n"),
        ("Content-Length: {n}\r\n", "\n"),
        ("Transfer-Encoding: Chunked\r\n", "\r\n"),
    ],
    ids=["equal lengths", "bare line feeds", "a coding in capitals"],
)
def test_what_rfc_9112_lets_a_server_read_frames_each_request_rightly(
    sandbox: RunningServer, login: tuple[str, bytes], framing: str, line_end: str
) -> None:
    """RFC 9112 §2.2, §6.3, §7: the page of threats says so, and the second request is the sender's own."""
    head, body = login
    fields = f"{head}{framing.format(n=len(body))}\r\n".replace("\r\n", line_end).encode()
    if "Transfer" in framing:
        body = f"{len(body):x}\r\n".encode() + body + b"\r\n0\r\n\r\n"
    received = talk(sandbox, fields + body + CANARY.encode(), wait=1.0)
    assert statuses(received) == [200, 200]


@pytest.mark.parametrize("cut", [0, 1, 10, 20, -1])
def test_a_body_cut_short_changes_nothing_and_is_not_answered(
    sandbox: RunningServer, login: tuple[str, bytes], cut: int
) -> None:
    """threats P14: a body shorter than declared is a disconnect, not an input."""
    head, body = login
    part = body[:cut] if cut else b""
    received = talk(sandbox, f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + part, half_close=True)
    assert statuses(received) == []


def test_a_chunked_body_cut_short_is_not_an_input(sandbox: RunningServer, login: tuple[str, bytes]) -> None:
    """threats P14: the server hands on what came before it notices."""
    head, body = login
    chunk = f"{len(body):x}\r\n".encode() + body + b"\r\n"
    received = talk(sandbox, f"{head}Transfer-Encoding: chunked\r\n\r\n".encode() + chunk, half_close=True)
    assert statuses(received) == []


def test_a_chunked_body_is_read_whole(sandbox: RunningServer, login: tuple[str, bytes]) -> None:
    head, body = login
    chunks = b"".join(f"{len(part):x}\r\n".encode() + part + b"\r\n" for part in (body[:7], body[7:])) + b"0\r\n\r\n"
    sent = f"{head}Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n".encode() + chunks
    assert statuses(talk(sandbox, sent)) == [200]


@pytest.mark.parametrize(
    "extra",
    [
        "client_id: {client_id}\r\n",
        "Client_Id: other\r\n",
        "client-id: {client_id}\r\n",
        "client_secret: wrong\r\n",
        "grant_type: password\r\ngrant_type: password\r\n",
        "grant-type: password\r\ngrant_type: password\r\n",
        "Content-Type: application/json\r\n",
        "Authorization: Basic AAAA\r\nAuthorization: Basic AAAA\r\n",
        "X-Anything: a\r\nX-Anything: b\r\n",
    ],
)
def test_a_header_that_comes_twice_is_an_attack(sandbox: RunningServer, login: tuple[str, bytes], extra: str) -> None:
    """D2, threats P9: equal or not, under its own name or its alias."""
    head, body = login
    more = extra.format(client_id=sandbox.client_id)
    sent = f"{head}{more}Content-Length: {len(body)}\r\nConnection: close\r\n\r\n".encode() + body
    received = talk(sandbox, sent)
    assert statuses(received) == [401]
    assert b"Access to the requested resource is not allowed." in received


@pytest.mark.parametrize(
    ("size", "status"), [(16 * 1024, 401), (16 * 1024 + 1, 401), (1024 * 1024, 401), (20 * 1024 * 1024, 401)]
)
def test_a_body_that_is_too_large_is_refused_without_being_kept(
    sandbox: RunningServer, login: tuple[str, bytes], size: int, status: int
) -> None:
    """D16, threats P1. At the limit it is read, and refused for its one long string."""
    head, _ = login
    body = b'{"username":"' + b"x" * (size - 15) + b'"}'
    sent = f"{head}Content-Length: {size}\r\nConnection: close\r\n\r\n".encode() + body
    received = talk(sandbox, sent)
    assert statuses(received) in ([status], [])  # a server that closes while we still send is right too


@pytest.mark.parametrize(
    "framing", ["Content-Length: {n}\r\n\r\n{body}", "Transfer-Encoding: chunked\r\n\r\n{n:x}\r\n{body}\r\n"]
)
def test_the_answer_to_a_body_that_is_left_unread_says_that_the_connection_closes(
    sandbox: RunningServer, login: tuple[str, bytes], framing: str
) -> None:
    """RFC 9112 §9.6: the client then knows that its next request needs another connection."""
    head, _ = login
    body = "x" * 40_000
    received = talk(sandbox, f"{head}{framing.format(n=len(body), body=body)}".encode())
    assert statuses(received) in ([401], [])  # a server that closes while we still send is right too
    assert not received or b"\r\nconnection: close\r\n" in received


@pytest.mark.parametrize("hosts", ["", "Host:\r\n", "Host: a\r\nHost: a\r\n", "Host: a\r\nHost: b\r\n"])
def test_without_one_host_there_is_no_service(sandbox: RunningServer, hosts: str) -> None:
    """threats P12, RFC 9112 §3.2: 400."""
    received = talk(sandbox, f"GET /oauth2/v1/keys HTTP/1.1\r\n{hosts}Connection: close\r\n\r\n".encode())
    assert statuses(received) == [400]
    assert b"The request must have one 'Host' header." in received


def test_an_absolute_target_reaches_its_path_and_names_no_host(sandbox: RunningServer) -> None:
    """RFC 9112 §3.2.2 has servers accept it. Its host is believed as little as the field (threats P12)."""
    target = "https://evil.example/.well-known/openid-configuration"
    head = f"GET {target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    received = talk(sandbox, head.encode())
    assert statuses(received) == [200]
    assert b"evil" not in received


@pytest.mark.parametrize(
    "head",
    [
        "GET /livez HTTP/1.1\r\n\r\n",
        "GET /livez HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n",
        "GET //livez HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
        "GET /x/../livez HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
        "GET /%6civez HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
        "GET /livez/ HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
        "GET /livez;x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
        "GET livez HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
        "GET http://evil.example/livez HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
        "OPTIONS * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
        "CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /livez HTTP/1.1\r\nHost: a\r\nX: a\rb\r\nConnection: close\r\n\r\n",
        "GET /livez HTTP/1.1\nHost: a\nConnection: close\n\n",
        "GET /livez HTTP/9.9\r\nHost: a\r\n\r\n",
        "\x16\x03\x01 nonsense\r\n\r\n",
        "GET /oauth2/v1/keys HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
        "GET /oauth2/v1/keys HTTP/1.1\r\nHost: a\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n",
    ],
)
def test_odd_hosts_paths_and_request_lines_never_fail_the_service(sandbox: RunningServer, head: str) -> None:
    """threats P12, E7: only the plain path reaches a route, and nothing is a 5xx."""
    received = talk(sandbox, head.encode(), wait=1.5)
    assert all(status < 500 for status in statuses(received))
    assert b"evil.example" not in received
    if "livez" in head and " /livez HTTP/1.1" not in head and "http://" not in head:
        assert b'"alive"' not in received


def test_a_header_block_of_a_mebibyte_and_two_thousand_headers_are_refused(sandbox: RunningServer) -> None:
    """threats P13: by the server or by the guard, and soon."""
    started = time.monotonic()
    for fields in ("X: " + "x" * 1_048_576 + "\r\n", "".join(f"X-{n}: y\r\n" for n in range(2_000))):
        received = talk(
            sandbox, f"GET /oauth2/v1/keys HTTP/1.1\r\nHost: a\r\n{fields}Connection: close\r\n\r\n".encode()
        )
        assert statuses(received) in ([401], [431], [400], [])
    assert time.monotonic() - started < 20


def test_silent_and_slow_connections_do_not_stop_the_others(start_server: StartServer) -> None:
    """threats P13: two hundred half-sent requests, and an honest client is served."""
    server = start_server()
    host, port = server.base_url.removeprefix("https://").split(":")
    context = ssl.create_default_context(cafile=server.ca_file)
    held = []
    for _ in range(200):
        connection = context.wrap_socket(socket.create_connection((host, int(port))), server_hostname=host)
        connection.sendall(b"POST /oauth2/v1/token HTTP/1.1\r\nHost: localhost\r\nContent-Le")
        held.append(connection)
    assert server.report(server.tokens()["access_token"]).status_code == 200
    for connection in held:
        connection.close()


def test_a_correlation_id_is_echoed_only_when_it_is_harmless(sandbox: RunningServer) -> None:
    """D9, threats E7: and every answer has an id of its own."""
    ids = set()
    for sent, echoed in (("order-17", "order-17"), ("a b", None), ("<x>", None), ("x" * 129, None)):
        reply = sandbox.client.get("/livez", headers={"X-Correlation-ID": sent})
        assert reply.headers.get("x-correlation-id") == echoed
        ids.add(reply.headers["x-request-id"])
    assert len(ids) == 4
