"""The route table: methods, path, protection, endpoint and documentation of each route (spec §9.1).

A route cannot be defined without its protection. 404, 405 (D22), the metadata, the OpenAPI document and the reference
page are derived from this table.
"""

from functools import lru_cache, partial
from typing import Annotated, Any

import msgspec

from credence import paths
from credence.api.mcp import SCOPES as AGENTS
from credence.api.mcp import mcp_message
from credence.api.public.caller_address import caller
from credence.api.public.documentation import documentation_page, further_documentation_page, list_for_models
from credence.api.public.favicon import favicon
from credence.api.public.model_card import model_card
from credence.api.public.scenarios import sandbox_scenarios
from credence.api.reference import openapi
from credence.api.reference.described_bodies import BODIES
from credence.api.reference.documented import documented, root
from credence.api.reference.models import json_schema
from credence.api.routes import ABOUT, CREDIT, MONITORING, PROBES, SHARED_SIGNALS, TOKENS
from credence.oauth.endpoints.metadata import path_of, resource_metadata, server_metadata
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
from credence.sites.reference.pages import HEADERS, NO_TRIAL, Reference
from credence.sites.workbench.site import WORKBENCH as WORKBENCH_SITE
from credence.web.messages.answer import HTML, JSON, JSON_SCHEMA, Answer
from credence.web.messages.caching import NO_STORE, cacheable, constant, varying
from credence.web.routing.operation import Content, Parameter
from credence.web.routing.route import READ, AllowedOrigins, Protection, Route

DOCUMENTS_MAX_AGE_SECONDS = 300
"""Seconds for which the OpenAPI document and the reference page may be cached."""

METADATA_MAX_AGE_SECONDS = 3_600
"""Seconds for which the metadata documents may be cached."""


_Configuration = Annotated[Answer, BODIES["ProviderConfiguration"]]
_OF_ISSUER = Parameter("path", "path", "That of the issuer.", "risk")
_OF_RESOURCE = Parameter("path", "path", "That of the resource.", "mcp")


async def provider_configuration(service: Service, request: RequestContext) -> _Configuration:
    """OpenID provider configuration.

    Where everything is and what it can do, for clients that configure themselves.
    """
    _require_path_of(service.settings.issuer, request)
    return cacheable(request, _authorization_server(service.settings), METADATA_MAX_AGE_SECONDS)


async def authorization_server(service: Service, request: RequestContext) -> _Configuration:
    """Authorization server metadata.

    The same document where RFC 8414 §3 has it.
    """
    return await provider_configuration(service, request)


async def authorization_server_with_path(
    service: Service, request: Annotated[RequestContext, _OF_ISSUER]
) -> Annotated[_Configuration, NOT_FOUND]:
    """Authorization server metadata, with a path.

    The same where the issuer has a path of its own, which then follows here. Any other is a 404.
    """
    return await provider_configuration(service, request)


async def protected_resource(
    service: Service, request: RequestContext
) -> Annotated[Answer, BODIES["ResourceMetadata"], NOT_FOUND]:
    """Protected resource metadata.

    Which tokens open the credit API, and who issues them (RFC 9728). 404 when the audience of tokens is set to something
    that is no address.
    """
    resource, agents = own_resources(service.settings)
    if request.segment and f"/{request.segment}" == path_of(agents):
        resource = agents
    else:
        _require_path_of(resource, request)
    document = _protected_resource(service.settings, resource)
    if document is None:
        raise Refused(NOT_FOUND, "path.unknown")
    return cacheable(request, document, METADATA_MAX_AGE_SECONDS)


async def protected_resource_with_path(
    service: Service, request: Annotated[RequestContext, _OF_RESOURCE]
) -> Annotated[Answer, BODIES["ResourceMetadata"], NOT_FOUND]:
    """Protected resource metadata, with a path.

    The same where the resource has a path of its own, which then follows here. Any other is a 404.
    """
    return await protected_resource(service, request)


async def openapi_document(service: Service, request: RequestContext) -> Annotated[Answer, Content(JSON)]:
    """This description as OpenAPI 3.1.

    Generated from the route table of the service.
    """
    return constant(request, _openapi(service.settings), DOCUMENTS_MAX_AGE_SECONDS)


_OF_MODEL = Parameter("model", "path", "The name of a model of this description.", "LtdCompanyData")


async def model_schema(
    service: Service, request: Annotated[RequestContext, _OF_MODEL]
) -> Annotated[Answer, Content(JSON_SCHEMA), NOT_FOUND]:
    """JSON Schema of a model.

    A model with the models of its members: meaning, unit, codes and an example for each member (JSON Schema, draft
    2020-12). `LtdCompanyData` is the report, `BusinessTargeterResponse` the company search, `DirectorTargeterResponse` the
    director search, `DirectorData` one director.

    Raises Refused with 404 for an unknown model.
    """
    found = _model_schema(service.settings, request.segment.removesuffix(".json"))
    if found is None:
        raise Refused(NOT_FOUND, "path.unknown")
    return cacheable(request, found, DOCUMENTS_MAX_AGE_SECONDS, JSON_SCHEMA)


async def reference_page(service: Service, request: RequestContext) -> Annotated[Answer, Content(HTML)]:
    """This description as pages.

    The first page: what there is, and a token in one minute. Nothing on the pages comes from other sites.
    """
    return constant(request, _reference(service.settings).index(), DOCUMENTS_MAX_AGE_SECONDS, HTML, HEADERS)


