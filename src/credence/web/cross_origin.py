"""CORS: whether a page of another origin may read an answer (Fetch §3.2, threats E5).

Pages of every origin may read public documents, and send any header field with the request. Answers to an application
may be read by pages of its registered origins, compared as exact strings; answers to other pages have no CORS field. No
answer allows credentials of the browser, so a page sends only credentials that it has itself.
"""

import re
from contextlib import suppress

from credence.ratelimit.header_fields import FIELDS as RATE_LIMIT_FIELDS
from credence.request_context import RequestContext
from credence.service import Service
from credence.store.contract import StoreUnavailable
from credence.web.messages.answer import Answer, Headers
from credence.web.messages.caching import ANY_ORIGIN
from credence.web.routing.route import AllowedOrigins, Route

_PUBLIC_MAX_AGE_SECONDS = 86_400
"""Seconds for which a browser may cache a preflight for public documents."""

_REGISTERED_MAX_AGE_SECONDS = 600
"""Seconds for which a browser may cache a preflight that registered origins decide."""

_EXPOSED = (
    "access-control-expose-headers",
    ", ".join(
        (
            "DPoP-Nonce",
            "WWW-Authenticate",
            *RATE_LIMIT_FIELDS,
            "Retry-After",
            "ETag",
            "Link",
            "Location",
            "X-Request-ID",
            "X-Correlation-ID",
        )
    ),
)

_NAMES = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+( *, *[A-Za-z0-9!#$%&'*+.^_`|~-]+)*").fullmatch


async def preflight_answer(
    service: Service, request: RequestContext, route: Route, methods: list[str]
) -> Answer | None:
    """Return the answer to a preflight (Fetch §3.2.2); None if the page may not use the route."""
    origin = request.headers["origin"]
    allowed = ("access-control-allow-methods", ", ".join(methods))
    if route.origins is AllowedOrigins.ALL:
        return Answer(
            204, "", b"", (ANY_ORIGIN, allowed, *_requested_fields(request), _max_age(_PUBLIC_MAX_AGE_SECONDS))
        )
    authority = service.authority
    if route.origins is not AllowedOrigins.REGISTERED:
        return None
    await authority.applications.follow(authority.store, authority.revocation_cache)
    if origin not in authority.applications.origins:
        return None
    fields = (_allow(origin), allowed, *_requested_fields(request), _max_age(_REGISTERED_MAX_AGE_SECONDS))
    return Answer(204, "", b"", (*fields, ("vary", "origin")))


async def readable(service: Service, request: RequestContext, route: Route | None, answered: Answer) -> Answer:
    """Return the answer with the CORS fields for the page that sent the request.

    The application is the one that the request authenticated or named (`RequestContext.client_id`), so a page can read
    why its own application was refused.
    """
    origin = request.headers["origin"]
    if route is None or route.origins is not AllowedOrigins.REGISTERED:
        return answered
    headers = _with_vary(answered.headers)
    if await _is_registered(service, request.client_id, origin):
        headers = (*headers, _allow(origin), _EXPOSED)
    return answered._replace(headers=headers)


async def _is_registered(service: Service, client_id: str | None, origin: str) -> bool:
    with suppress(StoreUnavailable):
        application = await service.authority.revocation_cache.application(client_id) if client_id else None
        return application is not None and origin in application.origins
    return False


def _allow(origin: str) -> tuple[str, str]:
    return ("access-control-allow-origin", origin)


def _requested_fields(request: RequestContext) -> Headers:
    """Return the field that allows the requested header names; a name alone does no harm (Fetch §3.2.3)."""
    names = request.headers.get("access-control-request-headers", "").strip()
    return (("access-control-allow-headers", names),) if _NAMES(names) else ()


def _max_age(seconds: int) -> tuple[str, str]:
    return ("access-control-max-age", str(seconds))


def _with_vary(headers: Headers) -> Headers:
    """Return the fields with `Origin` in Vary, once."""
    vary = ", ".join([value for name, value in headers if name == "vary"] + ["origin"])
    return (*(field for field in headers if field[0] != "vary"), ("vary", vary))
