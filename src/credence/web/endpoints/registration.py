"""/oauth2/v1/register: applications register themselves, and see, change and end that (RFC 7591, RFC 7592)."""

from collections.abc import Mapping

import msgspec

from credence import paths
from credence.identity.applications import authenticates
from credence.oauth.registration import invitation, registering
from credence.oauth.registration.client_metadata import metadata_of
from credence.oauth.registration.registering import Registered
from credence.refusals import (
    INVALID_CLIENT_METADATA,
    REGISTRATION_CHANGED,
    REGISTRATION_TOKEN_INVALID,
    UNSUPPORTED_MEDIA_TYPE,
    Refused,
)
from credence.service import Service
from credence.store.contract import Conflict
from credence.store.records import Application, Registration
from credence.web.checks.callers import address_prefix_of, check_access, enforce
from credence.web.dialects.media import Form, body_form
from credence.web.dialects.reader import read_screened_json
from credence.web.messages.answer import JSON, Answer
from credence.web.messages.authorization import BEARER, shown_token
from credence.web.messages.caching import NO_STORE
from credence.web.messages.request import Request

OF_THE_ANSWER = frozenset(
    {"registration_access_token", "registration_client_uri", "client_secret_expires_at", "client_id_issued_at"}
)
"""Members that the service says and a request must not (RFC 7592 §2.2)."""

NUMBERS = frozenset({"n", "e", "x", "y", "x5c"})
"""Members of keys that are base64 of octets: no pattern means anything in them (D17)."""


async def register_application(service: Service, request: Request) -> Answer:
    """Register an application as far as its initial access token allows (RFC 7591 §3.1)."""
    network = address_prefix_of(service, request)
    enforce(request, await service.rate_limiter.limit_unauthenticated(network, request.now))  # spike arrest 401
    authority, prefix = service.authority, service.settings.environment.prefix
    invited = invitation.read(prefix, authority.secrets.digest, _token(request), request.now)
    if invited is None:
        raise Refused(REGISTRATION_TOKEN_INVALID, "registration.invitation")
    made = await registering.register(authority, invited, _members(service, request), request.now)
    request.trace.application, request.trace.deed = made.application.client_id, "registered"
    return _answer(service, made, status=201)


async def read_registration(service: Service, request: Request) -> Answer:
    """Return what the application is registered as (RFC 7592 §2.1)."""
    application, _ = await _registered(service, request)
    return _answer(service, Registered(application, _token(request)))


async def change_registration(service: Service, request: Request) -> Answer:
    """Let the application be as its new metadata says, all of it (RFC 7592 §2.2)."""
    application, registration = await _registered(service, request)
    members = _members(service, request)
    _check_identity(service, application, members, request)
    try:
        made = await registering.change(service.authority, application, registration, members, request.now)
    except Conflict:
        raise Refused(REGISTRATION_CHANGED, "registration.conflict") from None
    request.trace.deed = "registration_changed"
    return _answer(service, made)


async def end_registration(service: Service, request: Request) -> Answer:
    """Disable the application, at its own wish (RFC 7592 §2.3)."""
    application, _ = await _registered(service, request)
    try:
        await registering.end(service.authority, application, request.now)
    except Conflict:
        raise Refused(REGISTRATION_CHANGED, "registration.conflict") from None
    request.trace.deed = "registration_ended"
    return Answer(204, "", b"", (NO_STORE,))


async def _registered(service: Service, request: Request) -> tuple[Application, Registration]:
    """Return the application of the path; Refused unless the token is its own, from where it may call (D15)."""
    limiter, prefix = service.rate_limiter, address_prefix_of(service, request)
    try:
        found = await registering.registered(service.authority, request.segment, _token(request))
    except Refused:
        enforce(request, await limiter.limit_unauthenticated(prefix, request.now))
        raise
    application = found[0]
    request.trace.application = application.client_id
    enforce(request, await limiter.limit_authenticated(prefix, request.now, application, None))
    check_access(service, request, application, None)
    return found


def _token(request: Request) -> str:
    """Return the initial or registration access token (RFC 7591 §3, RFC 7592 §2)."""
    return shown_token(request.headers, BEARER)[1]


def _members(service: Service, request: Request) -> Mapping[str, object]:
    if body_form(request.headers) is not Form.JSON:
        raise Refused(UNSUPPORTED_MEDIA_TYPE, "media_type.unknown")
    return read_screened_json(request.body, service.limits, NUMBERS)


def _check_identity(
    service: Service, application: Application, members: Mapping[str, object], request: Request
) -> None:
    """Refuse a change that names another application, a secret that is not its own, or what is not the client's to say."""
    secret = members.get("client_secret")
    digest_key = service.authority.secrets.digest
    if members.get("client_id") != application.client_id or not OF_THE_ANSWER.isdisjoint(members):
        raise Refused(INVALID_CLIENT_METADATA, "registration.identity")
    if secret is not None and not (
        isinstance(secret, str) and authenticates(application, secret, digest_key, request.now)
    ):
        raise Refused(INVALID_CLIENT_METADATA, "registration.identity")


def _answer(service: Service, made: Registered, status: int = 200) -> Answer:
    """Return the client information response (RFC 7591 §3.2.1, RFC 7592 §3). Times are in seconds."""
    application = made.application
    said: dict[str, object] = {
        "client_id": application.client_id,
        "client_id_issued_at": application.created_at // 1000,
        "registration_access_token": made.token,
        "registration_client_uri": f"{service.settings.issuer}{paths.REGISTRATION}/{application.client_id}",
        **metadata_of(application),
    }
    if made.secret is not None:
        said |= {"client_secret": made.secret, "client_secret_expires_at": 0}
    return Answer(status, JSON, msgspec.json.encode(said), (NO_STORE,))
