"""Parses values that several publishers write alike: dates, links and texts."""

import datetime as dt
import re
from typing import Any, TypeVar

import msgspec

from credence.clock import Milliseconds

F = TypeVar("F", bound=msgspec.Struct)

_CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
_MARKS = re.compile("[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff\ufffe\uffff]")

_SUSPECT = re.compile(
    rb"\\[^\"]|\x7f|\xc2[\x80-\x9f]|\xd8\x9c|\xe2\x80[\x8b\x8e\x8f\xa8-\xae]"
    rb"|\xe2\x81[\xa0\xa6-\xa9]|\xef\xbb\xbf|\xef\xbf[\xbe\xbf]"
)
"""The same characters in JSON, where an escape may be a control character.

Searching for them costs less than cleaning every text.
"""

_encode = msgspec.json.Encoder().encode


class Links(msgspec.Struct):
    """The links of an answer, an entry or a line of Companies House's JSON, as far as they are read."""

    own: str = msgspec.field(name="self", default="")

    @property
    def id(self) -> str:
        """The last part of the `self` link, which identifies the entry; empty without one."""
        return self.own.rpartition("/")[2]


def read_date(text: str | None) -> dt.date | None:
    """Return the date at the beginning of a text, `2026-11-01` or a timestamp; None for another text."""
    try:
        return dt.date.fromisoformat(text[:10]) if text else None
    except ValueError:
        return None


def read_instant(text: str | None) -> Milliseconds | None:
    """Return the instant of a timestamp, in UTC unless it says another zone; None for another text."""
    try:
        at = dt.datetime.fromisoformat(text) if text else None
    except ValueError:
        return None
    if at is None:
        return None
    return int((at if at.tzinfo else at.replace(tzinfo=dt.UTC)).timestamp() * 1_000)


def plain_text(text: str) -> str:
    """Return a text with a space for each run of control characters, and without invisible and reordering marks.

    Such characters get into sources by mistake or attack: XML forbids U+0000, and U+202E reverses the text that follows it.
    """
    return text if text.isprintable() else _MARKS.sub("", _CONTROLS.sub(" ", text)).strip()


def with_plain_texts(fact: F) -> F:
    """Return a fact with `plain_text` applied to every text."""
    if not _SUSPECT.search(_encode(fact)):
        return fact
    return msgspec.convert(_plain(msgspec.to_builtins(fact)), type(fact))


def _plain(value: Any) -> Any:
    if isinstance(value, str):
        return plain_text(value)
    if isinstance(value, dict):
        return {_plain(name): _plain(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    return value
