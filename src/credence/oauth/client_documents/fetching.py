"""Fetches the documents of clients through the service's outgoing HTTP client, and caches them while they are fresh (D29).

A document is fetched only for an authorization request or a pushed one. Failed fetches and invalid documents are not
cached. One that was fetched while the clock was ahead is fetched again (threats T11).
"""

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from credence.clock import Milliseconds
from credence.generational_cache import GenerationalCache
from credence.oauth.client_documents.document import MAX_BYTES, ClientDocument, client_of_document, read_document
from credence.oauth.client_documents.freshness import fresh_seconds
from credence.oauth.client_hosts import accepts_client
from credence.oauth.client_id_urls import UnusableDocument, host_of_client, is_document_url
from credence.outgoing.target import CallRefused
from credence.ratelimit.limiter import RateLimiter
from credence.request_context import RequestContext
from credence.settings import Settings
from credence.store.contract import Store
from credence.store.records import Application

if TYPE_CHECKING:
    from credence.outgoing.client import OutgoingClient

MAX_DOCUMENTS = 500
"""Documents in each of the two generations of the cache: at most about 5 MB."""

_JSON = re.compile(r"application/(json|[a-z0-9!#$&^_.+-]+\+json)\s*(;.*)?", re.IGNORECASE).fullmatch


@dataclass(slots=True)
class ClientDocuments:
    """The cached documents of this process."""

    settings: Settings
    store: Store
    client: "OutgoingClient"
    _fresh: GenerationalCache[str, tuple[Milliseconds, Milliseconds, ClientDocument]] = field(
        default_factory=lambda: GenerationalCache(MAX_DOCUMENTS)
    )
    """client_id -> when the document was fetched, for how long it is fresh, and the document."""

    async def client_of(
        self, client_id: str, row: Application | None, rate_limiter: RateLimiter, request: RequestContext
    ) -> Application | None:
        """Return the client with this client_id as its document describes it now; `row` for an id that is no URL of one.

        Raises UnusableDocument if its host is not accepted, the fetch fails, or the document breaks a rule. Raises Refused
        with a spike arrest after too many fetches for the request's address, or for one host.
        """
        if not is_document_url(client_id):
            return row
        if not await accepts_client(self.store, client_id, self.settings):
            raise UnusableDocument("client_document.host")
        kept = self._fresh.get(client_id)
        if kept is not None and 0 <= request.now - kept[0] < kept[1]:
            return client_of_document(client_id, kept[2], row, self.settings, request.now)
        await rate_limiter.require_fetch(request.address_prefix, host_of_client(client_id))
        document, seconds = await self._fetch(client_id)
        client = client_of_document(client_id, document, row, self.settings, request.now)
        self._fresh.put(client_id, (request.now, seconds * 1000, document))
        return client

    async def _fetch(self, client_id: str) -> tuple[ClientDocument, int]:
        """Return the document and the seconds for which it is fresh."""
        # Imported only here: most deployments make no outgoing calls.
        from credence.outgoing.client import Call
        from credence.outgoing.connecting import CallFailed

        headers = {"Accept": "application/json", "User-Agent": "Credence"}
        call = Call("client_metadata_document", "GET", client_id, headers, max_answer_bytes=MAX_BYTES)
        try:
            answer = await self.client.call(call)
        except CallRefused:
            raise UnusableDocument("client_document.refused") from None
        except CallFailed:
            raise UnusableDocument("client_document.failed") from None
        if answer.status != 200:
            raise UnusableDocument("client_document.status")
        if not _JSON(answer.headers.get("content-type", "")):
            raise UnusableDocument("client_document.media_type")
        return read_document(client_id, answer.body), fresh_seconds(answer.headers)
