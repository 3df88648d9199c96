"""The route table of the management API, which is served on an address of its own (D30, threats E1).

Its routes are one protected resource: tokens of the credit API are not valid for it. A row needs the scope for reading,
or the scope of its acts.
"""

from functools import lru_cache, partial
from typing import Annotated

import msgspec

from credence import paths
from credence.api.reference import openapi
from credence.api.resources.descriptions import TAGS
from credence.api.resources.logged_request import explain
from credence.api.resources.operations import route_of
from credence.api.routes import PROBES
from credence.management.log_schema import ExplainedRequest
from credence.oauth.bearer import Bearer
from credence.oauth.parameters.scopes import MANAGE_READ
from credence.operations.table import OPERATIONS
from credence.operations.trails import search_log
from credence.refusals.resources import RESOURCE_UNKNOWN
from credence.request_context import RequestContext
from credence.service import Service
from credence.settings import Settings
from credence.sites.console.table import CONSOLE as SITE
from credence.sites.kit.routing import routes_of
from credence.web.messages.answer import JSON, Answer
from credence.web.messages.caching import NO_STORE
from credence.web.routes import PUBLIC
from credence.web.routing.operation import Content, Parameter
from credence.web.routing.route import READ, Protection, Route


async def management_description(
    served: Service, _request: RequestContext, _bearer: Bearer
) -> Annotated[Answer, Content(JSON)]:
    """Read the description of the management API.

    The OpenAPI 3.1 document of the management API.
    """
    return Answer(200, JSON, _openapi(served.settings), (NO_STORE,))


_OF_REQUEST = Parameter("request_id", "path", "The answer's X-Request-ID.", "5f0c61a2b3d4e5f6-1207")


async def explain_request(
    served: Service, request: Annotated[RequestContext, _OF_REQUEST], _bearer: Bearer
) -> Annotated[Answer, ExplainedRequest, RESOURCE_UNKNOWN]:
    """Explain a request.

    Every check in its order: what the request had, what would pass, and what would come of it now. The log keeps no
    credentials, so checks of them have no value.
    """
    return await explain(served, request, (*PUBLIC, *MANAGEMENT, *_CONSOLE))


_CONSOLE = routes_of(SITE, ())
"""The routes of the console; the request log contains requests for them too."""

_reading = partial(
    Route,
    READ,
    protection=Protection.BEARER,
    resource=paths.MANAGEMENT,
    problems=True,
    any_host=True,
    scope=MANAGE_READ,
    tag=TAGS[paths.MANAGEMENT],
)

MANAGEMENT = (
    *(route_of(each) for each in OPERATIONS if each.is_route and each.on.is_managed),
    _reading(path=f"{paths.MANAGEMENT}/log/{{request_id}}", endpoint=explain_request, role=search_log.access.role),
    _reading(path=f"{paths.MANAGEMENT}/openapi.json", endpoint=management_description, role="operator"),
    *PROBES,
)

CONSOLE = routes_of(SITE, (*PUBLIC, *MANAGEMENT))
"""The routes of the operator console, which exist only on this address (threats E1)."""


@lru_cache(maxsize=2)
def _openapi(settings: Settings) -> bytes:
    return msgspec.json.encode(openapi.document(MANAGEMENT, settings, nulls=True))
