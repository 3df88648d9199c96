"""Models as JSON Schema: the components of the OpenAPI document and references to them."""

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

_PLACE = "#/components/schemas/{name}"

Schema = dict[str, Any]


def schemas(models: Iterable[type]) -> Schema:
    """Return the schemas of these models and of their members, by name."""
    _, components = msgspec.json.schema_components(tuple(models), ref_template=_PLACE)
    return {name: _never_null(schema) for name, schema in sorted(components.items())}


def any_of(models: Sequence[type]) -> Schema:
    """Return the schema of a body with one of these models; of any object without models."""
    references = [{"$ref": _PLACE.format(name=model.__name__)} for model in models]
    match references:
        case []:
            return {"type": "object"}
        case [only]:
            return only
        case _:
            return {"anyOf": references}


def _never_null(schema: Schema) -> Schema:
    """Return a model's schema without null and defaults: responses leave unknown members out."""
    properties = schema.get("properties", {})
    return schema | {"properties": {name: _present(each) for name, each in properties.items()}}


def _present(member: Schema) -> Schema:
    kept = {name: value for name, value in member.items() if name != "default"}
    choices = [each for each in kept.pop("anyOf", ()) if each != {"type": "null"}]
    return choices[0] | kept if len(choices) == 1 else kept | ({"anyOf": choices} if choices else {})
