"""Passes messages of the Model Context Protocol to a remote deployment, with the token of a login (`credence mcp --url`)."""

import asyncio
import json
import re
from pathlib import Path

from credence import paths
from credence.cli.remote_logins import call, fresh, login_at, members, said, site_of
from credence.clock import system_clock
from credence.doctor.site import Reply
from credence.mcp.protocol import INTERNAL_ERROR, REVISION_FIELD, REVISION_KEY, Message, RpcError, repeated_fields

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
