"""The operations of the credit API that developers can try, and the fields of their forms."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import quote, urlencode

import msgspec

from credence.api.reference.described import operation_of
from credence.api.reference.openapi import operation_id
from credence.blocks.forms import Field
from credence.oauth.parameters.scopes import APPLICATION_SCOPES, CREDIT_SCOPES
from credence.settings import Settings
from credence.sites.kit.screen import InvalidForm
from credence.web.routing.route import Protection, Route

BODY = "body"

MAX_VALUE_CHARACTERS = 2_000


@dataclass(frozen=True, slots=True)
class Request:
    """A request as entered in a form. `target` is path and query."""

    method: str
    target: str
    headers: Mapping[str, str]
    body: bytes


def operations_of(rows: Sequence[Route], settings: Settings) -> dict[str, Route]:
    """Return the operations of the credit API that this deployment serves, by their names in the reference."""
    return {
        operation_id(row, row.methods[0]): row
        for row in rows
        if row.protection is Protection.BEARER
        and row.scope in APPLICATION_SCOPES.intersection(CREDIT_SCOPES)
        and (row.setting is None or getattr(settings, row.setting))
    }


def fields_of(row: Route, typed: Mapping[str, str]) -> list[Field]:
    """Return a field for each parameter of an operation and for its body, filled with the typed value or the example."""
    found = []
    for each in operation_of(row).parameters:
        name = field_name(each.name)
        example = "" if each.example is None else str(each.example)
        if each.place == "header" and "<" in example:  # a placeholder, not a value
            example = ""
        given = typed.get(name, example if each.place == "path" or operation_of(row).parameters[0] is each else "")
        found.append(
            Field(
                name,
                each.name,
                given,
                hint=each.description.replace("`", ""),
                required=each.required or each.place == "path",
            )
        )
    if _media_type(row):
        found.append(Field(BODY, "Body", typed.get(BODY, _example_of(row)), hint=_media_type(row), kind="lines"))
    return found


def field_name(parameter: str) -> str:
    """Return the name of the form field of a parameter; no other field of the form has the name."""
    return f"of-{parameter}"


def request_of(row: Route, typed: Mapping[str, str]) -> Request:
    """Return the request that a form describes. Raises InvalidForm with the field that cannot be sent."""
    path, query, headers = row.path, list[tuple[str, str]](), dict[str, str]()
    for each in operation_of(row).parameters:
        name = field_name(each.name)
        value = typed.get(name, "").strip()
        if len(value) > MAX_VALUE_CHARACTERS:
            raise InvalidForm(f"A value has at most {MAX_VALUE_CHARACTERS:,} characters.", name)
        if each.place == "path":
            if not value or set(value) <= {"."}:
                raise InvalidForm("It is part of the path, so it cannot be empty.", name)
            path = path.replace(f"{{{each.name}}}", quote(value, safe=""))
        elif value and each.place == "query":
            query.append((each.name, value))
        elif value:
            if not (value.isascii() and value.isprintable()):
                raise InvalidForm("A header field has printable characters of ASCII.", name)
            headers[each.name] = value
    media_type = _media_type(row)
    body = typed.get(BODY, "").encode() if media_type else b""
    if media_type:
        headers["content-type"] = media_type
    return Request(row.methods[0], f"{path}?{urlencode(query)}" if query else path, headers, body)


def _media_type(row: Route) -> str:
    types = [each.media_type for each in operation_of(row).bodies]
    return next((each for each in types if each.endswith("json")), types[0] if types else "")


def _example_of(row: Route) -> str:
    example = next(
        value
        for each in operation_of(row).bodies
        if each.media_type == _media_type(row)
        for value in each.examples.values()
    )
    return example if isinstance(example, str) else msgspec.json.format(msgspec.json.encode(example), indent=2).decode()
