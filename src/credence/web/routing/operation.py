"""The documentation of one operation, as frozen values."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from credence.refusals.refusal import Refusal

TEXT: Mapping[str, object] = {"type": "string"}
FLAG: Mapping[str, object] = {"type": "boolean"}
COUNT: Mapping[str, object] = {"type": "integer", "minimum": 0}


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter. `schema` is a JSON Schema; one of an array has its elements separated by commas."""

    name: str
    place: Literal["path", "query", "header"]
    description: str
    example: object = None
    schema: Mapping[str, object] = field(default_factory=lambda: TEXT)
    required: bool = False
    """Whether a request without it is refused, as every request is without a path parameter."""


@dataclass(frozen=True, slots=True)
class Content:
    """A body in one media type, with its possible models (empty: free text) and its examples by title."""

    media_type: str
    models: tuple[type, ...] = ()
    examples: Mapping[str, object] = field(default_factory=dict)
    status: int = 200
    element: type | None = None
    """The model of an element, if the body is an array; an element may be a text, a company number, too."""


@dataclass(frozen=True, slots=True)
class Dialects:
    """What is said of an endpoint whose signature knows no dialect: headers, bodies, and the refusals of its own."""

    answers: tuple[Content, ...]
    parameters: tuple[Parameter, ...] = ()
    bodies: tuple[Content, ...] = ()
    refusals: tuple[Refusal, ...] = ()


@dataclass(frozen=True, slots=True)
class Operation:
    """The documentation of one route.

    `refusals` are specific to it; `reference/responses.py` adds those of its protection.
    """

    id: str
    tag: str
    summary: str
    description: str
    answers: tuple[Content, ...]
    parameters: tuple[Parameter, ...] = ()
    bodies: tuple[Content, ...] = ()
    refusals: tuple[Refusal, ...] = ()
    cacheable: bool = False
    """Whether responses have an entity tag, so that If-None-Match is answered with 304."""
