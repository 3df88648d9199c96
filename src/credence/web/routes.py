"""The route table: methods, path, protection, endpoint and documentation of each route (spec §9.1).

A route cannot be defined without its protection. 404, 405 (D22), the metadata, the OpenAPI document and the reference
page are derived from this table.
"""

from functools import lru_cache
from typing import Any

import msgspec

from credence import paths
from credence.api.mcp import SCOPES as AGENTS
from credence.api.mcp import mcp_message
from credence.api.public.caller_address import caller
from credence.api.public.health import live, ready
from credence.api.public.scenarios import sandbox_scenarios
from credence.api.reference import openapi
from credence.api.reference.documented import documented, to_reference
from credence.api.reference.models import json_schema
from credence.api.reference.operations import about, metadata
from credence.api.reference.operations.mcp import MCP_MESSAGE
from credence.api.routes import CREDIT, DOCUMENTATION, MONITORING, SHARED_SIGNALS, TOKENS
from credence.oauth.metadata.authorization_server import server_metadata
from credence.oauth.metadata.protected_resource import path_of, resource_metadata
from credence.oauth.parameters.scopes import own_resources
from credence.refusals.refusal import Refused
from credence.refusals.requests import NOT_FOUND
from credence.request_context import RequestContext
from credence.service import Service
from credence.settings import Settings
from credence.sign_in.routes import PAGES_FOR_PEOPLE
from credence.sites.developers.reference import are_tried, trial_of, with_forms
from credence.sites.developers.site import DEVELOPERS as DEVELOPER_SITE
from credence.sites.kit.routing import routes_of
from credence.sites.reference import page
from credence.sites.workbench.site import WORKBENCH as WORKBENCH_SITE
from credence.web.messages.answer import HTML, JSON_SCHEMA, Answer
from credence.web.messages.caching import cacheable, constant, varying
from credence.web.routing.route import READ, AllowedOrigins, Protection, Route

DOCUMENTS_MAX_AGE_SECONDS = 300
"""Seconds for which the OpenAPI document and the reference page may be cached."""

METADATA_MAX_AGE_SECONDS = 3_600
"""Seconds for which the metadata documents may be cached."""


async def authorization_server(service: Service, request: RequestContext) -> Answer:
    """Return the authorization server metadata (spec §4.3, §5.9, D12, RFC 8414 §3)."""
    _require_path_of(service.settings.issuer, request)
    return cacheable(request, _authorization_server(service.settings), METADATA_MAX_AGE_SECONDS)


async def protected_resource(service: Service, request: RequestContext) -> Answer:
    """Return the protected resource metadata of the credit API or of the MCP endpoint (RFC 9728 §3)."""
    resource, agents = own_resources(service.settings)
    if request.segment and f"/{request.segment}" == path_of(agents):
        resource = agents
    else:
        _require_path_of(resource, request)
    document = _protected_resource(service.settings, resource)
    if document is None:
        raise Refused(NOT_FOUND, "path.unknown")
    return cacheable(request, document, METADATA_MAX_AGE_SECONDS)


async def openapi_document(service: Service, request: RequestContext) -> Answer:
    """Return this table as an OpenAPI document."""
    return constant(request, _openapi(service.settings), DOCUMENTS_MAX_AGE_SECONDS)


async def model_schema(service: Service, request: RequestContext) -> Answer:
    """Return the JSON Schema of one model. Raises Refused with 404 for an unknown model."""
    found = _model_schema(service.settings, request.segment.removesuffix(".json"))
    if found is None:
        raise Refused(NOT_FOUND, "path.unknown")
    return cacheable(request, found, DOCUMENTS_MAX_AGE_SECONDS, JSON_SCHEMA)


async def reference(service: Service, request: RequestContext) -> Answer:
    """Return this table as an HTML page; a developer who is signed in to the portal also gets a form for each operation."""
    if not are_tried(service.settings):
        return constant(request, _page(service.settings), DOCUMENTS_MAX_AGE_SECONDS, HTML, page.HEADERS)
    filled = await with_forms(service, request, _page_with_forms)
    return filled or varying(
        constant(request, _page(service.settings), DOCUMENTS_MAX_AGE_SECONDS, HTML, page.HEADERS), "cookie"
    )


_PUBLIC, _BEARER = Protection.PUBLIC, Protection.BEARER
_ALL = AllowedOrigins.ALL

