"""A mail relay for tests: it keeps what it gets (RFC 5321)."""

import asyncio
import email
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from email.message import EmailMessage
from email.policy import default

from credence.mail.message import KIND
from credence.mail.notices import notices_of
from credence.mail.sending import mail_deliveries
from credence.oauth.signals.delivering import settle_signals
from tests.deployment import Deployment


@dataclass
class Relay:
    """What a relay has got: receiver and text of each message."""

    url: str = ""
    messages: list[tuple[str, str]] = field(default_factory=list)
    subjects: list[str] = field(default_factory=list)
    received: list[EmailMessage] = field(default_factory=list)
    refuses: bool = False

    async def talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        async def say(line: str) -> None:
            writer.write(f"{line}\r\n".encode())
            await writer.drain()

        recipient = ""
        await say("220 relay")
        while line := (await reader.readline()).decode().strip():
            verb = line[:4].upper()
            if verb == "RCPT":
                recipient = line.partition("<")[2].rstrip(">")
                await say("550 no" if self.refuses else "250 ok")
            elif verb == "DATA":
                await say("354 go on")
                body = await reader.readuntil(b"\r\n.\r\n")
                message = email.message_from_bytes(body[:-3], policy=default)
                self.received.append(message)
                part = message.get_body(("plain",))
                self.messages.append((recipient, part.get_content() if part is not None else ""))
                self.subjects.append(message["subject"])
                await say("250 ok")
            elif verb == "QUIT":
                await say("221 bye")
                break
            else:
                await say("250 relay")
        writer.close()


@asynccontextmanager
async def running_relay() -> AsyncIterator[Relay]:
    relay = Relay()
    server = await asyncio.start_server(relay.talk, "127.0.0.1", 0)
    relay.url = f"smtp://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    async with server:
        yield relay


async def mailed(deployment: Deployment, relay: Relay) -> list[tuple[str, str]]:
    """Do what the background tasks do with changes and messages that wait; return the messages since the last call."""
    authority, now = deployment.service.authority, deployment.now
    await settle_signals(authority, now, notices_of)
    kind = mail_deliveries(authority, lambda: deployment.now)
    for delivery in await authority.store.claim_deliveries(now, now + 60_000, 100, 1_000):
        assert delivery.kind == KIND
        outcome = await kind.attempt(delivery)
        if outcome.delivered:
            await authority.store.end_delivery(delivery)
        else:
            await authority.store.postpone_delivery(delivery, now + 5_000, outcome.text)
    found, relay.messages = relay.messages, []
    return found


def link_in(text: str, path: str) -> str:
    """Return the path and query of the link in a message that leads to this path."""
    found = re.search(rf"{re.escape(path)}\?link=\S+", text)
    assert found is not None, text
    return found[0]
