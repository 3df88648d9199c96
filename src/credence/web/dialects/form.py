"""Reads a form (RFC 6749 appendix B): a flat list of names and values, each name once except those in `REPEATABLE`.

A body is parsed once, by `parse_form`. Both the choice of the dialect and the strict checks use its pairs.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from urllib.parse import unquote_plus, unquote_to_bytes

import msgspec

from credence.crypto.jws import MAX_TOKEN_CHARACTERS
from credence.refusals.refusal import Refused
from credence.refusals.requests import THREAT
from credence.screening.limits import Limits

TOKENS = frozenset(
    {"refresh_token", "code", "token", "access_token", "subject_token", "actor_token", "client_assertion", "assertion"}
)
"""Parameters that may be as long as a token (threats T10); other text is limited to less."""

REPEATABLE = frozenset({"resource", "audience"})
"""Parameters that may occur more than once (RFC 8707 §2, RFC 8693 §2.1)."""

MAX_PAIRS = 1_000
"""The most pairs that are parsed; `Limits.members` allows far fewer."""


class ParsedForm(msgspec.Struct, frozen=True):
    """The decoded pairs of a form, and whether the whole body is well formed."""

    pairs: Sequence[tuple[str, str]]
    well_formed: bool


def parse_form(body: bytes) -> ParsedForm:
    """Return the pairs as far as they can be decoded, so that the dialect of a malformed form can be chosen too."""
    text = body.decode("ascii", "surrogateescape")
    pieces = text.split("&") if "&" in text else [text]  # looking for a character is much faster than splitting at it
    if len(pieces) > MAX_PAIRS:
        return ParsedForm((), well_formed=False)
    complete = True
    pairs = []
    percent = "%" in text
    encoded = percent or "+" in text
    for piece in pieces:
        name, equals, value = piece.partition("=")
        if not equals:
            complete = complete and not body
            if not piece:
                continue
        if encoded:
            name, value = _decoded(name), _repeating(value) if name in _REPEATING else _decoded(value)
        pairs.append((name, value))
    # Without percent signs, nothing can have been mapped to a surrogate.
    return ParsedForm(pairs, complete and text.isascii() and (not percent or _is_utf_8(pairs)))


_REPEATING = frozenset({"redirect_uri", "scope", "resource", "audience"})
"""Parameters whose decoded value is cached: applications send the same value each time, and none is secret."""

_MAX_REPEATING_CHARACTERS = 512


def _repeating(text: str) -> str:
    return _kept(text) if len(text) <= _MAX_REPEATING_CHARACTERS else _decoded(text)


def _decoded(text: str) -> str:
    if not ("%" in text or "+" in text):
        return text
    if text.isascii():  # true for every form that is accepted; takes half the time
        return unquote_to_bytes(text.replace("+", " ")).decode(errors="surrogateescape")
    return unquote_plus(text, errors="surrogateescape")


_kept = lru_cache(maxsize=256)(_decoded)


def _is_utf_8(pairs: Sequence[tuple[str, str]]) -> bool:
    """Return whether the text was valid UTF-8: `surrogateescape` maps any other octet to a lone surrogate."""
    try:
        "".join(map("".join, pairs)).encode()
    except UnicodeEncodeError:
        return False
    return True


def form_fields(form: ParsedForm, limits: Limits) -> Mapping[str, str | list[str]]:
    """Return the fields by name; the value of a repeatable field is a list.

    Raises Refused as a threat if the form breaks a rule. A parameter without a value counts as omitted (RFC 6749 §3.2).
    """
    if not form.well_formed or len(form.pairs) > limits.members:
        raise Refused(THREAT, "form.syntax")
    fields: dict[str, str] = {}
    repeated: dict[str, list[str]] = {}
    for name, value in form.pairs:
        if len(name) > limits.name or len(value) > (MAX_TOKEN_CHARACTERS if name in TOKENS else limits.string):
            raise Refused(THREAT, "form.string")
        if "\0" in name or "\0" in value:
            raise Refused(THREAT, "form.character")
        if not value:
            continue
        if name in REPEATABLE:
            repeated.setdefault(name, []).append(value)
        elif name in fields:  # RFC 6749 §3.1: a parameter occurs once
            raise Refused(THREAT, "form.repeated")
        else:
            fields[name] = value
    return {**fields, **repeated} if repeated else fields
