"""What there is to say about one operation, as frozen values."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from credence.refusals import Refusal

TEXT: Mapping[str, object] = {"type": "string"}


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter; those of the path are required, all others are not. `schema` is a JSON Schema."""

    name: str
    place: Literal["path", "query", "header"]
    description: str
    example: object = None
    schema: Mapping[str, object] = field(default_factory=lambda: TEXT)


@dataclass(frozen=True, slots=True)
class Content:
    """A body in one media type: the models it may follow, none for free text, and examples by title."""

    media_type: str
    models: tuple[type, ...] = ()
    examples: Mapping[str, object] = field(default_factory=dict)
    status: int = 200


@dataclass(frozen=True, slots=True)
class Operation:
    """The words about one route. `refusals` are its own; those of its protection are added where they are known."""

    id: str
    tag: str
    summary: str
    description: str
    answers: tuple[Content, ...]
    parameters: tuple[Parameter, ...] = ()
    bodies: tuple[Content, ...] = ()
    refusals: tuple[Refusal, ...] = ()
    cacheable: bool = False
    """Answers carry an entity tag, and 304 says that the copy held is good."""
