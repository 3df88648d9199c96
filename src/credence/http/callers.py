"""Who is calling, and may they call now, from there? The steps that endpoints share (D3, D15, D16, D26)."""

from credence.guard.access import decide
from credence.guard.caller import Address, caller_address
from credence.http.request import Request
from credence.http.spikes import count_client, count_proven, count_unproven, known_account
from credence.identity.applications import authenticates
from credence.oauth import bearer
from credence.oauth.attributes import Attributes
from credence.oauth.bearer import Bearer
from credence.refusals import (
    AUTHENTICATION_FAILED,
    CLIENT_MISSING,
    FORBIDDEN,
    INSUFFICIENT_SCOPE,
    WRONG_CLIENT,
    Refused,
)
from credence.service import Service
from credence.store.records import Account, Application


def require_client(attributes: Attributes) -> None:
    """Refuse a request that names no client (spec §7.2)."""
    if not (attributes.client_id and attributes.client_secret) and not attributes.contradicts:
        raise Refused(CLIENT_MISSING, "client.missing")


async def authenticate_client(
    service: Service, request: Request, attributes: Attributes, account: bytes | None = None
) -> Application:
    """Return the application whose credentials these are; spike arrest is said first, also that of the account named.

    Whether they are right decides what the request counts against, so that is looked at before, and said after.
    """
    application = await service.authority.mirror.application(attributes.client_id or "")
    request.trace.application = application.client_id if application else None
    secret, digest_key = attributes.client_secret or "", service.authority.secrets.digest
    genuine = authenticates(application, secret, digest_key, request.now)
    if application is None or not genuine or attributes.contradicts:
        await count_unproven(service, request, application)
        raise Refused(WRONG_CLIENT, "client.contradicts" if attributes.contradicts else "client.mismatch")
    request.trace.asked_for = attributes.username
    await count_client(service, request, application, account)
    return application


async def authenticate_bearer(service: Service, request: Request, scope: str | None) -> Bearer:
    """Return whom the bearer token speaks for (spec §1.1, D20), after spike arrest and the rules on address and hours.

    Refused when the token does not open what `scope` stands for (RFC 6750 §3.1); None asks for no scope.
    """
    try:
        caller = await _bearer(service, request)
    except Refused:
        await count_unproven(service, request, None)
        raise
    application, account = caller.application, caller.account
    request.trace.application = application.client_id
    key = None
    if account is not None:
        request.trace.account = account.username
        key = known_account(service.authority.secrets.digest, account.username)
    await count_proven(service, request, application, key)
    check_access(service, request, application, account)
    if scope is not None and scope not in caller.scopes:
        raise Refused(INSUFFICIENT_SCOPE, "scope.insufficient")
    return caller


def check_access(service: Service, request: Request, application: Application, account: Account | None) -> None:
    """Refuse a caller whose address or hour is outside the rules of the application or the account (spec §5.10)."""
    for owner, rules in (("application", application.rules), ("account", account.rules if account else None)):
        if rules is not None and (rules.networks or rules.windows):
            reason = decide(rules, address_of(service, request), request.now)
            if reason is not None:
                raise Refused(FORBIDDEN, f"{reason}_of_{owner}")


def address_of(service: Service, request: Request) -> Address:
    """Return the caller's address: the peer's, or what a trusted proxy says (D26)."""
    return caller_address(
        request.peer, (request.forwarded,) if request.forwarded else (), service.settings.trusted_proxies
    )


async def _bearer(service: Service, request: Request) -> Bearer:
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not token or " " in token:
        raise Refused(AUTHENTICATION_FAILED, "bearer.header")
    return await bearer.check(service.authority, token, request.now)
