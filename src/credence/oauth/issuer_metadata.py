"""The metadata of trusted issuers, fetched by the outgoing client and kept in memory (OpenID Connect Discovery §4)."""

import asyncio
import re
from typing import TYPE_CHECKING

import msgspec

from credence.clock import Milliseconds
from credence.generational_cache import GenerationalCache
from credence.outgoing.target import CallRefused
from credence.store.trusted_issuers import TrustedIssuer

if TYPE_CHECKING:
    from credence.outgoing.client import OutgoingClient

PURPOSE = "issuer_metadata"

FRESH_MS = 600_000
"""How long metadata is used without another fetch."""

KEPT_MS = 86_400_000
"""How long metadata is used while the issuer does not answer."""

PAUSE_MS = 10_000
"""The minimum pause between two fetches after a failure."""

MAX_BYTES = 65_536

_ADDRESS = re.compile(r"https://[A-Za-z0-9._~:/?\[\]@!$&'()*+,;=%-]{1,1000}").fullmatch
"""Matches the addresses of an issuer: the browser is sent to some of them."""
MAX_ISSUERS = 200


class IssuerUnavailable(Exception):
    """The metadata of an issuer cannot be fetched or used. The message is a reason code."""


class Metadata(msgspec.Struct, frozen=True):
    """What the service uses of an issuer's metadata (OpenID Connect Discovery §3, RFC 8414 §2)."""

    issuer: str
    authorization_endpoint: str = ""
    token_endpoint: str = ""
    jwks_uri: str = ""
    pushed_authorization_request_endpoint: str = ""
    end_session_endpoint: str = ""
    authorization_response_iss_parameter_supported: bool = False
    claims_parameter_supported: bool = False


class _Kept(msgspec.Struct, frozen=True):
    metadata: Metadata | None
    fetched_at: Milliseconds
    tried_at: Milliseconds
    problem: str = ""
    """Why the last fetch failed, as a reason code; empty if it did not."""


class IssuerMetadata:
    """The metadata that this process has fetched."""

    def __init__(self, client: "OutgoingClient | None" = None) -> None:
        """`client` None means that the operator allows no outgoing calls: then no issuer has metadata."""
        self.client = client
        self._kept: GenerationalCache[str, _Kept] = GenerationalCache(MAX_ISSUERS)
        self._fetching: dict[str, asyncio.Task[None]] = {}

    async def of(self, issuer: TrustedIssuer, now: Milliseconds) -> Metadata:
        """Return the metadata, at most ten minutes old, or a day while the issuer does not answer.

        Raises IssuerUnavailable.
        """
        kept = self._kept.get(issuer.issuer) or _Kept(None, 0, 0)
        if kept.metadata is not None and 0 <= now - kept.fetched_at < FRESH_MS:
            return kept.metadata
        if issuer.issuer not in self._fetching and not 0 <= now - kept.tried_at < PAUSE_MS:
            task = asyncio.get_running_loop().create_task(self._keep(issuer, now))
            self._fetching[issuer.issuer] = task
            task.add_done_callback(lambda _: self._fetching.pop(issuer.issuer))
        if issuer.issuer in self._fetching:
            await asyncio.shield(self._fetching[issuer.issuer])
            kept = self._kept.get(issuer.issuer) or kept
        if kept.metadata is None or not _is_usable(kept, now):
            if kept.problem:
                raise IssuerUnavailable(kept.problem)
            raise IssuerUnavailable("issuer.metadata_unavailable")
        return kept.metadata

    async def _keep(self, issuer: TrustedIssuer, now: Milliseconds) -> None:
        """Fetch the metadata, once for all requests that wait for it, and keep what came of it."""
        kept = self._kept.get(issuer.issuer) or _Kept(None, 0, 0)
        try:
            kept = _Kept(await self.fetch(issuer), now, now)
        except IssuerUnavailable as error:
            kept = msgspec.structs.replace(kept, tried_at=now, problem=str(error))
        self._kept.put(issuer.issuer, kept)

    async def fetch(self, issuer: TrustedIssuer) -> Metadata:
        """Fetch the metadata now; raises IssuerUnavailable."""
        # Imported only here: most deployments make no outgoing calls.
        from credence.outgoing.client import Call
        from credence.outgoing.connecting import CallFailed

        if self.client is None:
            raise IssuerUnavailable("issuer.no_calls")
        address = f"{issuer.issuer.removesuffix('/')}/.well-known/openid-configuration"
        call = Call(PURPOSE, "GET", address, {"Accept": "application/json"}, max_answer_bytes=MAX_BYTES)
        try:
            answer = await self.client.call(call)
        except (CallRefused, CallFailed):
            raise IssuerUnavailable("issuer.metadata_unavailable") from None
        return _read(issuer, answer.body) if answer.status == 200 else _unavailable()


def _is_usable(kept: _Kept, now: Milliseconds) -> bool:
    return kept.metadata is not None and 0 <= now - kept.fetched_at < KEPT_MS


def _unavailable() -> Metadata:
    raise IssuerUnavailable("issuer.metadata_unavailable")


def _read(issuer: TrustedIssuer, body: bytes) -> Metadata:
    """Return the metadata, whose `issuer` must be that of the table (Discovery §4.3, RFC 9700 §4.4.2)."""
    try:
        found = msgspec.json.decode(body, type=Metadata)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise IssuerUnavailable("issuer.metadata_malformed") from None
    if found.issuer != issuer.issuer:
        raise IssuerUnavailable("issuer.metadata_of_another")
    for name in Metadata.__struct_fields__:
        value = getattr(found, name)
        if isinstance(value, str) and value and not _ADDRESS(value):
            raise IssuerUnavailable("issuer.metadata_malformed")
    return found
