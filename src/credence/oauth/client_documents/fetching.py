"""Fetches the documents of clients by outgoing calls, and caches them while they are fresh (D29, RFC 9111 §4.2).

A document is fetched only for an authorization request or a pushed one. Failed fetches and invalid documents are not
cached. One that was fetched while the clock was ahead is fetched again (threats T11).
"""

import re
from typing import TYPE_CHECKING, NamedTuple

from credence.clock import Milliseconds
from credence.generational_cache import GenerationalCache
from credence.oauth.client_documents.document import MAX_BYTES, ClientDocument, client_of_document, read_document
from credence.oauth.client_hosts import accepts_client
from credence.oauth.client_id_urls import UnusableDocument, host_of_client, is_document_url
from credence.outgoing.target import CallRefused
from credence.ratelimit.limiter import RateLimiter
from credence.refusals.refusal import Refused
from credence.refusals.requests import SPIKE_ARREST
from credence.request_context import RequestContext
from credence.settings import Settings
from credence.store.contract import Store
from credence.store.records import Application

if TYPE_CHECKING:
    from credence.outgoing.client import OutgoingClient, Standing
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

MAX_DOCUMENTS = 500
"""Documents in each of the two generations of a cache: at most about 5 MB."""

OLD_COPY_MS = 86_400_000
"""Milliseconds for which a copy is used that is no longer fresh, while its document cannot be fetched for want of room."""

TURN_SECONDS = 15
"""The maximum wait for a turn."""

_JSON = re.compile(r"application/(json|[a-z0-9!#$&^_.+-]+\+json)\s*(;.*)?", re.IGNORECASE).fullmatch


class _Copy(NamedTuple):
    """A document as it was fetched."""

    document: ClientDocument
    fetched_at: Milliseconds
    fresh_ms: Milliseconds


_Copies = GenerationalCache[str, _Copy]


class ClientDocuments:
    """The cached documents of this process.

    A known client is one that a person has allowed. Its document has a cache, a rate and a turn at its host that new clients
    cannot use up.
    """

    def __init__(self, settings: Settings, store: Store, client: "OutgoingClient") -> None:
        # Imported only here: most deployments make no outgoing calls.
        from credence.outgoing.turns import Turns

        self._settings = settings
        self._store = store
        self._client = client
        self._of_known: _Copies = GenerationalCache(MAX_DOCUMENTS)
        self._of_new: _Copies = GenerationalCache(MAX_DOCUMENTS)
        self._turns_of_addresses, self._turns_at_hosts = Turns(1), Turns(1)
        """Of fetches for new clients: one at a time for an address of a caller, and at a host."""

    async def client_of(
        self, client_id: str, row: Application | None, rate_limiter: RateLimiter, request: RequestContext
    ) -> Application | None:
        """Return the client with this client_id as its document describes it now; `row` for an id that is no URL of one.

        Raises UnusableDocument if its host is not accepted, the fetch fails, or the document breaks a rule. Raises Refused
        with a spike arrest after too many fetches, if there is no older copy.
        """
        if not is_document_url(client_id):
            return row
        if not await accepts_client(self._store, client_id, self._settings):
            raise UnusableDocument("client_document.host")
        copies = self._of_new if row is None else self._of_known
        kept, now = copies.get(client_id) or self._of_new.get(client_id), request.now
        if kept is None or not 0 <= now - kept.fetched_at < kept.fresh_ms:
            try:
                fetched = await self._fetch_in_turn(client_id, row, rate_limiter, request)
            except Refused:
                if kept is None or not 0 <= now - kept.fetched_at < OLD_COPY_MS:
                    raise
            else:
                client = client_of_document(client_id, fetched.document, row, self._settings, now)
                copies.put(client_id, fetched)
                return client
        return client_of_document(client_id, kept.document, row, self._settings, now)

    async def _fetch_in_turn(
        self, client_id: str, row: Application | None, rate_limiter: RateLimiter, request: RequestContext
    ) -> _Copy:
        """Return the document; raises UnusableDocument, or Refused without room for the fetch."""
        from credence.outgoing.turns import NoTurn

        host, now = host_of_client(client_id), request.now
        try:
            if row is not None:
                await rate_limiter.require_fetch_again(client_id)
                return await self._fetch(client_id, "known", now)
            await rate_limiter.require_fetch(request.address_prefix, host)
            async with (
                self._turns_of_addresses.turn(request.address_prefix, 0, TURN_SECONDS),
                self._turns_at_hosts.turn(host, 0, TURN_SECONDS),
            ):
                fetched = await self._fetch(client_id, "new", now)
        except NoTurn:
            raise Refused(SPIKE_ARREST, "client_document.busy", retry_after=TURN_SECONDS) from None
        await rate_limiter.count_document(host)
        return fetched

    async def _fetch(self, client_id: str, standing: "Standing", now: Milliseconds) -> _Copy:
        """Return the document; raises UnusableDocument, or NoTurn if too many other calls to the host are in progress."""
        from credence.outgoing.client import Call
        from credence.outgoing.connecting import CallFailed
        from credence.outgoing.turns import NoTurn

        headers = {"Accept": "application/json", "User-Agent": "Credence"}
        call = Call(
            "client_metadata_document", "GET", client_id, headers, max_answer_bytes=MAX_BYTES, standing=standing
        )
        try:
            answer = await self._client.call(call)
        except CallRefused:
            raise UnusableDocument("client_document.refused") from None
        except NoTurn:
            raise
        except CallFailed:
            raise UnusableDocument("client_document.failed") from None
        if answer.status != 200:
            raise UnusableDocument("client_document.status")
        if not _JSON(answer.headers.get("content-type", "")):
            raise UnusableDocument("client_document.media_type")
        return _Copy(read_document(client_id, answer.body), now, fresh_seconds(answer.headers) * 1_000)


MIN_SECONDS = 60
"""The minimum, so that the pages of one sign-in need one fetch and not three; the draft leaves it to the server."""

MAX_SECONDS = 86_400

DEFAULT_SECONDS = 300
"""The freshness of an answer without caching header fields."""

_DIRECTIVE = re.compile(r'([a-z-]+)(?:="?([0-9]{1,10})"?)?').match


def fresh_seconds(headers: Mapping[str, str]) -> int:
    """Return for how many seconds an answer with these header fields is fresh; field names are in lower case."""
    return min(MAX_SECONDS, max(MIN_SECONDS, _stated(headers)))


def _stated(headers: Mapping[str, str]) -> int:
    directives: dict[str, str | None] = {}
    for part in headers.get("cache-control", "").lower().split(","):
        match = _DIRECTIVE(part.strip())
        if match:
            directives.setdefault(match[1], match[2])
    if "no-store" in directives or "no-cache" in directives:
        return 0
    age = headers.get("age", "")
    old = int(age) if age.isascii() and age.isdigit() and len(age) <= 10 else 0
    for name in ("s-maxage", "max-age"):
        seconds = directives.get(name)
        if seconds is not None:
            return int(seconds) - old
    if "expires" not in headers:
        return DEFAULT_SECONDS
    expires, date = _date(headers["expires"]), _date(headers.get("date", ""))
    return 0 if expires is None or date is None else int((expires - date).total_seconds()) - old


def _date(text: str) -> datetime | None:
    try:
        found = parsedate_to_datetime(text)
    except (ValueError, OverflowError):  # OverflowError: a number of more digits than any date has
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)
