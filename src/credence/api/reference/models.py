"""Models as JSON Schema: the components of the OpenAPI document, and references to them."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from inspect import cleandoc
from typing import Any

import msgspec

_PLACE = "#/components/schemas/{name}"

Schema = dict[str, Any]

_NUMBERS = ({"type": "integer"}, {"type": "number"})


def schemas(models: Collection[type], *, nulls: bool = False) -> Schema:
    """Return the schemas of these models and of their members: name -> schema.

    With `nulls` an unknown member is null in the schema; without, the member may be missing.
    """
    _, components = msgspec.json.schema_components(tuple(models), ref_template=_PLACE)
    components = msgspec.to_builtins(components)  # examples may be dates
    for model in models:
        if getattr(model, "is_open", False):  # answers may have members that are not declared
            components[model.__name__]["additionalProperties"] = True
    for schema in components.values():
        if "description" in schema:
            schema["description"] = cleandoc(
                schema["description"]
            )  # up to Python 3.12 a docstring keeps its indentation
    for schema in components.values():
        for member in schema.get("properties", {}).values():
            if member.get("type") == "array" and "enum" in member:  # the codes are those of an element
                member["items"]["enum"] = member.pop("enum")
    return {name: schema if nulls else _never_null(schema) for name, schema in sorted(components.items())}


def any_of(models: Sequence[type]) -> Schema:
    """Return the schema of a body with one of these models; without models, of any JSON object."""
    references = [{"$ref": _PLACE.format(name=model.__name__)} for model in models]
    match references:
        case []:
            return {"type": "object"}
        case [only]:
            return only
        case _:
            return {"anyOf": references}


def json_schema(components: Schema, model: str, address: str) -> Schema | None:
    """Return the JSON Schema of one model with the models of its members (draft 2020-12); None for an unknown model.

    `address` is the URL at which the schema is published, its `$id`.
    """
    if model not in components:
        return None
    needed, waiting = set(), {model}
    while waiting:
        name = waiting.pop()
        needed.add(name)
        inner = (_model_of(member) for member in components[name].get("properties", {}).values())
        waiting |= {each for each in inner if each} - needed
    definitions = {name: components[name] for name in sorted(needed)}
    text = msgspec.json.encode(definitions).replace(_PLACE.format(name="").encode(), b"#/$defs/")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": address,
        "$ref": f"#/$defs/{model}",
        "$defs": msgspec.json.decode(text),
    }


def with_examples(components: Schema, bodies: Iterable[tuple[str, Any]]) -> Schema:
    """Return the schemas with an example for each member that one of the bodies has.

    `bodies` are pairs of model name and decoded JSON. An example in the model itself has precedence, then the first
    body.
    """
    found: dict[tuple[str, str], Any] = {}
    for model, body in bodies:
        _collect(components, model, body, found)
    return {name: _exemplified(name, schema, found) for name, schema in components.items()}


def _collect(components: Schema, model: str, body: Any, found: dict[tuple[str, str], Any]) -> None:
    for name, value in body.items() if isinstance(body, Mapping) else ():
        member = components[model].get("properties", {}).get(name)
        if member is None or value in ("", None, [], ()) or not _fits(member, value):
            continue
        found.setdefault((model, name), value)
        inner = _model_of(member)
        for each in value if isinstance(value, list | tuple) else (value,):
            if inner:
                _collect(components, inner, each, found)


def _fits(member: Schema, value: object) -> bool:
    """Return whether a value has the type of a member: two models of a response may define it with different types."""
    match member.get("type"):
        case "string":
            return isinstance(value, str)
        case "integer":
            return isinstance(value, int)
        case "number":
            return isinstance(value, int | float)
        case _:
            return True


def _model_of(member: Schema) -> str | None:
    """Return the name of the model of a member or of its list items; None for a plain value."""
    reference = member.get("$ref") or member.get("items", {}).get("$ref")
    return str(reference).rpartition("/")[2] if reference else None


def _exemplified(model: str, schema: Schema, found: Mapping[tuple[str, str], Any]) -> Schema:
    properties = {
        name: member
        if "examples" in member or _model_of(member) or (model, name) not in found
        # The example of a list of plain values is the whole list.
        else member | {"examples": [found[model, name]]}
        for name, member in schema.get("properties", {}).items()
    }
    return schema | {"properties": properties} if properties else schema


def _never_null(schema: Schema) -> Schema:
    """Return the schema of a model without null and defaults, because responses omit unknown members."""
    properties = schema.get("properties", {})
    return schema | {"properties": {name: _present(each) for name, each in properties.items()}}


def _present(member: Schema) -> Schema:
    kept = {name: value for name, value in member.items() if name != "default"}
    choices = [each for each in kept.pop("anyOf", ()) if each != {"type": "null"}]
    if all(each in choices for each in _NUMBERS):
        choices = [{"type": "number"}, *(each for each in choices if each not in _NUMBERS)]
    return choices[0] | kept if len(choices) == 1 else kept | ({"anyOf": choices} if choices else {})
