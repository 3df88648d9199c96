"""`credence mcp`: the Model Context Protocol over standard input and output, for an agent on the same machine.

It reads the credit data of the data folder, without a server, a token or the network.
"""

import asyncio
import sys
from contextlib import closing, suppress

from credence.app import open_reports, open_searches
from credence.cli.deployment import DataDir, settings_of
from credence.clock import system_clock
from credence.datasets.credit_data import CreditData
from credence.mcp.protocol import INTERNAL_ERROR, INVALID_REQUEST, RpcError, error_of, read_message, revision_of
from credence.mcp.server import answer
from credence.mcp.tools import Sources
from credence.policy.installed import InstalledPolicies
from credence.refusals import Refused
from credence.settings import Settings

MAX_LINE = 1024 * 1024
"""Octets of one message."""


def mcp(data_dir: DataDir = None) -> None:
    """Serve agents on this machine: one message of the Model Context Protocol a line, in and out."""
    with suppress(BrokenPipeError):  # the client has ended
        asyncio.run(_serve(settings_of(data_dir)))


async def _serve(settings: Settings) -> None:
    searches = open_searches(settings)
    with closing(open_reports(settings, CreditData(settings.credit_folder))) as reports, closing(searches):
        policies = InstalledPolicies(settings.policy_folder)
        while line := await asyncio.to_thread(sys.stdin.buffer.readline, MAX_LINE):
            answered = await _answer(line, Sources(reports, searches, policies, system_clock()))
            if answered:
                sys.stdout.buffer.write(answered + b"\n")
                sys.stdout.buffer.flush()


async def _answer(line: bytes, sources: Sources) -> bytes:
    """Return the answer to one line; empty for a notification."""
    message = None
    try:
        if len(line) == MAX_LINE:
            raise RpcError(INVALID_REQUEST, f"A message has at most {MAX_LINE} octets.")
        message = read_message(line)
        revision = revision_of(message, None)
        return b"" if message.is_notification else await answer(message, revision, sources)
    except RpcError as error:
        return error_of(error, message)
    except Refused as refused:
        return error_of(RpcError(INTERNAL_ERROR, refused.refusal.message), message)
