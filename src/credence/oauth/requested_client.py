"""The client of an authorization request: a registered application, or one that a document describes."""

from credence.oauth.authority import Authority
from credence.oauth.client_addresses import UnusableDocument
from credence.ratelimit.limiter import RateLimiter
from credence.request_context import RequestContext
from credence.store.records import Application


async def requested_client(
    authority: Authority, rate_limiter: RateLimiter, request: RequestContext, client_id: str
) -> Application | None:
    """Return the client; None for an unknown one, UnusableDocument if its document cannot be used.

    Only the authorization endpoint and the one for pushed requests call this: nothing else has a document fetched.
    """
    row = await authority.revocation_cache.application(client_id)
    if authority.client_of_document is not None:
        return await authority.client_of_document(client_id, row, rate_limiter, request)
    if row is not None and row.document_digest:
        raise UnusableDocument("client_document.host")
    return row
