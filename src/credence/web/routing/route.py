"""What a row of the table of routes is made of. The table is `routes.py`; whatever describes it needs only this."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any

from credence.web.dialects.dialect import Dialect
from credence.web.messages.request import Request
from credence.web.routing.operation import Operation


class Protection(Enum):
    """Who may call a route."""

    PUBLIC = "anyone"
    CLIENT = "an application that proves itself, checked by the endpoint in the order of D3"
    BEARER = "whoever holds a good access token, checked before the endpoint runs"
    REGISTRATION = (
        "whoever holds an initial or a registration access token, checked by the endpoint (RFC 7591, RFC 7592)"
    )


@dataclass(frozen=True, slots=True)
class Route:
    """One row. `act` takes the service, the request and what its protection adds: nothing, what was said, the bearer."""

    methods: tuple[str, ...]
    path: str
    protection: Protection
    act: Callable[..., Awaitable[Any]]
    operation: Operation
    """What it is for, in words."""
    dialect: Callable[[Request], Dialect] | None = None
    scope: str | None = None
    """What a bearer token must open to be let in (RFC 6750 §3.1)."""
    token_in_form: bool = False
    """A bearer token may also come in a form (RFC 6750 §2.2)."""
    metadata: str | None = None
    """Its name in the metadata of the service (RFC 8414 §2), where it has one."""
    setting: str | None = None
    """The setting that mounts it; None: it always is."""
