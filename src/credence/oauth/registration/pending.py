"""Registrations without an invitation that no person has allowed yet. They are deleted after a day.

They become applications when a person allows them, as clients with a document do (`client_documents/remembering.py`), so a
caller who registers and never returns leaves no application (threats A12).
"""

import msgspec

from credence.clock import Milliseconds
from credence.crypto.digest import sha256
from credence.store.contract import Store
from credence.store.records import Application

KEPT_MS = 86_400_000

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Application).decode


async def keep(store: Store, application: Application, now: Milliseconds) -> None:
    """Store the registration for a day."""
    await store.keep_answer(_key(application.client_id), _encode(application), now + KEPT_MS)


async def find(store: Store, client_id: str, now: Milliseconds) -> Application | None:
    """Return the pending registration with this client_id."""
    kept = await store.kept_answer(_key(client_id), now)
    return None if kept is None else _decode(kept)


def _key(client_id: str) -> bytes:
    return sha256(f"registration\n{client_id}".encode())
