"""`credence mcp`: the Model Context Protocol over standard input and output, for an agent on the same machine.

It reads the credit data of the data folder, without a server, a token or the network; with `--url` it passes each
message to a remote deployment with the login of `credence login --agents`.
"""

import asyncio
import json
import re
import sys
from collections.abc import Awaitable, Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Annotated

import typer

from credence import paths
from credence.app import open_reports, open_searches
from credence.cli.deployment import DataDir, settings_of
from credence.cli.failure import Failure
from credence.cli.login import LoginFile
from credence.cli.remote_logins import call, default_file, fresh, login_at, members, said, site_of
from credence.clock import system_clock
from credence.datasets.credit_data import CreditData
from credence.doctor.site import Reply
from credence.mcp.protocol import (
    INTERNAL_ERROR,
    INVALID_REQUEST,
    REVISION_FIELD,
    REVISION_KEY,
    Message,
    RpcError,
    error_of,
    read_message,
    repeated_fields,
    revision_of,
)
from credence.mcp.server import answer
from credence.mcp.tool import Sources
from credence.policy.installed import InstalledPolicies
from credence.refusals.refusal import Refused
from credence.settings import Settings

MAX_LINE = 1024 * 1024
"""The most bytes of one message."""

AnswerMessage = Callable[[Message, bytes], Awaitable[bytes]]
"""Takes a message and its line, and returns the answer: empty bytes for a notification."""


def mcp(
    data_dir: DataDir = None,
    url: Annotated[
        str | None,
        typer.Option(
            "--url", help="A remote deployment to serve, after credence login --agents.", show_default="the data folder"
        ),
    ] = None,
    login_file: LoginFile = None,
) -> None:
    """Serve agents on this machine: one message of the Model Context Protocol a line, in and out."""
    with suppress(BrokenPipeError):  # the client has ended
        if url is not None:
            remote = RemoteAgent(login_file or default_file(), url.rstrip("/"))
            asyncio.run(_serve(remote.answer))
        else:
            asyncio.run(_serve_folder(settings_of(data_dir)))


async def _serve_folder(settings: Settings) -> None:
    searches = open_searches(settings)
    with closing(open_reports(settings, CreditData(settings.credit_folder))) as reports, closing(searches):
        policies = InstalledPolicies(settings.policy_folder)

        async def from_folder(message: Message, _line: bytes) -> bytes:
            revision = revision_of(message, None)
            if message.is_notification:
                return b""
            return await answer(message, revision, Sources(reports, searches, policies, system_clock()))

        await _serve(from_folder)


async def _serve(answer_message: AnswerMessage) -> None:
    while line := await asyncio.to_thread(sys.stdin.buffer.readline, MAX_LINE):
        answered = await _answer(line, answer_message)
        if answered:
            sys.stdout.buffer.write(answered + b"\n")
            sys.stdout.buffer.flush()


async def _answer(line: bytes, answer_message: AnswerMessage) -> bytes:
    """Return the answer to one line; empty bytes for a notification."""
    message = None
    try:
        if len(line) == MAX_LINE:
            raise RpcError(INVALID_REQUEST, f"A message has at most {MAX_LINE} octets.")
        message = read_message(line)
        return await answer_message(message, line)
    except RpcError as error:
        return error_of(error, message)
    except Refused as refused:
        return error_of(RpcError(INTERNAL_ERROR, refused.refusal.message), message)
    except Failure as failure:
        return error_of(RpcError(INTERNAL_ERROR, " ".join(failure.lines)), message)


_SCOPE = re.compile(r'.*error="insufficient_scope".*scope="([a-z0-9_: -]{1,200})"').match


class RemoteAgent:
    """A client of the MCP endpoint of one deployment."""

    def __init__(self, file: Path, url: str) -> None:
        """Raises NotFound if there is no login for agents at this deployment."""
        self._file = file
        self._login = login_at(file, url, paths.MCP)
        self._revision: str | None = None
        """The revision that `initialize` agreed on; it is sent with every later message."""

    async def answer(self, message: Message, line: bytes) -> bytes:
        """Return the deployment's answer; empty bytes for a notification.

        Raises RpcError if the deployment refuses the request.
        """
        return await asyncio.to_thread(self._answer, message, line)

    def _answer(self, message: Message, line: bytes) -> bytes:
        self._login = fresh(self._file, self._login, system_clock())
        headers = {
            "authorization": f"Bearer {self._login.access_token}",
            "content-type": "application/json",
            "accept": "application/json, text/event-stream",
        }
        if REVISION_KEY in message.meta:
            headers |= {name: str(value) for name, value in repeated_fields(message).items()}
        elif self._revision is not None and message.method != "initialize":
            headers[REVISION_FIELD] = self._revision
        reply = call(site_of(self._login.url, self._login.ca_file), "POST", paths.MCP, headers, line)
        if reply.status == 202:
            return b""
        answered = members(reply)
        if "jsonrpc" not in answered:
            if message.is_notification:
                return b""
            raise RpcError(INTERNAL_ERROR, self._lacking(reply) or f"{self._login.url} refuses: {said(reply)}")
        if message.method == "initialize" and "result" in answered:
            self._revision = str(answered["result"].get("protocolVersion"))
        return json.dumps(answered, separators=(",", ":")).encode()

    def _lacking(self, reply: Reply) -> str:
        """Return the command that adds the scopes which the login lacks; empty for any other refusal (RFC 6750 §3.1)."""
        challenge = reply.headers.get("www-authenticate", "")
        named = _SCOPE(challenge)
        if reply.status != 403 or named is None:
            return ""
        scopes = " ".join(dict.fromkeys((*self._login.scope.split(), *named[1].split())))
        return f"The login lacks {named[1]}. Again: credence login {self._login.url} --agents --scope '{scopes}'"
