"""The bare server: granian with the options of Credence, answering every request with one constant, as raw ASGI.

It shows what socket, HTTP and the ASGI bridge cost on this machine at this moment: `python -m bench.constant PORT FILE`.
"""

import sys
from collections.abc import Awaitable, Callable, MutableMapping
from pathlib import Path
from typing import Any

from granian.constants import HTTPModes, Interfaces, Loops
from granian.log import LogLevels
from granian.server import Server

from credence.background.scheduling import let_threads_finish
from credence.server import BACKLOG, HTTP_1, HTTP_2, connections_allowed

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Message, Receive, Send], Awaitable[None]]


def constant(body: bytes) -> Application:
    """Return an application that reads a body if there may be one and answers with `body`."""
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    start = {"type": "http.response.start", "status": 200, "headers": headers}
    end = {"type": "http.response.body", "body": body}

    async def answer(scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            for step in ("startup", "shutdown"):
                await receive()
                await send({"type": f"lifespan.{step}.complete"})
            return
        if scope["method"] == "POST":
            await receive()
        await send(start)
        await send(end)

    return answer


def main(port: int, body: bytes) -> None:
    """Serve until told to stop, with threads that are scheduled like those of Credence."""
    let_threads_finish()
    server = Server(
        "constant",
        address="127.0.0.1",
        port=port,
        interface=Interfaces.ASGI,
        loop=Loops.uvloop,
        http=HTTPModes.auto,
        workers=1,
        backlog=BACKLOG,
        backpressure=connections_allowed(),
        http1_settings=HTTP_1,
        http2_settings=HTTP_2,
        websockets=False,
        log_level=LogLevels.warning,
    )
    server.serve(target_loader=lambda: constant(body), wrap_loader=False)


if __name__ == "__main__":
    main(int(sys.argv[1]), Path(sys.argv[2]).read_bytes())
