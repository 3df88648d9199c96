"""Documentation of the routes of operations and readings, from their declarations, models and examples."""

from collections.abc import Iterator
from typing import Any, get_type_hints

import msgspec
from msgspec import Struct

from credence.operations.examples import EXAMPLES
from credence.operations.operation import Noun, Operation, Reading
from credence.refusals.refusal import Refusal
from credence.refusals.resources import RESOURCE_CHANGED, RESOURCE_MALFORMED, RESOURCE_PARAMETER, RESOURCE_UNKNOWN
from credence.web.messages.answer import JSON
from credence.web.resource_api.bodies import MERGE_PATCH
from credence.web.resource_api.parameters import IF_MATCH, KEY, PREVIEW
from credence.web.resource_api.refusals import OF_A_BODY, OF_A_VERSION, OF_IDEMPOTENCY
from credence.web.routing.operation import Content, Parameter
from credence.web.routing.operation import Operation as Described

TAG = "Management"


def operation_described(operation: Operation) -> Described:
    """Return the documentation of the route of an operation."""
    method, places = operation.api[0], set(operation.places)
    bodies: tuple[Content, ...] = ()
    if method == "PATCH":
        bodies = (Content(MERGE_PATCH, (), EXAMPLES.get(operation.body or Struct, {})),)
    elif operation.body is not None and {each.name for each in msgspec.structs.fields(operation.body)} - places:
        bodies = (Content(JSON, (operation.body,), EXAMPLES.get(operation.body, {})),)
    further = (IF_MATCH,) if operation.is_versioned else (KEY,) if method == "POST" else ()
    return Described(
        operation.id,
        TAG,
        operation.title,
        operation.text,
        tuple(_answers(operation)),
        (*_of_path(operation), PREVIEW, *further),
        bodies,
        tuple(dict.fromkeys(_refusals(operation))),
    )


def _answers(operation: Operation) -> Iterator[Content]:
    model = state_model(operation.on)
    yield Content(JSON, (model,), EXAMPLES.get(model, {}), 201 if operation.makes or operation.once else 200)


def reading_described(reading: Reading) -> Described:
    """Return the documentation of the route of a reading."""
    model = get_type_hints(reading.read)["return"]
    refusals = (RESOURCE_UNKNOWN,) if reading.on is not None else ()
    return Described(
        reading.id,
        TAG,
        reading.title,
        reading.text,
        (Content(JSON, (model,), EXAMPLES.get(model, {})),),
        tuple(_of_path(reading)),
        (),
        refusals,
    )


def state_model(noun: Noun[Any]) -> Any:
    """Return the model of the state of an object."""
    return get_type_hints(noun.state)["return"]


def _of_path(declared: Operation | Reading) -> Iterator[Parameter]:
    noun = declared.on
    if noun is not None and not (isinstance(declared, Operation) and declared.makes):
        yield Parameter(noun.key, "path", noun.help, noun.example)


def _refusals(operation: Operation) -> Iterator[Refusal]:
    if not operation.makes:
        yield RESOURCE_UNKNOWN
    yield from OF_A_VERSION if operation.is_versioned else ()
    yield RESOURCE_CHANGED
    yield from OF_A_BODY if operation.body is not None else (RESOURCE_MALFORMED,)
    yield RESOURCE_PARAMETER
    yield from OF_IDEMPOTENCY if operation.api[0] == "POST" else ()
