"""Finds the client of an authorization request, and stores an unverified one once a person has allowed it.

Every node then knows it at the token endpoint. Before that nothing is stored, because any caller can send a request
(threats A12).
"""

from collections.abc import Iterable

import msgspec

from credence.clock import Milliseconds
from credence.crypto.digest import sha256
from credence.errors import OperatorError
from credence.oauth.authority import Authority
from credence.oauth.client_id_urls import UnusableDocument, is_document_url
from credence.oauth.registration import registering
from credence.ratelimit.limiter import RateLimiter
from credence.request_context import RequestContext
from credence.store.contract import Conflict, Store
from credence.store.records import Application
from credence.store.sign_ins import Consent

MAX_PER_PERSON = 50
"""Maximum number of clients with a document that one person may allow."""

UNKNOWN_DOCUMENT = sha256(b"")[:16]
"""The digest in place of a lost one. No document has it, so people are asked for consent again."""

_NAMED = 5
"""The most clients that a message names."""


class DigestLost(OperatorError):
    """The record of a client with a document has no digest of it, so the client would count as verified."""


def may_allow_another(client_id: str, consents: Iterable[Consent]) -> bool:
    """Return whether the person has allowed fewer than `MAX_PER_PERSON` clients with a document, not counting this one."""
    others = {each.client_id for each in consents if is_document_url(each.client_id)} - {client_id}
    return len(others) < MAX_PER_PERSON


async def remember(store: Store, application: Application, now: Milliseconds) -> Application:
    """Store the client as its document or registration describes it, and return it with its version.

    Raises Conflict when another request stored another description at the same time.
    """
    row = await store.application(application.client_id)
    if row is None:
        changed = msgspec.structs.replace(application, version=1)
    elif row == application:
        return row
    elif row.version != application.version:
        raise Conflict
    else:
        changed = msgspec.structs.replace(application, version=row.version + 1)
    await store.save_application(changed, now)
    return changed


def without_digest(applications: Iterable[Application]) -> list[Application]:
    """Return the clients with a document whose records have no digest of it; an earlier version lost it."""
    return [each for each in applications if not each.document_digest and is_document_url(each.client_id)]


def require_digests(applications: Iterable[Application]) -> None:
    """Raise DigestLost if a client with a document has lost its digest."""
    lost = without_digest(applications)
    if lost:
        named = ", ".join(each.client_id for each in lost[:_NAMED])
        raise DigestLost(
            f"The records of {len(lost):,} clients with a document have lost its digest, so they would count as verified: "
            f"{named}. To have people asked about them again: credence migrate"
        )


async def restore_digests(store: Store, now: Milliseconds) -> list[Application]:
    """Give each client that has lost its digest `UNKNOWN_DOCUMENT`, and return these clients. Raises Conflict."""
    lost = without_digest(await store.applications())
    for each in lost:
        restored = msgspec.structs.replace(each, document_digest=UNKNOWN_DOCUMENT, version=each.version + 1)
        await store.save_application(restored, now)
    return lost


async def requested_client(
    authority: Authority, rate_limiter: RateLimiter, request: RequestContext, client_id: str
) -> Application | None:
    """Return the client; None for an unknown client_id. Raises UnusableDocument if its document cannot be used.

    Only the authorization endpoint and the pushed request endpoint call this, so no other request has a document fetched.
    """
    row = await authority.revocation_cache.application(client_id)
    if row is None and authority.settings.open_registration and not is_document_url(client_id):
        return await registering.find(authority.store, client_id, request.now)
    if authority.client_of_document is not None:
        return await authority.client_of_document(client_id, row, rate_limiter, request)
    if row is not None and is_document_url(client_id):
        raise UnusableDocument("client_document.host")
    return row
