"""Finds the row of the route table for a path and a method (D22)."""

from collections.abc import Mapping

from credence.refusals import METHOD_NOT_ALLOWED, NOT_FOUND, Refused
from credence.settings import Settings
from credence.web.routes import ROUTES
from credence.web.routing.route import Route

_EXACT: Mapping[str, Route] = {route.path: route for route in ROUTES if "{" not in route.path}
_WITH_PATH: Mapping[str, Route] = {
    route.path.partition("{")[0]: route for route in ROUTES if route.path.endswith("/{path}")
}
"""Prefixes that the path of the issuer or of the resource follows (RFC 8414 §3.1, RFC 9728 §3.1)."""
_WITH_SEGMENT: Mapping[str, Route] = {
    route.path.partition("{")[0]: route for route in ROUTES if "{" in route.path and route not in _WITH_PATH.values()
}


def allowed_methods(path: str) -> list[str]:
    """Return the methods of every row with this path, in order."""
    return sorted({method for route in ROUTES if route.path == path for method in route.methods})


def row_with_method(route: Route, method: str) -> Route:
    """Return the row with the same path that has this method; Refused with 405."""
    for each in ROUTES:
        if each.path == route.path and method in each.methods:
            return each
    raise Refused(METHOD_NOT_ALLOWED, "method.not_allowed")


def find_route(raw_path: str, settings: Settings) -> tuple[Route, str]:
    """Return the first row with this path and the still encoded last segment; Refused with 404.

    The path is compared without normalisation: no other spelling of a path reaches a route (threats P12).
    """
    route, segment = _EXACT.get(raw_path), ""
    if route is None:
        start, slash, segment = raw_path.rpartition("/")
        route = _WITH_SEGMENT.get(start + slash)
    if route is None:
        route, segment = _with_path(raw_path)
    if route.setting is not None and not getattr(settings, route.setting):
        raise Refused(NOT_FOUND, "path.unknown")
    return route, segment


def _with_path(raw_path: str) -> tuple[Route, str]:
    for start, route in _WITH_PATH.items():
        if raw_path.startswith(start) and raw_path != start:
            return route, raw_path.removeprefix(start)
    raise Refused(NOT_FOUND, "path.unknown")
