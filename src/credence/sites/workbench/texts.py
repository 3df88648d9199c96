"""Reads the fields of the workbench's forms, by the rules of the API."""

import re
from collections.abc import Mapping
from typing import Any, TypeVar

import msgspec

from credence.refusals.refusal import Refused
from credence.sites.kit.screen import InvalidForm
from credence.web.dialects.reader import screen_text

_MEMBER = re.compile(r"at `\$\.(\w+)").search
_WHOLE = re.compile(r"[0-9]+|[0-9]{1,3}(,[0-9]{3})+").fullmatch
_UNKEPT = "This text contains characters or patterns that are not allowed."

T = TypeVar("T")


def text_in(values: Mapping[str, str], name: str) -> str:
    """Return a line of text. Raises InvalidForm for text that the API refuses as well (D17)."""
    text = values.get(name, "").strip()
    if not text.isprintable():
        raise InvalidForm("Enter a single line of text.", name)
    try:
        screen_text(text)
    except Refused:
        raise InvalidForm(_UNKEPT, name) from None
    return text


def csv_in(values: Mapping[str, str]) -> tuple[str, str]:
    """Return the pasted CSV or the CSV of the file, and the name of its field. Raises InvalidForm if both are given."""
    pasted, file = values.get("rows", ""), values.get("file", "")
    if pasted.strip() and file.strip():
        raise InvalidForm("Enter lines or choose a file, not both.", "file")
    return (file, "file") if file.strip() else (pasted, "rows")


def whole_number_in(values: Mapping[str, str], name: str) -> int | None:
    """Return the field as an integer, None if it is empty.

    Ignores commas between thousands and a leading pound sign. Raises InvalidForm otherwise: `10,00` may mean ten pounds.
    """
    text = values.get(name, "").strip().removeprefix("£")
    if not text:
        return None
    if not _WHOLE(text) or len(text) > 20:
        raise InvalidForm("Enter a whole number.", name)
    return int(text.replace(",", ""))


def converted(members: Mapping[str, Any], model: type[T], fields: Mapping[str, str]) -> T:
    """Return the members as a model of the API. Raises InvalidForm with the field of the invalid member.

    `fields` maps a member to its error message.
    """
    try:
        return msgspec.convert(members, model)
    except msgspec.ValidationError as error:
        found = _MEMBER(str(error))
        name = found[1] if found else ""
        raise InvalidForm(fields.get(name, "Complete all the required fields."), name) from None
