"""The client registration endpoint: an application registers, reads, changes and ends itself (RFC 7591, RFC 7592)."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from credence.identity.applications import authenticates
from credence.oauth.authority import Authority
from credence.oauth.client_authentication.authentication import check_access
from credence.oauth.registration import invitation, registering
from credence.oauth.registration.registering import Registered
from credence.ratelimit.limiter import RateLimiter
from credence.refusals.credentials import AUTHENTICATION_FAILED
from credence.refusals.refusal import Refused
from credence.refusals.registration import (
    INVALID_CLIENT_METADATA,
    REGISTRATION_CHANGED,
    REGISTRATION_TOKEN_INVALID,
    REGISTRATIONS_TOO_MANY,
)
from credence.request_context import RequestContext
from credence.store.contract import Conflict
from credence.store.records import Application, Registration

ReadMembers = Callable[[], Mapping[str, object]]
"""Parses the metadata of the request, after its token was verified. Raises Refused."""

OF_THE_ANSWER = frozenset(
    {"registration_access_token", "registration_client_uri", "client_secret_expires_at", "client_id_issued_at"}
)
"""Members of the answer that a request must not contain (RFC 7592 §2.2)."""


async def register(
    authority: Authority,
    rate_limiter: RateLimiter,
    request: RequestContext,
    token: str | None,
    read_members: ReadMembers,
) -> Registered:
    """Register an application within the limits of its initial access token, or of open registration (RFC 7591 §3.1)."""
    with _too_many():
        request.enforce(await rate_limiter.limit_unauthenticated(request.address_prefix))
        if token is None and authority.settings.open_registration:
            await rate_limiter.require_row("registration", request.address_prefix)
    if token is None and authority.settings.open_registration:
        made = await registering.register_without_invitation(authority, read_members(), request.now)
        request.client_id = made.application.client_id
        return made
    prefix, digest_key = authority.settings.environment.prefix, authority.secrets.digest
    invited = invitation.read(prefix, digest_key, _required(token), request.now)
    if invited is None:
        raise Refused(REGISTRATION_TOKEN_INVALID, "registration.invitation")
    made = await registering.register(authority, invited, read_members(), request.now)
    request.client_id = made.application.client_id
    return made


async def read(
    authority: Authority, rate_limiter: RateLimiter, request: RequestContext, token: str | None
) -> Registered:
    """Return the registered metadata of the application (RFC 7592 §2.1)."""
    application, _ = await _authenticated(authority, rate_limiter, request, token)
    return Registered(application, _required(token))


async def change(
    authority: Authority,
    rate_limiter: RateLimiter,
    request: RequestContext,
    token: str | None,
    read_members: ReadMembers,
) -> Registered:
    """Replace the metadata of the application by that of the request (RFC 7592 §2.2)."""
    application, registration = await _authenticated(authority, rate_limiter, request, token)
    members = read_members()
    _check_identity(authority, application, members, request)
    try:
        return await registering.change(authority, application, registration, members, request.now)
    except Conflict:
        raise Refused(REGISTRATION_CHANGED, "registration.conflict") from None


async def end(authority: Authority, rate_limiter: RateLimiter, request: RequestContext, token: str | None) -> None:
    """Disable the application at its own request (RFC 7592 §2.3)."""
    application, _ = await _authenticated(authority, rate_limiter, request, token)
    try:
        await registering.end(authority, application, request.now)
    except Conflict:
        raise Refused(REGISTRATION_CHANGED, "registration.conflict") from None


async def _authenticated(
    authority: Authority, rate_limiter: RateLimiter, request: RequestContext, token: str | None
) -> tuple[Application, Registration]:
    """Return the application of the path; Refused unless the token is its own and its rules allow the request (D15)."""
    try:
        application, registration = await registering.registered(authority, request.segment, _required(token))
    except Refused:
        with _too_many():
            request.enforce(await rate_limiter.limit_unauthenticated(request.address_prefix))
        raise
    request.proven = True
    request.client_id = application.client_id
    usage = await rate_limiter.limit_authenticated(request.address_prefix, application, None)
    with _too_many():
        request.enforce(usage)
    check_access(authority.settings, request, application, None)
    return application, registration


@contextmanager
def _too_many() -> Iterator[None]:
    """Refuse with 429 what is over its rate: 401 would say that the client may not register, and it would give up."""
    try:
        yield
    except Refused as refused:
        raise Refused(REGISTRATIONS_TOO_MANY, refused.reason, retry_after=refused.retry_after) from None


def _required(token: str | None) -> str:
    if token is None:
        raise Refused(AUTHENTICATION_FAILED, "bearer.header")
    return token


def _check_identity(
    authority: Authority, application: Application, members: Mapping[str, object], request: RequestContext
) -> None:
    """Refuse another client_id, a wrong secret, and members of the answer in the request (RFC 7592 §2.2)."""
    secret = members.get("client_secret")
    if members.get("client_id") != application.client_id or not OF_THE_ANSWER.isdisjoint(members):
        raise Refused(INVALID_CLIENT_METADATA, "registration.identity")
    if secret is not None and not (
        isinstance(secret, str) and authenticates(application, secret, authority.secrets.digest, request.now)
    ):
        raise Refused(INVALID_CLIENT_METADATA, "registration.identity")
