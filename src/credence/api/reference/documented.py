"""The routes that the reference describes, and the redirect from the root to it."""

from collections.abc import Iterable
from typing import Annotated

from credence import paths
from credence.oauth.endpoints.metadata import path_of
from credence.request_context import RequestContext
from credence.service import Service
from credence.settings import Settings
from credence.web.messages.answer import Answer
from credence.web.routing.operation import Content
from credence.web.routing.route import Route


async def root(_service: Service, _request: RequestContext) -> Annotated[Answer, Content("", status=303)]:
    """The address alone.

    Leads to the reference page.
    """
    return Answer(303, "", b"", (("location", paths.DOCS), ("cache-control", "no-cache")))


def documented(routes: Iterable[Route], settings: Settings) -> tuple[Route, ...]:
    """Return the rows that can answer other than 404.

    Left out are the well-known paths of an issuer with a path, if the issuer has none, the status lists, if they are off,
    and the redirect of the root to the documentation.
    """
    absent = {"/"}
    if not path_of(settings.issuer):
        absent |= {f"{paths.AUTHORIZATION_SERVER}/{{path}}", f"{paths.SIGNAL_CONFIGURATION}/{{path}}"}
    if not settings.status_list:
        absent.add(f"{paths.STATUS_LISTS}/{{list}}")
    return tuple(route for route in routes if route.path not in absent)
