"""Finds the row of the route table for a path and a method (D22), in a time that does not depend on the number of routes."""

from collections.abc import Iterable
from typing import NamedTuple

from credence.refusals.refusal import Refused
from credence.refusals.requests import METHOD_NOT_ALLOWED, NOT_FOUND
from credence.settings import Settings
from credence.web.routes import PUBLIC
from credence.web.routes_for_management import CONSOLE, MANAGEMENT
from credence.web.routing.route import Route

Segments = tuple[str, ...]
"""The values of the path parameters of a route in their order, still percent-encoded."""


class _Node(NamedTuple):
    """A node of the tree of paths: the next segment may be fixed or a parameter."""

    fixed: "dict[str, _Node]"
    any: "list[_Node]"
    """The node after a parameter, if there may be one; otherwise empty."""
    routes: list[Route]
    """The route that ends at this node, if there is one; otherwise empty."""


class RouteTable:
    """Finds routes by path; the first row counts if several have the same path.

    A path without parameters, or with one as its last segment, takes one or two look-ups in a dictionary. Any other
    path is searched in a tree, segment by segment: a fixed segment has precedence over a parameter, without
    backtracking.
    """

    def __init__(self, routes: Iterable[Route]) -> None:
        self._exact: dict[str, Route] = {}
        self._with_segment: dict[str, Route] = {}
        self._with_path: dict[str, Route] = {}
        """Prefixes that precede the path of the issuer or of the resource (RFC 8414 §3.1, RFC 9728 §3.1)."""
        self._nested = _Node({}, [], [])
        for route in routes:
            start, brace, rest = route.path.partition("{")
            if not brace:
                self._exact.setdefault(route.path, route)
            elif rest == "path}":
                self._with_path.setdefault(start, route)
            elif "/" not in rest:
                self._with_segment.setdefault(start, route)
            else:
                self._add_nested(route)

    def _add_nested(self, route: Route) -> None:
        node = self._nested
        for segment in route.path.split("/"):
            if not segment.startswith("{"):
                node = node.fixed.setdefault(segment, _Node({}, [], []))
                continue
            if not node.any:
                node.any.append(_Node({}, [], []))
            node = node.any[0]
        node.routes.append(route)

    def find(self, raw_path: str) -> tuple[Route, Segments] | None:
        """Return the route of a path and the values of its parameters; None for an unknown path.

        The path is compared without normalisation: no other spelling of a path reaches a route (threats P12).
        """
        route = self._exact.get(raw_path)
        if route is not None:
            return route, ()
        start, slash, segment = raw_path.rpartition("/")
        route = self._with_segment.get(start + slash)
        if route is not None:
            return route, (segment,)
        return self._find_nested(raw_path) or self._find_with_path(raw_path)

    def _find_nested(self, raw_path: str) -> tuple[Route, Segments] | None:
        node, values = self._nested, []
        for segment in raw_path.split("/"):
            following = node.fixed.get(segment)
            if following is None:
                if not (node.any and segment):
                    return None
                following = node.any[0]
                values.append(segment)
            node = following
        return (node.routes[0], tuple(values)) if node.routes else None

    def _find_with_path(self, raw_path: str) -> tuple[Route, Segments] | None:
        for start, route in self._with_path.items():
            if raw_path.startswith(start) and raw_path != start:
                return route, (raw_path.removeprefix(start),)
        return None


_find = RouteTable(PUBLIC).find
_APART = (*MANAGEMENT, *CONSOLE)
"""The routes on the address of the management API."""

EVERY_ROUTE = (*PUBLIC, *_APART)
"""The routes of both addresses; the request log contains requests for all of them."""

_find_management = RouteTable(_APART).find


def allowed_methods(path: str) -> list[str]:
    """Return the methods of every row with this path, in order."""
    return sorted({method for route in EVERY_ROUTE if route.path == path for method in route.methods})


def row_with_method(route: Route, method: str) -> Route:
    """Return the row with the same path that has this method. Raises Refused with 405."""
    for each in EVERY_ROUTE:
        if each.path == route.path and method in each.methods:
            return each
    raise Refused(METHOD_NOT_ALLOWED, "method.not_allowed")


def find_route(raw_path: str, settings: Settings, *, manages: bool = False) -> tuple[Route, Segments]:
    """Return the first mounted row with this path, and the values of its parameters. Raises Refused with 404.

    `manages` is set for a request to the address of the management API, which has a table of its own (threats E1).
    """
    found = _find_management(raw_path) if manages else _find(raw_path)
    if found is None or (found[0].setting is not None and not getattr(settings, found[0].setting)):
        raise Refused(NOT_FOUND, "path.unknown")
    return found
