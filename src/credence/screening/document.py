"""The rules that JSON and XML bodies share, so that both refuse the same values (D16, threats I10).

`form`, `json` or `xml`, is the first part of the reason code: `json.string` and `xml.string` are one rule.
"""

import re
from collections.abc import Mapping
from typing import Literal

from credence.refusals.refusal import Refused
from credence.refusals.requests import THREAT
from credence.screening.limits import Limits

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
