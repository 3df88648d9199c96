"""Authenticates the client of a request and checks from where and when it may call (RFC 6749 §2.3, D3, D15, D16).

An application has one registered method. Credentials of another method are refused even if they are correct: otherwise a
stolen secret would be enough although the application has registered a stronger method.
"""

from collections.abc import Awaitable, Callable

from credence.clock import Milliseconds
from credence.identity.applications import application_time, authenticates, has_secret, is_public, why_excluded
from credence.oauth.authority import Authority
from credence.oauth.client_authentication import methods, mutual_tls, private_key_jwt
from credence.oauth.client_hosts import accepts_client
from credence.oauth.forwarded_certificate import ForwardedCertificate, forwarded_certificate
from credence.oauth.parameters.attributes import Attributes
from credence.ratelimit.limiter import RateLimiter
from credence.refusals.credentials import CLIENT_MISSING, CLIENT_PROVES_TWICE, WRONG_CLIENT
from credence.refusals.refusal import Refused
from credence.refusals.requests import FORBIDDEN, FORM_UNSUPPORTED
from credence.request_context import RequestContext
from credence.settings import Settings
from credence.store.records import Account, Application

FindApplication = Callable[[str], Awaitable[Application | None]]


def require_client(attributes: Attributes) -> None:
    """Raise Refused when the request names no client (spec §7.2) or uses several methods (RFC 6749 §2.3, §5.2).

    The standard dialect has methods without a secret, so there the client_id or an assertion is enough. An `Authorization`
    field with another scheme than Basic is not client authentication.
    """
    if attributes.multiple_client_auth_methods:
        raise Refused(CLIENT_PROVES_TWICE, "client.multiple_methods")
    if attributes.conflicting_values or (attributes.client_id and attributes.client_secret):
        return
    if not (attributes.standard and (attributes.client_id or attributes.client_assertion)):
        raise Refused(CLIENT_MISSING, "client.missing")


async def authenticate_client(
    authority: Authority,
    rate_limiter: RateLimiter,
    request: RequestContext,
    attributes: Attributes,
    claimed_username: str | None = None,
    find: FindApplication | None = None,
) -> Application:
    """Return the application whose credentials the request carries.

    `claimed_username` is the account that the request names, in normal form. `find` replaces the look-up by client_id, so
    that clients that are not stored can be found.

    Raises Refused. If both apply, the refusal is the spike arrest and not the wrong credentials; but the credentials are
    verified first, because only a request with correct ones counts against the application's rate limit.
    """
    now = request.now
    cache, client_id = authority.revocation_cache, attributes.client_id or ""
    if attributes.client_id is None and attributes.client_assertion is not None:  # RFC 7521 §4.2
        client_id = private_key_jwt.subject(attributes.client_assertion) or ""
    application = cache.cached_application(client_id) if find is None else None
    if application is None:
        application = await (find or cache.application)(client_id)
    request.client_id = application.client_id if application else None
    by_secret = application is None or has_secret(application)
    certificate = None if by_secret else forwarded_certificate(authority.settings, request)
    error = await authentication_error(authority, application, attributes, certificate, now)
    if application is None or error is not None:
        request.enforce(await rate_limiter.limit_unauthenticated(request.address_prefix, application))
        raise Refused(WRONG_CLIENT, str(error))
    request.claimed_username = attributes.username
    if is_public(application):  # the client_id of a public client is not a secret
        usage = await rate_limiter.limit_unauthenticated(request.address_prefix, application, claimed_username)
    else:
        request.proven = True
        usage = await rate_limiter.limit_client(request.address_prefix, application, claimed_username)
    request.enforce(usage)
    return application


async def authentication_error(
    authority: Authority,
    application: Application | None,
    attributes: Attributes,
    certificate: ForwardedCertificate | None,
    now: Milliseconds,
) -> str | None:
    """Return the reason code if the credentials are not those of this application; None if they are.

    Raises StoreUnavailable if the use of an assertion could not be recorded.
    """
    if attributes.conflicting_values:
        return "client.conflicting_values"
    if (
        application is not None
        and application.document_digest
        and not await accepts_client(authority.store, application.client_id, authority.settings)
    ):
        return "client.document_host"
    if attributes.client_assertion is not None:
        return await private_key_jwt.authentication_error(authority, application, attributes, now)
    if attributes.client_secret is not None or application is None or has_secret(application):
        at = now if application is None else application_time(application, now)
        genuine = authenticates(application, attributes.client_secret or "", authority.secrets.digest, at)
        if application is not None and not _takes_secret(application, attributes):
            return "client.other_method"
        if genuine:
            return None
        return "client.disabled" if application is not None and application.disabled else "client.mismatch"
    if application.disabled:
        return "client.disabled"
    if application.authentication in mutual_tls.METHODS:
        return mutual_tls.authentication_error(application, certificate, now)
    return None if is_public(application) else "client.other_method"


def _takes_secret(application: Application, attributes: Attributes) -> bool:
    """Return whether the application authenticates by secret, and in the place where this request has it.

    The method names the place in the standard dialect (RFC 6749 §2.3.1). The house dialect has its own places (D2).
    """
    method = application.authentication
    if method == methods.CLIENT_SECRET or not attributes.standard:
        return has_secret(application)
    return method == attributes.secret_method


def access_error(
    settings: Settings, request: RequestContext, application: Application, account: Account | None
) -> Refused | None:
    """Return the refusal if the access rules of application or account exclude this address or hour (spec §5.10, D15)."""
    reason = why_excluded(application, account, lambda: request.caller(settings.trusted_proxies), request.now)
    return None if reason is None else Refused(FORBIDDEN, reason)


def check_access(
    settings: Settings, request: RequestContext, application: Application, account: Account | None
) -> None:
    """Raise the refusal that `access_error` returns."""
    refused = access_error(settings, request, application, account)
    if refused is not None:
        raise refused


async def require_secret_in_form(authority: Authority, request: RequestContext, client_id: str) -> None:
    """Refuse a password grant whose secret is in the form with 415, unless the application is registered for that (D1).

    The client_id alone decides, before the secret is checked, because 415 precedes every other refusal (D3).
    """
    application = await authority.revocation_cache.application(client_id)
    if application is None or application.authentication != methods.CLIENT_SECRET_POST:
        request.client_id = application.client_id if application else None
        raise Refused(FORM_UNSUPPORTED, "media_type.password_in_form")