_OF_SUBJECT = Parameter("subject", "path", "The tag of its operations, in lower case with hyphens.", "credit-risk")


async def reference_subject(
    service: Service, request: Annotated[RequestContext, _OF_SUBJECT]
) -> Annotated[Answer, Content(HTML), NOT_FOUND]:
    """A subject of this description as a page.

    The operations of one tag; also `errors`, `limits`, `models` and, in the sandbox, `reasons`.

    Raises Refused with 404 for an unknown subject.
    """
    tried = are_tried(service.settings)
    if tried:  # for a developer who is signed in to the portal
        filled = await with_forms(service, request, _reference_with_forms(service.settings), request.segment)
        if filled is not None:
            return filled
    answer = _page(request, _reference(service.settings).subject(request.segment))
    return varying(answer, "cookie") if tried else answer


async def reference_model(
    service: Service, request: Annotated[RequestContext, _OF_MODEL]
) -> Annotated[Answer, Content(HTML), NOT_FOUND]:
    """A model of this description as a page.

    Type, meaning and an example of each member.

    Raises Refused with 404 for an unknown model.
    """
    return _page(request, _reference(service.settings).model(request.segment))


async def reference_search(
    service: Service,
    request: Annotated[RequestContext, Parameter("q", "query", "Words, all of which are in what is found.", "report")],
) -> Annotated[Answer, Content(HTML)]:
    """Search this description.

    A page with the operations, errors, reason codes and models that contain every word.
    """
    found = _reference(service.settings).search(request.parameters.get("q", ""))
    return Answer(200, HTML, found, (NO_STORE, *HEADERS))


def _page(request: RequestContext, page: bytes | None) -> Answer:
    if page is None:
        raise Refused(NOT_FOUND, "path.unknown")
    return constant(request, page, DOCUMENTS_MAX_AGE_SECONDS, HTML, HEADERS)


_PUBLIC, _BEARER = Protection.PUBLIC, Protection.BEARER
_ALL = AllowedOrigins.ALL
_metadata = partial(Route, READ, protection=_PUBLIC, origins=_ALL, tag="Tokens", cacheable=True)
_about = partial(Route, READ, protection=_PUBLIC, tag=ABOUT)
_document = partial(_about, cacheable=True)

ROUTES = (
    *TOKENS,
    *PAGES_FOR_PEOPLE,
    *(
        _metadata(path=path, endpoint=endpoint)
        for path, endpoint in (
            (paths.CONFIGURATION, provider_configuration),  # spec §4.3
            (paths.AUTHORIZATION_SERVER, authorization_server),  # RFC 8414 §3
            (f"{paths.AUTHORIZATION_SERVER}/{{path}}", authorization_server_with_path),
            (paths.PROTECTED_RESOURCE, protected_resource),  # RFC 9728 §3
            (f"{paths.PROTECTED_RESOURCE}/{{path}}", protected_resource_with_path),
        )
    ),
    *CREDIT,
    *MONITORING,
    *SHARED_SIGNALS,
    Route(("POST",), paths.MCP, _BEARER, mcp_message, own_resource=True, tag="Credit risk"),
    _about(path=paths.SCENARIOS, endpoint=sandbox_scenarios),  # D24
    _document(path=paths.OPENAPI, endpoint=openapi_document, origins=_ALL),
    _document(path=f"{paths.SCHEMAS}/{{model}}", endpoint=model_schema, origins=_ALL),
    _about(path=paths.ROOT, endpoint=root),
    _document(path=paths.DOCS, endpoint=reference_page, metadata="service_documentation"),
    _about(path=f"{paths.REFERENCE}/search", endpoint=reference_search),
    _document(path=f"{paths.REFERENCE}/models/{{model}}", endpoint=reference_model),
    _document(path=f"{paths.REFERENCE}/{{subject}}", endpoint=reference_subject),
    _document(path=paths.MODEL_CARD, endpoint=model_card),
    _document(path=f"{paths.DOCS}/{{page}}", endpoint=documentation_page, origins=_ALL),
    _document(path=f"{paths.DOCS}/{{folder}}/{{page}}", endpoint=further_documentation_page, origins=_ALL),
    _document(path=paths.LLMS, endpoint=list_for_models, origins=_ALL),
    _document(path=paths.FAVICON, endpoint=favicon),
    *PROBES,
    _about(path=paths.CALLER, endpoint=caller),
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
    return msgspec.json.encode(_described(settings))


@lru_cache(maxsize=64)
def _model_schema(settings: Settings, model: str) -> bytes | None:
    found = json_schema(_models(settings), model, f"{settings.issuer}{paths.SCHEMAS}/{model}")
    return None if found is None else msgspec.json.encode(found)


@lru_cache(maxsize=2)
def _models(settings: Settings) -> dict[str, Any]:
    return openapi.described_models(documented(mounted(settings), settings))


@lru_cache(maxsize=2)
def _reference(settings: Settings) -> Reference:
    trial = trial_of(mounted(settings), settings, is_here=False) if are_tried(settings) else NO_TRIAL
    return Reference(_described(settings), trial)


@lru_cache(maxsize=2)
def _reference_with_forms(settings: Settings) -> Reference:
    return Reference(_described(settings), trial_of(mounted(settings), settings, is_here=True))


@lru_cache(maxsize=2)
def _described(settings: Settings) -> openapi.Document:
    return openapi.document(documented(mounted(settings), settings), settings)
