"""The row type of the route table in `routes.py`."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from credence.oauth.endpoints.bearer import Required
from credence.request_context import RequestContext
from credence.service import Service
from credence.store.records import ConsoleRole
from credence.web.dialects.reader import RequestFormat
from credence.web.routing.operation import Dialects, Operation


class Protection(Enum):
    """Who may call a route."""

    PUBLIC = "anyone"
    CLIENT = "an authenticated application, checked by the endpoint in the order of D3"
    BEARER = "a caller with a valid access token, checked before the endpoint runs"
    BROWSER = "a person at a browser, who may not be signed in yet; refusals are pages"
    PERSON = "a person who is signed in and passes the gate, before the endpoint runs; refusals are pages"
    REGISTRATION = "a caller with an initial or registration access token, checked by the endpoint (RFC 7591, RFC 7592)"


READ = ("GET", "HEAD")
"""The methods of a read-only route."""


class AllowedOrigins(Enum):
    """The origins whose pages may read the answers of a route (threats E5)."""

    NONE = "pages of no other origin"
    REGISTERED = "pages of the origins that the application has registered"
    ALL = "pages of every origin, because the document is public"


@dataclass(frozen=True, slots=True)
class Route:
    """One row of the route table.

    `endpoint` takes the service, the request and, for BEARER, the owner of the token or, for PERSON, what the gate returned.
    For CLIENT it is a function of `oauth/endpoints`: it takes the authority, the rate limiter, the request and its
    attributes.
    """

    methods: tuple[str, ...]
    path: str
    protection: Protection
    endpoint: Callable[..., Awaitable[Any]]
    operation: Operation | Dialects | None = field(default=None, hash=False)
    """The documentation of the route, or what dialects add to that of the endpoint (`reference/described.py`)."""
    request_format: Callable[[RequestContext], RequestFormat] | None = None
    scope: str | None = None
    """The scope that a bearer token needs (RFC 6750 §3.1)."""
    uses_rights: bool = False
    """Whether the endpoint compares the companies of the request with the rights of the token (RFC 9396). A token with
    rights is refused by other routes with the scope `credit:report`."""
    role: ConsoleRole | None = None
    """The console role that the person of the token needs in addition; a token without a person needs none."""
    required: Callable[[RequestContext], Required] | None = None
    """Returns the token's requirements if the request defines them; `scope` is None then."""
    own_resource: bool = False
    """Whether the route is a protected resource of its own (D32): tokens of the credit API are not valid for it."""
    resource: str | None = None
    """The path of a protected resource that several routes share. None: the credit API, or `own_resource`."""
    token_in_form: bool = False
    """Whether the bearer token may also be in a form (RFC 6750 §2.2)."""
    origins: AllowedOrigins = AllowedOrigins.NONE
    metadata: str | None = None
    """The name of the route in the metadata of the service (RFC 8414 §2), if it has one."""
    setting: str | None = None
    """The setting that enables the route. None: always enabled."""
    problems: bool = False
    """Whether the route is a JSON resource, whose refusals are problem details (RFC 9457)."""
    any_host: bool = False
    """Whether any Host is accepted: probes and proxies may name another."""
    max_body: int | None = None
    """The most bytes of a body, if more than `Limits.body`; it is read after the token is checked or the gate passed."""
    tag: str = ""
    """The group of the route in the documentation."""
    cacheable: bool = False
    """Whether answers have an entity tag, so that If-None-Match is answered with 304."""
    gate: Callable[[Service, RequestContext], Awaitable[Any]] | None = None
    """For PERSON: returns what the endpoint gets, or the answer to a request that does not pass (`identity/gate.py`)."""

    def __post_init__(self) -> None:
        """Raise ValueError for a row with a gate that is not for a person, and for one for a person without a gate."""
        if (self.protection is Protection.PERSON) != (self.gate is not None):
            raise ValueError(self.path)
