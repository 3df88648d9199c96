"""The documentation of a route, from its endpoint.

Summary and description are the docstring: its first line and the rest, without the paragraph that begins with "Raises".
What is annotated to the type of the request are its parameters, each a `Parameter` or all as a struct, and its bodies, each
a `Content`. What is annotated to the type of the answer are its bodies, each a `Content` or the struct of one in JSON, and
the refusals that not every route has. For the endpoints of `oauth`, which know no dialect, the route has all of these.
"""

import inspect
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from importlib.resources import files
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

import msgspec

from credence.refusals.refusal import Refusal
from credence.request_context import RequestContext
from credence.web.messages.answer import HTML, JSON
from credence.web.routing.operation import Content, Dialects, Operation, Parameter
from credence.web.routing.route import Protection, Route

Examples = Mapping[str, Mapping[str, object]]

_EXAMPLES: Mapping[str, Examples] = msgspec.json.decode(
    files("credence.api.reference").joinpath("bodies.json").read_bytes()
)
"""Name of an operation -> "request" or "response", perhaps with a media type -> title -> the body. They are invented."""

_PAGE = (*(Content(HTML, status=status) for status in (200, 400, 403, 429, 500)), Content("", status=303))
"""What a page for people is answered with; its refusals are pages."""


def operation_of(route: Route) -> Operation:
    """Return the documentation of a route. Examples of bodies that have none are in `bodies.json`."""
    return route.operation if isinstance(route.operation, Operation) else _described(route)


@lru_cache(maxsize=512)
def _described(route: Route) -> Operation:
    hints = get_type_hints(route.endpoint, include_extras=True)
    request = next((get_args(each)[1:] for each in hints.values() if _is_annotated(each, RequestContext)), ())
    answer = get_args(hints["return"])[1:]
    if isinstance(route.operation, Dialects):
        request = (*route.operation.parameters, *route.operation.bodies)
        answer = (*route.operation.answers, *route.operation.refusals)
    is_page = route.protection in {Protection.BROWSER, Protection.PERSON}
    bodies = [*(_PAGE if is_page else ()), *(each for each in answer if not isinstance(each, Refusal))]
    summary, description = _texts(route)
    examples = _EXAMPLES.get(route.endpoint.__name__, {})
    return Operation(
        route.endpoint.__name__,
        route.tag,
        summary,
        description,
        tuple(_content(each, examples, "response") for each in bodies),
        tuple(each for said in request for each in parameters_of(said, route.path)),
        tuple(_content(each, examples, "request") for each in request if isinstance(each, Content)),
        tuple(each for each in answer if isinstance(each, Refusal)),
        route.cacheable,
    )


def parameters_of(said: Any, path: str) -> Iterator[Parameter]:
    """Yield the parameters that a struct describes, the required ones first; those that are named in the path are in it."""
    if isinstance(said, Parameter):
        yield said
    if not isinstance(said, type):
        return
    described = msgspec.json.schema(said)["$defs"][said.__name__]["properties"]
    for field in sorted(msgspec.structs.fields(said), key=lambda each: not each.required):
        schema = {key: value for key, value in described[field.name].items() if key != "default"}
        (example,) = schema.pop("examples", (None,))
        place: Literal["path", "query"] = "path" if f"{{{field.name}}}" in path else "query"
        is_required = field.required or place == "path"
        yield Parameter(field.name, place, schema.pop("description", ""), example, _type_first(schema), is_required)


def _content(said: Any, examples: Examples, of: str) -> Content:
    content = said if isinstance(said, Content) else Content(JSON, (said,))
    if content.examples or not content.models:
        return content
    return replace(content, examples=examples.get(f"{of} {content.media_type}") or examples.get(of, {}))


def _texts(route: Route) -> tuple[str, str]:
    paragraphs = inspect.cleandoc(route.endpoint.__doc__ or "").split("\n\n")
    said = [" ".join(each.split("\n")) for each in paragraphs if not each.startswith("Raises ")]
    return said[0].removesuffix("."), "\n\n".join(said[1:])


def _is_annotated(hint: Any, kind: type) -> bool:
    return get_origin(hint) is Annotated and get_args(hint)[0] is kind


def _type_first(schema: dict[str, Any]) -> dict[str, Any]:
    ordered = {name: schema[name] for name in ("type", *schema) if name in schema}
    return ordered | {"items": _type_first(ordered["items"])} if "items" in ordered else ordered
