"""Finds the client of an authorization request: a registered application, or an unverified client."""

from credence.oauth.authority import Authority
from credence.oauth.client_id_urls import UnusableDocument, is_document_url
from credence.oauth.registration import pending
from credence.ratelimit.limiter import RateLimiter
from credence.request_context import RequestContext
from credence.store.records import Application


async def requested_client(
    authority: Authority, rate_limiter: RateLimiter, request: RequestContext, client_id: str
) -> Application | None:
    """Return the client; None for an unknown client_id. Raises UnusableDocument if its document cannot be used.

    Only the authorization endpoint and the pushed request endpoint call this, so no other request has a document fetched.
    """
    row = await authority.revocation_cache.application(client_id)
    if row is None and authority.settings.open_registration and not is_document_url(client_id):
        return await pending.find(authority.store, client_id, request.now)
    if authority.client_of_document is not None:
        return await authority.client_of_document(client_id, row, rate_limiter, request)
    if row is not None and is_document_url(client_id):
        raise UnusableDocument("client_document.host")
    return row
