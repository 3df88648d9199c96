"""`credence mcp`: the Model Context Protocol over standard input and output, for an agent on the same machine.

It reads the credit data of the data folder, without a server, a token or the network; with `--url` it passes each
message to a remote deployment with the login of `credence login --agents`.
"""

import asyncio
import sys
from collections.abc import Awaitable, Callable
from contextlib import closing, suppress
from typing import Annotated

import typer

from credence.app import open_reports, open_searches
from credence.cli.deployment import DataDir, settings_of
from credence.cli.failure import Failure
from credence.cli.login import LoginFile
from credence.cli.remote_agent import RemoteAgent
from credence.cli.remote_logins import default_file
from credence.clock import system_clock
from credence.datasets.credit_data import CreditData
from credence.mcp.protocol import (
    INTERNAL_ERROR,
    INVALID_REQUEST,
    Message,
    RpcError,
    error_of,
    read_message,
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
