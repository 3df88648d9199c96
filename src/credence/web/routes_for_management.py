"""The route table of the management API, which is served on an address of its own (D30, threats E1).

Its routes are one protected resource: tokens of the credit API are not valid for it. A row needs the scope for reading,
or the scope of its acts.
"""

from functools import lru_cache, partial

import msgspec

from credence import paths
from credence.api.management import data, inventory, log, service
from credence.api.public.health import live, ready
from credence.api.reference import openapi
from credence.api.reference.operations import about
from credence.api.reference.operations import data as data_operations
from credence.api.reference.operations import inventory as inventory_operations
from credence.api.reference.operations import management as operations
from credence.api.reference.operations import request_log as log_operations
from credence.api.resources.operations import route_of
from credence.oauth.bearer import Bearer
from credence.oauth.parameters.scopes import MANAGE_READ
from credence.operations.table import OPERATIONS
from credence.request_context import RequestContext
from credence.service import Service
from credence.settings import Settings
from credence.sites.console.table import CONSOLE as SITE
from credence.sites.kit.routing import routes_of
from credence.web.messages.answer import JSON, Answer
from credence.web.messages.caching import NO_STORE
from credence.web.routes import PUBLIC
from credence.web.routing.route import READ, Protection, Route


async def description(served: Service, _request: RequestContext, _bearer: Bearer) -> Answer:
    """Return this table as an OpenAPI document."""
    return Answer(200, JSON, _openapi(served.settings), (NO_STORE,))


async def explanation(served: Service, request: RequestContext, _bearer: Bearer) -> Answer:
    """Return a request in the log with its checks."""
    return await log.explain(served, request, (*PUBLIC, *MANAGEMENT, *_CONSOLE))


_CONSOLE = routes_of(SITE, ())
"""The routes of the console; the request log contains requests for them too."""

_DATA = f"{paths.MANAGEMENT}/data"

_resource = partial(
    Route,
    protection=Protection.BEARER,
    resource=paths.MANAGEMENT,
    problems=True,
    any_host=True,
    scope=MANAGE_READ,
    role="operator",
)

MANAGEMENT = (
    *(route_of(each) for each in OPERATIONS if each.is_route),
    _resource(READ, f"{paths.MANAGEMENT}/scopes", endpoint=inventory.scopes, operation=inventory_operations.SCOPES),
    _resource(READ, f"{paths.MANAGEMENT}/limits", endpoint=inventory.limits, operation=inventory_operations.LIMITS),
    _resource(READ, _DATA, endpoint=data.sources, operation=data_operations.DATA),
    _resource(READ, f"{_DATA}/loads", endpoint=data.loads, operation=data_operations.LOADS),
    _resource(READ, f"{_DATA}/runs", endpoint=data.runs, operation=data_operations.RUNS),
    _resource(READ, f"{_DATA}/runs/{{run}}", endpoint=data.compared_run, operation=data_operations.COMPARE_RUNS),
    _resource(
        READ, f"{paths.MANAGEMENT}/disputes", endpoint=inventory.disputes, operation=inventory_operations.DISPUTES
    ),
    _resource(
        READ, f"{paths.MANAGEMENT}/policies", endpoint=inventory.policies, operation=inventory_operations.POLICIES
    ),
    _resource(READ, f"{paths.MANAGEMENT}/audit", endpoint=inventory.audit, operation=inventory_operations.AUDIT),
    _resource(READ, f"{paths.MANAGEMENT}/log", endpoint=log.search, operation=log_operations.SEARCH_LOG),
    _resource(
        READ, f"{paths.MANAGEMENT}/log/{{request_id}}", endpoint=explanation, operation=log_operations.EXPLAIN_REQUEST
    ),
    _resource(READ, f"{paths.MANAGEMENT}/doctor", endpoint=inventory.doctor, operation=inventory_operations.DOCTOR),
    _resource(READ, f"{paths.MANAGEMENT}/settings", endpoint=service.settings, operation=operations.SETTINGS),
    _resource(READ, f"{paths.MANAGEMENT}/health", endpoint=service.health, operation=operations.HEALTH),
    _resource(READ, f"{paths.MANAGEMENT}/openapi.json", endpoint=description, operation=operations.DESCRIPTION),
    Route(READ, paths.LIVE, Protection.PUBLIC, live, about.LIVE, any_host=True),
    Route(READ, paths.READY, Protection.PUBLIC, ready, about.READY, any_host=True),
)

CONSOLE = routes_of(SITE, (*PUBLIC, *MANAGEMENT))
"""The routes of the operator console, which exist only on this address (threats E1)."""


@lru_cache(maxsize=2)
def _openapi(settings: Settings) -> bytes:
    return msgspec.json.encode(openapi.document(MANAGEMENT, settings, nulls=True))
