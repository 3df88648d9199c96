"""Finds the row of the route table for a path and a method (D22)."""

from credence.refusals import METHOD_NOT_ALLOWED, NOT_FOUND, Refused
from credence.settings import Settings
from credence.web.routes import ROUTES
from credence.web.routing.route import Route
from credence.web.routing.table import RouteTable, Segments

_find = RouteTable(ROUTES).find


def allowed_methods(path: str) -> list[str]:
    """Return the methods of every row with this path, in order."""
    return sorted({method for route in ROUTES if route.path == path for method in route.methods})


def row_with_method(route: Route, method: str) -> Route:
    """Return the row with the same path that has this method; Refused with 405."""
    for each in ROUTES:
        if each.path == route.path and method in each.methods:
            return each
    raise Refused(METHOD_NOT_ALLOWED, "method.not_allowed")


def find_route(raw_path: str, settings: Settings) -> tuple[Route, Segments]:
    """Return the first row with this path that is mounted, and the values of its parameters; Refused with 404."""
    found = _find(raw_path)
    if found is None or (found[0].setting is not None and not getattr(settings, found[0].setting)):
        raise Refused(NOT_FOUND, "path.unknown")
    return found
