"""Parses a JSON body into a dict, or refuses it as a JSON threat (spec §7.9, D16, threats P1, P2, P3; RFC 8259).

The structure is checked on the bytes before parsing: refused input builds no tree, and the parser never gets more depth
than the limit. The body must already be within `Limits.body`.

`read_text` and `check_values` are the rules that JSON and XML bodies share, so that both refuse the same values (threats
I10). `form`, `json` or `xml`, is the first part of the reason code: `json.string` and `xml.string` are one rule.
"""

import json
import re
from collections.abc import Mapping
from enum import Enum
from typing import Literal

from credence.refusals.refusal import Refused
from credence.refusals.requests import THREAT
from credence.screening.limits import Limits


class Number(Enum):
    """Replaces each number. No credential is a number, so none is converted, neither 1e999 nor one of 5,000 digits."""

    UNREAD = "a number"


def read_json(body: bytes, limits: Limits) -> dict[str, object]:
    """Return the members of the object in `body`; an empty body has no members (threats P10).

    Values are `str`, `bool`, `None`, `Number.UNREAD`, or lists and dicts of these. Raises `Refused` with `json.encoding`,
    `json.character`, `json.depth`, `json.containers`, `json.members`, `json.elements`, `json.syntax`, `json.duplicate`,
    `json.constant`, `json.root`, `json.name` or `json.string`.
    """
    if not body:
        return {}
    text = read_text(body, "json")
    check_shape(body, limits)
    try:
        root = _DECODER.decode(text)
    except json.JSONDecodeError:
        raise Refused(THREAT, "json.syntax") from None
    if not isinstance(root, dict):
        raise Refused(THREAT, "json.root")
    check_values(root, "json", limits)
    return root


def has_unique_names(body: bytes) -> bool:
    """Return whether no object of a JSON document has two members of one name, after unescaping (threats P2).

    For readers that decode with msgspec, which keeps the last of them. False also for a document that is not JSON in UTF-8.
    """
    try:
        _DECODER.decode(body.decode())
    except (Refused, ValueError, RecursionError):
        return False
    return True


def check_shape(body: bytes, limits: Limits) -> None:
    """Refuse too much depth, too many containers, members or elements.

    In a document that is not JSON the counts may be wrong, but not too low before the first error, where parsing stops.
    """
    containers = 0
    opened: list[bytes] = []  # the containers that enclose this position
    commas: list[int] = []  # the commas so far in each of them
    for match in _MARKS(body):
        mark = match[1]
        if mark is None:
            continue
        if mark in b"{[":
            if len(commas) == limits.depth:
                raise Refused(THREAT, "json.depth")
            if containers == limits.containers:
                raise Refused(THREAT, "json.containers")
            containers += 1
            opened.append(mark)
            commas.append(0)
        elif not opened:
            return
        elif mark in b"}]":
            opened.pop()
            commas.pop()
        else:
            commas[-1] += 1  # a container has one member or element more than commas
            if opened[-1] == b"{" and commas[-1] == limits.members:
                raise Refused(THREAT, "json.members")
            if opened[-1] == b"[" and commas[-1] == limits.elements:
                raise Refused(THREAT, "json.elements")


Form = Literal["json", "xml"]

_NOT_A_CHARACTER = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]").search
"""Characters that XML 1.0 §2.2 excludes: control characters, lone surrogates, U+FFFE and U+FFFF. Refused in JSON too."""


def read_text(body: bytes, form: Form) -> str:
    """Return the text of a body in strict UTF-8 without a byte order mark (threats P2, P4).

    Raises `Refused` with `….encoding` or `….character`.
    """
    try:
        text = body.decode()
    except UnicodeDecodeError:
        raise Refused(THREAT, f"{form}.encoding") from None
    if text.startswith("\ufeff"):
        raise Refused(THREAT, f"{form}.encoding")
    if _NOT_A_CHARACTER(text):
        raise Refused(THREAT, f"{form}.character")
    return text


def check_values(members: Mapping[str, object], form: Form, limits: Limits) -> None:
    """Refuse names and strings, at any depth, that are too long or contain a character XML excludes.

    The parser has already decoded escapes and character references (threats P15).
    Raises `Refused` with `….name`, `….string` or `….character`.
    """
    for name, value in members.items():
        if len(name) > limits.name:
            raise Refused(THREAT, f"{form}.name")
        if _NOT_A_CHARACTER(name):
            raise Refused(THREAT, f"{form}.character")
        _check_value(value, form, limits)


def _check_value(value: object, form: Form, limits: Limits) -> None:
    if isinstance(value, str):
        if len(value) > limits.string:
            raise Refused(THREAT, f"{form}.string")
        if _NOT_A_CHARACTER(value):
            raise Refused(THREAT, f"{form}.character")
    elif isinstance(value, dict):
        check_values(value, form, limits)
    elif isinstance(value, list):
        for element in value:
            _check_value(element, form, limits)


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise Refused(THREAT, "json.duplicate")
    return members


def _number(_literal: str) -> Number:
    return Number.UNREAD


def _constant(_literal: str) -> None:
    raise Refused(THREAT, "json.constant")


# A mark or a whole string. The string always matches, so this is a single pass wherever quotes and backslashes are.
_MARKS = re.compile(rb'([\[\]{},])|"(?:[^"\\]|\\.?)*+"?', re.DOTALL).finditer

_DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_int=_number, parse_float=_number, parse_constant=_constant)
