"""Texts as publishers give them, without what is no letter: control characters, and marks that turn the order of others.

They reach a source by slips and by malice: U+0000 has no place in XML, and U+202E makes a name read backwards.
"""

import re
from typing import Any, TypeVar

import msgspec

F = TypeVar("F", bound=msgspec.Struct)

_CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
_MARKS = re.compile("[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff\ufffe\uffff]")

_SUSPECT = re.compile(
    rb"\\[^\"]|\x7f|\xc2[\x80-\x9f]|\xd8\x9c|\xe2\x80[\x8b\x8e\x8f\xa8-\xae]"
    rb"|\xe2\x81[\xa0\xa6-\xa9]|\xef\xbb\xbf|\xef\xbf[\xbe\xbf]"
)
"""The same as JSON writes it, where an escape may be one of the controls; to look is cheaper than to clean."""

_encode = msgspec.json.Encoder().encode


def plain(text: str) -> str:
    """Return a text with a space for each run of controls and without the marks."""
    return text if text.isprintable() else _MARKS.sub("", _CONTROLS.sub(" ", text)).strip()


def with_plain_texts(fact: F) -> F:
    """Return a fact whose texts are all plain."""
    if not _SUSPECT.search(_encode(fact)):
        return fact
    return msgspec.convert(_plain(msgspec.to_builtins(fact)), type(fact))


def _plain(value: Any) -> Any:
    if isinstance(value, str):
        return plain(value)
    if isinstance(value, dict):
        return {_plain(name): _plain(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    return value
