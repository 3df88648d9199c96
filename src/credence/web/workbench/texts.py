"""What people type into the forms of the workbench, checked by the rules of the API."""

import re
from collections.abc import Mapping
from typing import Any, TypeVar

import msgspec

from credence.refusals import Refused
from credence.web.dialects.reader import screen_text
from credence.web.screens.screen import Wrong

_MEMBER = re.compile(r"at `\$\.(\w+)").search
_UNKEPT = "This text has characters or patterns that the service does not take."

T = TypeVar("T")


def text_in(values: Mapping[str, str], name: str) -> str:
    """Return a line of text; Wrong for one that the API refuses as well (D17)."""
    text = values.get(name, "").strip()
    if not text.isprintable():
        raise Wrong("This must be text of one line.", name)
    try:
        screen_text(text)
    except Refused:
        raise Wrong(_UNKEPT, name) from None
    return text


def csv_in(values: Mapping[str, str]) -> tuple[str, str]:
    """Return the CSV that was pasted or is in a file, and the field that has it; Wrong if there is both."""
    pasted, file = values.get("rows", ""), values.get("file", "")
    if pasted.strip() and file.strip():
        raise Wrong("Paste lines or choose a file, not both.", "file")
    return (file, "file") if file.strip() else (pasted, "rows")


def whole_number_in(values: Mapping[str, str], name: str) -> int | None:
    """Return a whole number, None for none; separators of thousands and a pound sign are passed over."""
    text = values.get(name, "").strip().removeprefix("£").replace(",", "")
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and len(text) <= 15):
        raise Wrong("This must be a whole number.", name)
    return int(text)


def converted(members: Mapping[str, Any], model: type[T], fields: Mapping[str, str]) -> T:
    """Return the members as a model of the API; Wrong next to the field of the member that it does not take.

    `fields` says of each member what it must be.
    """
    try:
        return msgspec.convert(members, model)
    except msgspec.ValidationError as error:
        found = _MEMBER(str(error))
        name = found[1] if found else ""
        raise Wrong(fields.get(name, "This form is not complete."), name) from None
