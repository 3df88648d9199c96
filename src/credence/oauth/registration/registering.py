"""Creates, changes and ends applications by dynamic registration (RFC 7591 §3, RFC 7592 §2).

Without an invitation a registration is pending until a person allows it, and is deleted after a day. It becomes an
application as a client with a document does (`client_documents/remembering.py`), so a caller who registers and never returns
leaves no application (threats A12).
"""

from collections.abc import Mapping
from dataclasses import dataclass

import msgspec

from credence.clock import Milliseconds
from credence.crypto.digest import constant_time_equal, keyed_digest, sha256
from credence.crypto.randomness import checksum, credential_prefix, new_registration_token
from credence.identity.applications import has_secret, with_disabled, with_first_secret, without_secret
from credence.oauth.applications_index import algorithms_of
from credence.oauth.authority import Authority
from credence.oauth.keys.rotation import publish_ahead
from credence.oauth.parameters.scopes import SCOPES
from credence.oauth.registration.client_metadata import with_metadata
from credence.oauth.registration.invitation import Invitation, use
from credence.oauth.registration.self_chosen_names import check_self_chosen_name
from credence.refusals.refusal import Refused
from credence.refusals.registration import REGISTRATION_TOKEN_INVALID
from credence.store.contract import Store
from credence.store.records import Application, Registration

GRANTS_WITHOUT_INVITATION = ("authorization_code", "refresh_token")
"""Grants of an application that was registered without an invitation: tokens only for a person who allowed it."""

_NOT_WITHOUT_INVITATION = frozenset(
    {
        *("backchannel_logout_uri", "backchannel_logout_session_required", "post_logout_redirect_uris"),
        *("policy_uri", "tos_uri"),
        *("id_token_signed_response_alg", "authorization_signed_response_alg", "scope"),
    }
)
"""Members that are ignored without an invitation.

Addresses of unknown clients are neither called nor shown, people are not sent to them after signing out (RFC 9700
§4.11.2), and their algorithms create no keys. `scope` is ignored because clients in use register the scope of their first
challenge and request further ones later; the person decides on each.
"""


@dataclass(frozen=True, slots=True, repr=False)
class Registered:
    """An application after registration, with the credentials that only this answer contains."""

    application: Application
    token: str | None
    """The registration access token; None if the application cannot change its registration."""
    secret: str | None = None
    """A new client secret; None if the application has one already or needs none."""


async def register(
    authority: Authority, invitation: Invitation, members: Mapping[str, object], now: Milliseconds
) -> Registered:
    """Return a new application with this metadata; Refused when the metadata is not allowed or the invitation is used up.

    The invitation is used last, so a refused request does not use it. If the store fails after that, one use is lost.
    """
    environment = authority.settings.environment.prefix
    bare = without_secret("", environment, now)
    token, registration = _registration(authority, bare, Registration(b"", invitation.grants, invitation.scopes))
    limits = msgspec.structs.replace(bare, audiences=invitation.audiences, pkce=invitation.pkce)
    described = with_metadata(limits, registration, members, authority.settings)
    application, secret = _with_secret(authority, msgspec.structs.replace(described, registration=registration), now)
    if not await use(authority.store, authority.secrets.digest, invitation):
        raise Refused(REGISTRATION_TOKEN_INVALID, "registration.invitation_used")
    await _publish_keys(authority, application, now)
    await authority.store.save_application(application, now)
    return Registered(application, token, secret)


async def register_without_invitation(
    authority: Authority, members: Mapping[str, object], now: Milliseconds
) -> Registered:
    """Return a new application, which is stored when a person allows it; Refused if the metadata is not allowed.

    It has no registration access token (RFC 7592 is optional), and no address that the service would call.
    """
    bare = without_secret("", authority.settings.environment.prefix, now)
    registration = Registration(b"", GRANTS_WITHOUT_INVITATION, tuple(SCOPES), unverified=True)
    taken = {name: value for name, value in members.items() if name not in _NOT_WITHOUT_INVITATION}
    described = with_metadata(bare, registration, taken, authority.settings)
    check_self_chosen_name(described.name, authority.settings.operator_name)
    application, secret = _with_secret(authority, msgspec.structs.replace(described, registration=registration), now)
    await keep(authority.store, application, now)
    return Registered(application, None, secret)


async def registered(authority: Authority, client_id: str, token: str) -> tuple[Application, Registration]:
    """Return the application with this registration access token; Refused for a wrong token (RFC 7592 §2.1)."""
    body = token[: -len(checksum(""))]
    prefix = credential_prefix(authority.settings.environment.prefix, "reg")
    genuine = token.startswith(prefix) and constant_time_equal(checksum(body).encode(), token[len(body) :].encode())
    application = await authority.store.application(client_id) if genuine else None
    registration = application.registration if application else None
    if application is None or registration is None or application.disabled:
        raise Refused(REGISTRATION_TOKEN_INVALID, "registration.token")
    if not constant_time_equal(registration.token, _digest(authority, client_id, token)):
        raise Refused(REGISTRATION_TOKEN_INVALID, "registration.token")
    return application, registration


async def change(
    authority: Authority,
    application: Application,
    registration: Registration,
    members: Mapping[str, object],
    now: Milliseconds,
) -> Registered:
    """Replace the metadata and return the application with a new registration access token (RFC 7592 §2.2, §5).

    The old token becomes invalid. Raises Conflict when the application was changed after it was read.
    """
    described = with_metadata(application, registration, members, authority.settings)
    token, renewed = _registration(authority, application, registration)
    changed, secret = _with_secret(authority, msgspec.structs.replace(described, registration=renewed), now)
    changed = msgspec.structs.replace(changed, version=application.version + 1)
    await _publish_keys(authority, changed, now)
    await authority.store.save_application(changed, now)
    return Registered(changed, token, secret)


async def end(authority: Authority, application: Application, now: Milliseconds) -> None:
    """Disable the application permanently and invalidate its tokens; its client_id is never reassigned (threats T16)."""
    ended = msgspec.structs.replace(with_disabled(application, now, disabled=True), registration=None)
    await authority.store.save_application(ended, now)


async def _publish_keys(authority: Authority, application: Application, now: Milliseconds) -> None:
    algorithms = algorithms_of([application])
    if algorithms:
        await publish_ahead(authority.store, authority.keks, authority.settings, algorithms, now)


def _registration(
    authority: Authority, application: Application, registration: Registration
) -> tuple[str, Registration]:
    """Return a new registration access token, and the registration with the digest of that token."""
    token = new_registration_token(authority.settings.environment.prefix)
    digest = _digest(authority, application.client_id, token)
    return token, msgspec.structs.replace(registration, token=digest)


def _with_secret(authority: Authority, application: Application, now: Milliseconds) -> tuple[Application, str | None]:
    """Return the application, with a secret only if its method needs one, and the secret if it was made now."""
    if not has_secret(application):
        return msgspec.structs.replace(application, secrets=()), None
    if application.secrets:
        return application, None
    return with_first_secret(application, authority.settings.environment.prefix, authority.secrets.digest, now)


def _digest(authority: Authority, client_id: str, token: str) -> bytes:
    return keyed_digest(authority.secrets.digest, "registration", client_id.encode(), token.encode())


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
