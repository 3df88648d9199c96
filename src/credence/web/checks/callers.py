"""Who is calling, and may they call now, from there? The steps that endpoints share (D3, D15, D16, D26)."""

from credence.access.caller_address import Address, caller_address
from credence.access.rules import decide
from credence.oauth import bearer, client_authentication
from credence.oauth.bearer import Bearer
from credence.oauth.client_authentication import named_client
from credence.oauth.client_authentication.methods import is_public, proves_by_secret
from credence.oauth.parameters.attributes import Attributes
from credence.ratelimit.limiter import Usage, require_admitted
from credence.refusals import CLIENT_MISSING, CLIENT_PROVES_TWICE, FORBIDDEN, INSUFFICIENT_SCOPE, WRONG_CLIENT, Refused
from credence.service import Service
from credence.store.records import Account, Application
from credence.web.checks.sender_constraint import require_possession
from credence.web.messages.authorization import BEARER_OR_DPOP, shown_token
from credence.web.messages.client_certificates import shown_certificate
from credence.web.messages.request import Request


def require_client(attributes: Attributes) -> None:
    """Refuse a request that names no client (spec §7.2), or proves it in two ways (RFC 6749 §2.3, §5.2).

    In the standard dialect there are ways to prove a client without a secret, so only the name must be there.
    """
    if attributes.proves_twice:
        raise Refused(CLIENT_PROVES_TWICE, "client.multiple_methods")
    if attributes.contradicts or (attributes.client_id and attributes.client_secret):
        return
    if not (attributes.standard and (attributes.client_id or attributes.client_assertion)):
        raise Refused(CLIENT_MISSING, "client.missing")


async def authenticate_client(
    service: Service, request: Request, attributes: Attributes, claimed_username: str | None = None
) -> Application:
    """Return the application whose credentials these are; spike arrest is said first, also that of the account named.

    Whether they are right decides what the request counts against, so that is looked at before, and said after.
    """
    application = await service.authority.revocation_cache.application(named_client(attributes) or "")
    request.trace.application = application.client_id if application else None
    by_secret = application is None or proves_by_secret(application)
    shown = None if by_secret else shown_certificate(service.settings, request)
    fault = await client_authentication.fault(service.authority, application, attributes, shown, request.now)
    limiter, prefix = service.rate_limiter, address_prefix_of(service, request)
    if application is None or fault is not None:
        enforce(request, await limiter.limit_unauthenticated(prefix, request.now, application))
        raise Refused(WRONG_CLIENT, str(fault))
    request.trace.asked_for = attributes.username
    if is_public(application):  # it has named itself, and anybody can
        usage = await limiter.limit_unauthenticated(prefix, request.now, application, claimed_username)
    else:
        usage = await limiter.limit_client(prefix, request.now, application, claimed_username)
    enforce(request, usage)
    return application


async def authenticate_bearer(service: Service, request: Request, scope: str | None) -> Bearer:
    """Return whom the bearer token speaks for (spec §1.1, D20), after spike arrest and the rules on address and hours.

    Refused when the token does not open what `scope` stands for (RFC 6750 §3.1); None asks for no scope.
    """
    limiter, prefix = service.rate_limiter, address_prefix_of(service, request)
    try:
        caller = await _bearer(service, request)
    except Refused:
        enforce(request, await limiter.limit_unauthenticated(prefix, request.now))
        raise
    application, account = caller.application, caller.account
    request.trace.application = application.client_id
    username = request.trace.account = account.username if account else None
    enforce(request, await limiter.limit_authenticated(prefix, request.now, application, username))
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


def enforce(request: Request, usage: Usage) -> None:
    """Put what the request counted against on its response, then refuse a request that a limit had no room for (D16)."""
    request.trace.usage = request.trace.usage.and_then(usage)
    require_admitted(usage)


def address_prefix_of(service: Service, request: Request) -> str:
    """Return the caller's address prefix: /32 for IPv4, /64 for IPv6 (threats A4)."""
    return service.prefixes.of(request.peer, request.forwarded)


def address_of(service: Service, request: Request) -> Address:
    """Return the caller's address: the peer's, or what a trusted proxy says (D26)."""
    return caller_address(
        request.peer, (request.forwarded,) if request.forwarded else (), service.settings.trusted_proxies
    )


async def _bearer(service: Service, request: Request) -> Bearer:
    scheme, token = shown_token(request.headers, BEARER_OR_DPOP)
    caller = await bearer.check(service.authority, token, request.now)
    require_possession(service, request, scheme, token, caller.claims.cnf)
    return caller
