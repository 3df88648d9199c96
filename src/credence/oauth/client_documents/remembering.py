"""Stores an unverified client once a person has allowed it, so that every node knows it at the token endpoint.

Before that nothing is stored, because any caller can send a request (threats A12).
"""

from collections.abc import Iterable

import msgspec

from credence.clock import Milliseconds
from credence.oauth.client_id_urls import is_document_url
from credence.store.contract import Conflict, Store
from credence.store.records import Application
from credence.store.sign_ins import Consent

MAX_PER_PERSON = 50
"""Maximum number of clients with a document that one person may allow."""


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
        wanted = msgspec.structs.replace(application, version=1)
    elif row == application:
        return row
    elif row.version != application.version:
        raise Conflict
    else:
        wanted = msgspec.structs.replace(application, version=row.version + 1)
    await store.save_application(wanted, now)
    return wanted
