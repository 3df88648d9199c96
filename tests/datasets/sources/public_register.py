"""A public register of the test's own: an HTTP server on this machine."""

import json
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any, NamedTuple


class Reply(NamedTuple):
    status: int = 200
    body: Any = None
    headers: dict[str, str] = {}  # noqa: RUF012 - never changed


class Server:
    """Answers each path with its replies in turn, the last one for ever; everything else is unknown."""

    def __init__(self) -> None:
        self.replies: dict[str, list[Reply]] = {}
        self.asked: list[str] = []
        self.keys: set[str] = set()
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                server.asked.append(self.path)
                server.keys.add(self.headers["Authorization"])
                replies = server.replies.get(self.path.partition("?")[0], [Reply(404, {"errors": []})])
                reply = replies.pop(0) if len(replies) > 1 else replies[0]
                body = reply.body if isinstance(reply.body, bytes) else json.dumps(reply.body).encode()
                self.send_response(reply.status)
                for name, value in reply.headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        self._server = HTTPServer(("127.0.0.1", 0), Handler)
        self.base = f"http://127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01})
        self._thread.start()

    def close(self) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()
