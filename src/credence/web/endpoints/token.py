"""POST /oauth2/v1/token (spec §4.1): the checks that every grant passes, in the one order of D3.

What comes before stands in the pipeline and the reader: method 405, sizes 401, media type 415, structure and patterns 401.
"""

from credence.oauth.client_authentication.methods import is_public
from credence.oauth.grants import GRANTS
from credence.oauth.grants.grant import Caller, Grant
from credence.oauth.issue import Asked, Issued
from credence.oauth.parameters.attributes import Attributes
from credence.refusals import ACCOUNT_NOT_ACTIVE, GRANT_NOT_ALLOWED, GRANT_UNKNOWN, Refused
from credence.service import Service
from credence.store.records import Account, Application
from credence.web.checks.callers import (
    address_prefix_of,
    authenticate_client,
    check_access,
    enforce,
    require_client,
)
from credence.web.checks.sender_constraint import proven_binding
from credence.web.messages.request import Request


async def obtain_token(service: Service, request: Request, attributes: Attributes) -> Issued:
    """Return the tokens that the request earned; Refused with the first reason in order (D3)."""
    require_client(attributes)  # 400
    grant = _grant(attributes)  # 400
    _require_attributes(grant, attributes)  # 400
    named = grant.names(attributes, service.settings.environment.prefix)
    application = await authenticate_client(
        service, request, attributes, named.username
    )  # spike arrest 401, wrong client 401
    _require_allowed(grant, application)  # D25 400
    bound_to = await proven_binding(service, request, application, standard=attributes.standard)  # RFC 9449 400
    caller = Caller(application, address_prefix_of(service, request), request.gone)
    login = await grant.identify(service.authority, caller, attributes, named, request.now)  # wrong user or token 401
    username = request.trace.account = login.account.username if login.account else None
    enforce(request, await service.rate_limiter.limit_account(username, request.now))
    try:
        if login.account is not None:
            _require_active(login.account)  # D14 401
        check_access(service, request, application, login.account)  # 403
        if is_public(application) and login.exchange is not None:  # anybody can give its name
            check_access(service, request, login.exchange.subject.application, None)
    except Refused:
        await grant.confirm(service.authority, login, request.now)  # a wrong token is said first, and reuse is seen
        raise
    asked = Asked(attributes.scope, attributes.resources, bound_to)
    return await grant.issue(service.authority, application, login, asked, request.now)  # scope or resource 400


def _grant(attributes: Attributes) -> Grant:
    grant = GRANTS.get(attributes.grant_type or _implied_grant(attributes))
    if grant is None:
        raise Refused(GRANT_UNKNOWN, "grant_type.unknown")
    return grant


def _implied_grant(attributes: Attributes) -> str:
    """Return what an absent grant_type means (D2); a request that says nothing is told about username and password."""
    if attributes.refresh_token and not (attributes.username or attributes.password):
        return "refresh_token"
    return "password"


def _require_attributes(grant: Grant, attributes: Attributes) -> None:
    if grant.missing is not None and not all(getattr(attributes, name) for name in grant.needs):
        raise Refused(grant.missing, f"{grant.word}.attribute_missing")


def _require_active(account: Account) -> None:
    if account.status != "active":
        raise Refused(ACCOUNT_NOT_ACTIVE, f"account.{account.status}")


def _require_allowed(grant: Grant, application: Application) -> None:
    if grant.name not in application.grants:
        raise Refused(GRANT_NOT_ALLOWED, "grant_type.not_allowed")
    if is_public(application) and not grant.open_to_public:
        raise Refused(GRANT_NOT_ALLOWED, "grant_type.not_for_public")
