"""Documentation of the routes of operations and readings, from their declarations, models and examples.

The examples of an invented deployment are in `examples.json`, by the name of a model or of an operation.
"""

from collections.abc import Iterator, Mapping
from importlib.resources import files
from typing import Any, get_type_hints

import msgspec

from credence import paths
from credence.api.reference.described import parameters_of
from credence.api.resources.bodies import MERGE_PATCH
from credence.operations.inputs import members_of
from credence.operations.operation import Noun, Operation
from credence.operations.reading import Reading
from credence.refusals.refusal import Refusal
from credence.refusals.requests import UNSUPPORTED_MEDIA_TYPE
from credence.refusals.resources import (
    IDEMPOTENCY_IN_PROGRESS,
    IDEMPOTENCY_KEY,
    IDEMPOTENCY_MISMATCH,
    IDEMPOTENCY_OUTCOME_UNKNOWN,
    PRECONDITION_FAILED,
    PRECONDITION_REQUIRED,
    RESOURCE_CHANGED,
    RESOURCE_MALFORMED,
    RESOURCE_PARAMETER,
    RESOURCE_UNKNOWN,
)
from credence.web.messages.answer import JSON
from credence.web.routing.operation import Content, Parameter
from credence.web.routing.operation import Operation as Described

OF_A_BODY = (UNSUPPORTED_MEDIA_TYPE, RESOURCE_MALFORMED)

OF_A_VERSION = (RESOURCE_UNKNOWN, PRECONDITION_FAILED, PRECONDITION_REQUIRED, RESOURCE_CHANGED)
"""Refusals of a change that needs If-Match."""

OF_IDEMPOTENCY = (IDEMPOTENCY_KEY, IDEMPOTENCY_IN_PROGRESS, IDEMPOTENCY_OUTCOME_UNKNOWN, IDEMPOTENCY_MISMATCH)
"""Refusals of a request with Idempotency-Key."""


_FLAG = {"type": "string", "enum": ["true", "false"]}

PREVIEW = Parameter("preview", "query", "Only answer what would be, and change nothing. Default: false.", schema=_FLAG)
IF_MATCH = Parameter("If-Match", "header", "The ETag of the version that was read; required for a change.", "*")
KEY = Parameter("Idempotency-Key", "header", "A repetition with it gets the first answer again, without its secrets.")
PAGE = (
    Parameter(
        "page_size",
        "query",
        "Entries of a page, at most 1,000. Default: 100.",
        schema={"type": "integer", "minimum": 1},
    ),
    Parameter("page_token", "query", "`next_page_token` of the previous page."),
)


_EXAMPLES: Mapping[str, Mapping[str, Any]] = msgspec.json.decode(
    files("credence.api.resources").joinpath("examples.json").read_bytes()
)
_ONLY_ONCE = _EXAMPLES["only_once"]
"""Name of a model -> the members of its examples that only the answer to one act has."""

TAGS = {paths.MANAGEMENT: "Management", paths.MONITORING: "Monitoring"}


def operation_described(operation: Operation) -> Described:
    """Return the documentation of the route of an operation."""
    noun = operation.on
    bodies: tuple[Content, ...] = ()
    if operation.patches:
        may_be_partial = operation.typed is not operation.body and not _required(operation)
        model = (operation.body,) if operation.body is not None and may_be_partial else ()
        bodies = (Content(MERGE_PATCH, model, _examples(operation.id)),)
    elif operation.body is not None and _sent(operation):
        bodies = (Content(JSON, (operation.body,), _examples(operation.body.__name__)),)
    further = (IF_MATCH,) if operation.is_versioned else (KEY,) if operation.method == "POST" else ()
    previewed = (PREVIEW,) if noun.is_managed else ()
    return Described(
        operation.id,
        TAGS[noun.base],
        operation.title,
        operation.text,
        tuple(_answers(operation)),
        (*_of_path(operation), *previewed, *further),
        bodies,
        tuple(dict.fromkeys(_refusals(operation))),
    )


def _required(operation: Operation) -> bool:
    """Return whether the body has members without a default, which a merge patch may leave out."""
    return operation.body is not None and any(each.required for each in msgspec.structs.fields(operation.body))


def _sent(operation: Operation) -> bool:
    """Return whether the body has members that are not in the path."""
    members = {each.name for each in msgspec.structs.fields(operation.body)} if operation.body is not None else set()
    return bool(members - set(operation.places))


def _answers(operation: Operation) -> Iterator[Content]:
    model = operation.answers or state_model(operation.on)
    examples = _examples(model.__name__)
    status = 201 if operation.or_makes else operation.status
    if status == 204:
        yield Content("", status=204)
        return
    if status == 201:
        secrets = _ONLY_ONCE.get(model.__name__, {}) if operation.once or operation.or_makes else {}
        yield Content(JSON, (model,), {title: {**each, **secrets} for title, each in examples.items()}, 201)
    if status != 201 or operation.on.is_managed:
        yield Content(JSON, (model,), examples, 202 if status == 202 else 200)


def reading_described(reading: Reading) -> Described:
    """Return the documentation of the route of a reading."""
    model = reading.answers
    unknown = () if reading.lists and not reading.places else (RESOURCE_UNKNOWN,)
    parameters = tuple(_queried(reading))
    refuses = parameters or reading.is_whole_list
    return Described(
        reading.id,
        TAGS[reading.on.base],
        reading.title,
        reading.text,
        (Content(JSON, (model,), _examples(reading.id, model.__name__)),),
        (*_of_path(reading), *parameters),
        (),
        tuple(dict.fromkeys((*unknown, *((RESOURCE_PARAMETER,) if refuses else ()), *reading.refuses))),
        cacheable=not reading.on.is_managed,
    )


def _examples(*names: str) -> Mapping[str, Any]:
    return next((_EXAMPLES[each] for each in names if each in _EXAMPLES), {})


def _queried(reading: Reading) -> Iterator[Parameter]:
    """Yield the parameters of the query of a reading."""
    if reading.has_pages:
        yield from PAGE
    elif reading.query is not None:
        yield from parameters_of(reading.query, reading.path)


def state_model(noun: Noun[Any]) -> Any:
    """Return the model of the state of an object."""
    return get_type_hints(noun.state)["return"]


def _of_path(declared: Operation | Reading) -> Iterator[Parameter]:
    noun = declared.on
    if not (declared.makes if isinstance(declared, Operation) else declared.lists):
        yield Parameter(noun.key, "path", noun.help, noun.example)
    if isinstance(declared, Operation) and declared.body is not None:
        for each in members_of(declared.body):
            if each.name in declared.places:
                yield Parameter(each.name, "path", each.input.help, each.example)


def _refusals(operation: Operation) -> Iterator[Refusal]:
    if not operation.makes:
        yield RESOURCE_UNKNOWN
    yield from OF_A_VERSION if operation.is_versioned else ()
    yield from () if operation.silent else (RESOURCE_CHANGED,)
    if operation.patches or _sent(operation):
        yield from OF_A_BODY
    elif not operation.silent:
        yield RESOURCE_MALFORMED
    if operation.on.is_managed:
        yield RESOURCE_PARAMETER
    yield from OF_IDEMPOTENCY if operation.method == "POST" else ()