ROUTES = (
    *TOKENS,
    *PAGES_FOR_PEOPLE,
    Route(
        READ, paths.CONFIGURATION, _PUBLIC, authorization_server, metadata.PROVIDER_CONFIGURATION, origins=_ALL
    ),  # spec §4.3
    *(
        Route(READ, path, _PUBLIC, authorization_server, operation, origins=_ALL)  # RFC 8414 §3
        for path, operation in (
            (paths.AUTHORIZATION_SERVER, metadata.AUTHORIZATION_SERVER),
            (f"{paths.AUTHORIZATION_SERVER}/{{path}}", metadata.AUTHORIZATION_SERVER_WITH_PATH),
        )
    ),
    *(
        Route(READ, path, _PUBLIC, protected_resource, operation, origins=_ALL)  # RFC 9728 §3
        for path, operation in (
            (paths.PROTECTED_RESOURCE, metadata.PROTECTED_RESOURCE),
            (f"{paths.PROTECTED_RESOURCE}/{{path}}", metadata.PROTECTED_RESOURCE_WITH_PATH),
        )
    ),
    *CREDIT,
    *MONITORING,
    *SHARED_SIGNALS,
    Route(("POST",), paths.MCP, _BEARER, mcp_message, MCP_MESSAGE, own_resource=True),
    Route(READ, paths.SCENARIOS, _PUBLIC, sandbox_scenarios, about.SANDBOX_SCENARIOS),  # D24
    Route(READ, paths.OPENAPI, _PUBLIC, openapi_document, about.OPENAPI_DOCUMENT, origins=_ALL),
    Route(READ, f"{paths.SCHEMAS}/{{model}}", _PUBLIC, model_schema, about.MODEL_SCHEMA, origins=_ALL),
    Route(READ, paths.ROOT, _PUBLIC, to_reference, about.ROOT),
    Route(READ, paths.DOCS, _PUBLIC, reference, about.REFERENCE_PAGE, metadata="service_documentation"),
    *DOCUMENTATION,
    Route(READ, paths.LIVE, _PUBLIC, live, about.LIVE, any_host=True),
    Route(READ, paths.READY, _PUBLIC, ready, about.READY, any_host=True),
    Route(READ, paths.CALLER, _PUBLIC, caller, about.CALLER),
)
"""The routes that the metadata and the OpenAPI document describe."""

WORKBENCH = routes_of(WORKBENCH_SITE, ROUTES)
DEVELOPERS = routes_of(DEVELOPER_SITE, (*ROUTES, *WORKBENCH))
PUBLIC = (*ROUTES, *WORKBENCH, *DEVELOPERS)
"""The routes on the address of the service."""


def mounted(settings: Settings) -> tuple[Route, ...]:
    """Return the rows that this deployment serves."""
    return tuple(route for route in ROUTES if route.setting is None or getattr(settings, route.setting))


def _require_path_of(described: str, request: RequestContext) -> None:
    """Raise Refused with 404 unless the suffix of a well-known path is the path of the issuer or resource."""
    if request.segment and f"/{request.segment}" != path_of(described):
        raise Refused(NOT_FOUND, "path.unknown")


@lru_cache(maxsize=2)
def _authorization_server(settings: Settings) -> bytes:
    endpoints = {route.metadata: route.path for route in mounted(settings) if route.metadata}
    return server_metadata(settings, endpoints)


@lru_cache(maxsize=4)
def _protected_resource(settings: Settings, resource: str) -> bytes | None:
    scopes = (
        {route.scope for route in mounted(settings) if route.scope} if resource == settings.token_audience else AGENTS
    )
    return resource_metadata(settings, resource, scopes, paths.DOCS)


@lru_cache(maxsize=2)
def _openapi(settings: Settings) -> bytes:
    return msgspec.json.encode(openapi.document(documented(mounted(settings), settings), settings))


@lru_cache(maxsize=64)
def _model_schema(settings: Settings, model: str) -> bytes | None:
    found = json_schema(_models(settings), model, f"{settings.issuer}{paths.SCHEMAS}/{model}")
    return None if found is None else msgspec.json.encode(found)


@lru_cache(maxsize=2)
def _models(settings: Settings) -> dict[str, Any]:
    return openapi.described_models(documented(mounted(settings), settings))


@lru_cache(maxsize=2)
def _page(settings: Settings) -> bytes:
    trial = trial_of(mounted(settings), settings, is_here=False) if are_tried(settings) else page.NO_TRIAL
    return page.page(openapi.document(documented(mounted(settings), settings), settings), trial).encode()


@lru_cache(maxsize=2)
def _page_with_forms(settings: Settings) -> str:
    described = openapi.document(documented(mounted(settings), settings), settings)
    return page.page(described, trial_of(mounted(settings), settings, is_here=True))
