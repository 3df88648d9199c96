"""Finds the route of a logged request."""

from collections.abc import Sequence

from credence.management.explained_request import RequestedRoute
from credence.management.log_schema import LogEntry
from credence.web.routing.route import Route


def requested_route(rows: Sequence[Route], entry: LogEntry) -> RequestedRoute | None:
    """Return protection, methods and scope of the route of a logged request; None if it matched no route."""
    same_path = [row for row in rows if row.path == entry.path]
    if not same_path:
        return None
    row = next((row for row in same_path if entry.method in row.methods), same_path[0])
    return RequestedRoute(
        row.protection.name.lower(), tuple(method for each in same_path for method in each.methods), row.scope
    )
