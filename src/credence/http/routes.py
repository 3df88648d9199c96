"""The one table of what is mounted: methods, path, who may call, and what answers (spec §4).

A route cannot be written without naming its protection. 404 and 405 follow from this table (D22).
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from credence.http import paths
from credence.http.dialects.dialect import Dialect, revocation_dialect, token_dialect
from credence.http.health import live, ready
from credence.http.pages import openapi_document, reference_page
from credence.http.public_documents import key_set, provider_configuration
from credence.http.report_endpoint import company_report
from credence.http.request import Request
from credence.http.revocation_endpoint import revoke_token
from credence.http.sandbox_page import sandbox_scenarios
from credence.http.search_endpoint import company_search
from credence.http.token_endpoint import obtain_token
from credence.refusals import METHOD_NOT_ALLOWED, NOT_FOUND, Refused


class Protection(Enum):
    """Who may call a route."""

    PUBLIC = "anyone"
    CLIENT = "an application with its secret, checked by the endpoint in the order of D3"
    BEARER = "whoever holds a good access token, checked before the endpoint runs"


@dataclass(frozen=True, slots=True)
class Route:
    """One row. `act` takes the service, the request and what its protection adds: nothing, what was said, the bearer."""

    methods: tuple[str, ...]
    path: str
    protection: Protection
    act: Callable[..., Awaitable[Any]]
    dialect: Callable[[Request], Dialect] | None = None


READ = ("GET", "HEAD")
POST = ("POST",)
_PUBLIC, _CLIENT, _BEARER = Protection.PUBLIC, Protection.CLIENT, Protection.BEARER

ROUTES = (
    Route(POST, paths.TOKEN, _CLIENT, obtain_token, token_dialect),  # spec §4.1
    Route(POST, paths.REVOCATION, _CLIENT, revoke_token, revocation_dialect),  # spec §4.2
    Route(READ, paths.CONFIGURATION, _PUBLIC, provider_configuration),  # spec §4.3
    Route(READ, paths.KEYS, _PUBLIC, key_set),  # spec §4.4
    *(
        Route(READ, f"{paths.RISK}/{version}/{tail}", _BEARER, act)
        for version in ("v1", "v2")
        for tail, act in (
            (f"{paths.REPORT}/{{company_number}}", company_report),  # spec §4.5
            (paths.REPORT, company_report),  # D19
            (paths.SEARCH, company_search),  # D23
        )
    ),
    Route(READ, paths.SCENARIOS, _PUBLIC, sandbox_scenarios),  # D24
    Route(READ, paths.OPENAPI, _PUBLIC, openapi_document),
    Route(READ, paths.DOCS, _PUBLIC, reference_page),
    Route(READ, paths.LIVE, _PUBLIC, live),
    Route(READ, paths.READY, _PUBLIC, ready),
)

_EXACT: Mapping[str, Route] = {route.path: route for route in ROUTES if "{" not in route.path}
_WITH_SEGMENT: Mapping[str, Route] = {route.path.partition("{")[0]: route for route in ROUTES if "{" in route.path}


def find_route(method: str, raw_path: str) -> tuple[Route, str]:
    """Return the route and the still encoded last segment; Refused with 404 or 405.

    The path is compared as it came: no other spelling of a path reaches a route (threats P12).
    """
    route, segment = _EXACT.get(raw_path), ""
    if route is None:
        start, slash, segment = raw_path.rpartition("/")
        route = _WITH_SEGMENT.get(start + slash)
    if route is None:
        raise Refused(NOT_FOUND, "path.unknown")
    if method not in route.methods:
        raise Refused(METHOD_NOT_ALLOWED, "method.not_allowed")
    return route, segment


def allowed_methods(raw_path: str) -> str:
    """Return what the Allow field of a 405 says (RFC 9110 §15.5.6)."""
    return ", ".join(sorted({method for route in ROUTES if _serves(route, raw_path) for method in route.methods}))


def _serves(route: Route, raw_path: str) -> bool:
    try:
        return find_route(route.methods[0], raw_path)[0] is route
    except Refused:
        return False
