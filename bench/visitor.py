"""A person or a attacker with a browser of their own, at an address of their own on the loopback interface."""

import asyncio
import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple
from urllib.parse import urlencode

from bench.load import Spoiled

DEADLINE_SECONDS = 60.0
FORM = "application/x-www-form-urlencoded"


class Reply(NamedTuple):
    """An answer, without the header fields that nobody here reads."""

    status: int
    text: str


@dataclass(slots=True)
class Visitor:
    """Sends one request at a time over one connection, and keeps cookies."""

    port: int
    address: str
    cookies: dict[str, str] = field(default_factory=dict)
    refusals: Counter[str] = field(default_factory=Counter)
    """The reason codes of refused requests, which the sandbox tells (X-Reason)."""
    _streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def get(self, target: str) -> Reply:
        """Get a page."""
        return await self._send(f"GET {target} HTTP/1.1", {}, b"")

    async def post(self, target: str, fields: Mapping[str, str]) -> Reply:
        """Send a form."""
        return await self._send(f"POST {target} HTTP/1.1", {"Content-Type": FORM}, urlencode(fields).encode())

    async def post_json(self, target: str, members: Mapping[str, object], headers: Mapping[str, str]) -> Reply:
        """Send JSON."""
        content = {"Content-Type": "application/json", **headers}
        return await self._send(f"POST {target} HTTP/1.1", content, json.dumps(members).encode())

    async def _send(self, line: str, headers: Mapping[str, str], body: bytes) -> Reply:
        cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        fields = {"Host": "localhost", "Content-Length": str(len(body)), **headers}
        if cookies:
            fields["Cookie"] = cookies
        head = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
        message = f"{line}\r\n{head}\r\n".encode() + body
        async with asyncio.timeout(DEADLINE_SECONDS):
            try:
                return await self._exchange(message)
            except (ConnectionError, asyncio.IncompleteReadError):  # an idle connection was closed
                self._streams = None
                return await self._exchange(message)

    async def _exchange(self, message: bytes) -> Reply:
        if self._streams is None:
            self._streams = await asyncio.open_connection("127.0.0.1", self.port, local_addr=(self.address, 0))
        reader, writer = self._streams
        writer.write(message)
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        length = 0
        for name, value in (each.split(": ", 1) for each in head[1:] if each):
            match name.lower():
                case "content-length":
                    length = int(value)
                case "set-cookie":
                    pair, _, _ = value.partition(";")
                    cookie, _, content = pair.partition("=")
                    self.cookies[cookie] = content
                case "x-reason":
                    self.refusals[value] += 1
                case "transfer-encoding":
                    raise Spoiled("An answer came in chunks.")
        return Reply(int(head[0].split()[1]), (await reader.readexactly(length)).decode())
