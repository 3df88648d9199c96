"""Client ID Metadata Documents: metadata that a client publishes at the URL that is its client_id.

The rules are those of draft-ietf-oauth-client-id-metadata-document-02. What a document says is unverified: it proves only
that the host of the address publishes it.
"""

from collections.abc import Mapping
from typing import Any

import msgspec

from credence.clock import Milliseconds
from credence.crypto.digest import sha256
from credence.oauth.client_id_urls import UnusableDocument
from credence.oauth.parameters.scopes import OF_PUBLIC_CLIENTS
from credence.oauth.registration.client_metadata import with_metadata
from credence.oauth.registration.self_chosen_names import check_self_chosen_name
from credence.refusals.refusal import Refused
from credence.settings import Settings
from credence.store.records import Application, Registration

MAX_BYTES = 5_120
"""The maximum size of a document, as the draft proposes."""

GRANTS = ("authorization_code", "refresh_token")
"""The only grants that such a client may have."""

_TAKEN = frozenset(
    {
        "client_name",
        "redirect_uris",
        "scope",
        "jwks",
        "jwks_uri",
        "application_type",
        "dpop_bound_access_tokens",
        "require_pushed_authorization_requests",
    }
)
"""The members that are used, besides the authentication method.

Links and pictures are ignored: the consent page does not show content of an unverified client.
"""

_WITHOUT_SECRET = ("none", "private_key_jwt")


class ClientDocument(msgspec.Struct, frozen=True):
    """A document that passes the checks which need no settings."""

    members: Mapping[str, Any]
    """The members that are used."""
    digest: bytes
    """Digest of the received document: after any change, people are asked for consent again."""


def read_document(client_id: str, body: bytes) -> ClientDocument:
    """Return the document; UnusableDocument if it breaks a rule of the draft."""
    try:
        members = msgspec.json.decode(body, type=dict[str, Any])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise UnusableDocument("client_document.syntax") from None
    if members.get("client_id") != client_id:
        raise UnusableDocument("client_document.client_id")
    method = members.get("token_endpoint_auth_method", "none")
    if method not in _WITHOUT_SECRET or not {"client_secret", "client_secret_expires_at"}.isdisjoint(members):
        raise UnusableDocument("client_document.secret")
    if not members.get("client_name") or not members.get("redirect_uris"):
        raise UnusableDocument("client_document.lacks")
    taken = {name: value for name, value in members.items() if name in _TAKEN}
    return ClientDocument({**taken, "token_endpoint_auth_method": method}, sha256(body)[:16])


def client_of_document(
    client_id: str, document: ClientDocument, row: Application | None, settings: Settings, now: Milliseconds
) -> Application:
    """Return the client that a document describes; UnusableDocument for metadata that no application may have.

    `row` is the stored application, if a person has allowed the client before. Its version and the fields that the operator
    set are kept.
    """
    known = row or Application(client_id, "", (), created_at=now)
    limits = Registration(b"", GRANTS, OF_PUBLIC_CLIENTS)  # an empty digest belongs to no registration access token
    registration = known.registration or limits
    try:
        described = with_metadata(known, registration, document.members, settings)
        check_self_chosen_name(described.name, settings.operator_name)
    except Refused as refused:
        raise UnusableDocument(refused.reason) from None
    return msgspec.structs.replace(described, registration=registration, document_digest=document.digest)
