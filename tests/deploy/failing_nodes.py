"""Nodes that say they are ready and then fail every request: what a proxy makes of them tells when it sends one again."""

import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar

READY = b'{"status":"ready"}'


class Node(BaseHTTPRequestHandler):
    """Reads a request to its end, notes it, and answers as it is told to: with a status, or by closing."""

    protocol_version = "HTTP/1.1"
    received: ClassVar[list[str]]
    status: ClassVar[int | None]

    def do_GET(self) -> None:
        if self.path in {"/readyz", "/livez"}:
            self._answer(200)
        else:
            self._fail()

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self._fail()

    def log_message(self, format: str, *_: object) -> None:  # noqa: A002 - the name that the library gives it
        """Say nothing."""

    def _fail(self) -> None:
        self.received.append(self.command)
        if self.status is None:
            self.close_connection = True
        else:
            self._answer(self.status)

    def _answer(self, status: int) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(READY)))
        self.end_headers()
        self.wfile.write(READY)


class QuietServer(ThreadingHTTPServer):
    """A check that ends its connection in the middle is no news."""

    daemon_threads = True

    def handle_error(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def failing_nodes(tls: tuple[Path, Path], status: int | None) -> Iterator[tuple[tuple[int, ...], list[str]]]:
    """Run three, and yield their ports and the methods of the requests they were sent, in order.

    `status` is their answer to everything but the health checks; None: they close the connection instead.
    """
    received: list[str] = []
    kind = type("FailingNode", (Node,), {"received": received, "status": status})
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*tls)
    servers = [QuietServer(("127.0.0.1", 0), kind) for _ in range(3)]
    threads = []
    for server in servers:
        server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
        threads.append(threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}))
        threads[-1].start()
    try:
        yield tuple(server.server_port for server in servers), received
    finally:
        for server in servers:
            server.shutdown()
        for thread in threads:
            thread.join()
        for server in servers:
            server.server_close()
