"""The row type of the route table in `routes.py`."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any

from credence.oauth.endpoints.bearer import Required
from credence.request_context import RequestContext
from credence.service import Service
from credence.store.records import ConsoleRole
from credence.web.dialects.reader import RequestFormat
from credence.web.routing.operation import Operation


class Protection(Enum):
    """Who may call a route."""

    PUBLIC = "anyone"
    CLIENT = "an authenticated application, checked by the endpoint in the order of D3"
    BEARER = "a caller with a valid access token, checked before the endpoint runs"
    BROWSER = "a person at a browser, known by a cookie; refusals are pages"
    REGISTRATION = "a caller with an initial or registration access token, checked by the endpoint (RFC 7591, RFC 7592)"


READ = ("GET", "HEAD")
"""The methods of a route that is only read."""


class Readers(Enum):
    """Whose web pages may read the answers of a route (threats E5)."""

    NONE = "pages of no other origin"
    REGISTERED = "pages of the origins that the application has registered"
    ALL = "pages of every origin, because the document is public"


@dataclass(frozen=True, slots=True)
class Route:
    """One row.

    `endpoint` takes the service, the request and, behind BEARER, the owner of the token. Behind CLIENT it is a function of
    `oauth/endpoints`: it takes the authority, the rate limiter, the request and its attributes.
    """

    methods: tuple[str, ...]
    path: str
    protection: Protection
    endpoint: Callable[..., Awaitable[Any]]
    operation: Operation
    """Its documentation."""
    request_format: Callable[[RequestContext], RequestFormat] | None = None
    scope: str | None = None
    """The scope that a bearer token needs (RFC 6750 §3.1)."""
    role: ConsoleRole | None = None
    """The role in the console that a person needs whose token it is, as well; a token of a program alone needs none."""
    required: Callable[[RequestContext], Required] | None = None
    """Returns what a token needs where the request itself says so; then `scope` is None."""
    own_resource: bool = False
    """Whether the route is a resource of its own, named by its address: tokens of the credit API do not open it (D32)."""
    resource: str | None = None
    """The path of a resource that several routes share; None: the credit API, or `own_resource`."""
    token_in_form: bool = False
    """A bearer token may also come in a form (RFC 6750 §2.2)."""
    readers: Readers = Readers.NONE
    metadata: str | None = None
    """Its name in the metadata of the service (RFC 8414 §2), if it has one."""
    setting: str | None = None
    """The setting that enables it; None: always enabled."""
    problems: bool = False
    """Whether it is a JSON resource, whose refusals are problem details (RFC 9457)."""
    any_host: bool = False
    """Whether it is for probes and proxies, which may name any host."""
    max_body: int | None = None
    """The octets of a body, behind BEARER, if it may be larger than `Limits.body`; it is read after the token is checked."""
    admits: Callable[[Service, RequestContext], Awaitable[bool]] | None = None
    """Behind BROWSER, whether a body of `max_body` is read of a caller; otherwise it stays empty."""
