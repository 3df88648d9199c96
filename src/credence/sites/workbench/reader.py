"""The reader of the workbench: a person who works for one application, with its scopes, limits, rules and portfolios."""

from credence.identity.applications import application_time
from credence.mcp.tool import Sources
from credence.oauth.liveness import liveness_error
from credence.oauth.parameters import scopes
from credence.oauth.step_up import needs_of
from credence.request_context import RequestContext
from credence.service import Service
from credence.sites.kit.access import NO_RIGHTS, Admitted
from credence.sites.kit.screen import Visit
from credence.store.contract import Store
from credence.store.records import Account, Application
from credence.store.sign_ins import Session


async def admit(service: Service, request: RequestContext, session: Session, account: Account) -> Admitted:
    """Return the reader; NO_RIGHTS if the person works for no application, or if application or account is not enabled.

    Raises Refused for a request above the rate limits. The gate checks the rules of the application after that, so the order
    is that of the API (D3).
    """
    application = await service.authority.revocation_cache.application(account.workbench_for)
    if application is None:
        return NO_RIGHTS
    since = application_time(application, session.signed_in_at)
    if liveness_error(application, account, since, since) is not None:
        return NO_RIGHTS
    request.client_id = application.client_id
    request.proven = True
    request.enforce(await service.rate_limiter.limit_person(application, account.username))
    granted = frozenset(scopes.CREDIT_SCOPES).intersection(scopes.of_application(application))
    return Admitted(application.name, granted, application, needs_of((application.rules, account.rules)))


def reader_of(visit: Visit) -> Application:
    """Return the application that the reader works for."""
    application = visit.admitted.application
    if application is None:
        raise LookupError("a screen of the workbench needs a reader")
    return application


def store_of(visit: Visit) -> Store:
    """Return the store of the service."""
    return visit.service.authority.store


def sources_of(visit: Visit) -> Sources:
    """Return the data sources for functions of the MCP tools that need no portfolios."""
    service = visit.service
    return Sources(service.reports, service.searches, service.policies, visit.request.now)
