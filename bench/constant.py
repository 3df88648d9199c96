"""The bare server: granian with the options of Credence, answering every request with one constant, as raw ASGI.

It shows what socket, HTTP and the ASGI bridge cost on this machine at this moment: `python -m bench.constant PORT FILE`.
With names of `bench/work.py` after the file it also does that work for each request, and is the floor.
"""

import sys
from collections.abc import Awaitable, Callable, MutableMapping, Sequence
from pathlib import Path
from typing import Any

from granian.constants import HTTPModes, Interfaces, Loops
from granian.log import LogLevels
from granian.server import Server

from bench.work import WORK, Work
from credence.background.scheduling import let_threads_finish
from credence.server import BACKLOG, HTTP_1, HTTP_2, connections_allowed

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Message, Receive, Send], Awaitable[None]]


REDIRECT: Message = {
    "type": "http.response.start",
    "status": 303,
    "headers": [(b"location", b"/?code=constant"), (b"content-length", b"0")],
}
"""The answer to a GET with a query when the work is that of the POST which follows, as in a code flow."""


def constant(body: bytes, works: Sequence[Work] = (), *, redirects: bool = False) -> Application:
    """Return an application that reads a body if there may be one, does the works and answers with `body`.

    With `redirects`, it answers a GET that has a query with a redirect to a code, and does nothing for it.
    """
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    start = {"type": "http.response.start", "status": 200, "headers": headers}
    end = {"type": "http.response.body", "body": body}

    async def answer(scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            for step in ("startup", "shutdown"):
                await receive()
                await send({"type": f"lifespan.{step}.complete"})
            return
        sent = b""
        if scope["method"] == "POST":
            sent = (await receive()).get("body", b"")
        elif redirects and scope["query_string"]:
            await send(REDIRECT)
            await send({"type": "http.response.body", "body": b""})
            return
        for work in works:
            await work(sent)
        await send(start)
        await send(end)

    return answer


def main(port: int, answer: Path, names: Sequence[str]) -> None:
    """Serve until told to stop, with threads that are scheduled like those of Credence."""

    def load() -> Application:
        body = answer.read_bytes()
        works = [WORK[name](body, answer.parent) for name in names if name != "redirect"]
        return constant(body, works, redirects="redirect" in names)

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
    server.serve(target_loader=load, wrap_loader=False)


if __name__ == "__main__":
    main(int(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:])
