"""Which names an application may choose for itself without an invitation: people must not take them for another's (UTS #39).

The pages for people put such a name in quotation marks, so it has none itself. Its letters are of one script, or of those
that are written together in Chinese, Japanese and Korean. A name that looks like the operator's is refused.
"""

import unicodedata
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any

import re2

from credence.refusals.refusal import Refused, because
from credence.refusals.registration import INVALID_CLIENT_METADATA

_SCRIPTS = (  # the recommended scripts (UAX #31, table 5)
    *("Arabic", "Armenian", "Bengali", "Cyrillic", "Devanagari", "Ethiopic", "Georgian", "Greek", "Gujarati"),
    *("Gurmukhi", "Hebrew", "Kannada", "Khmer", "Lao", "Malayalam", "Myanmar", "Oriya", "Sinhala", "Tamil"),
    *("Telugu", "Thaana", "Thai", "Tibetan"),
)

_WRITTEN_TOGETHER = (  # UTS #39 §5.2, highly restrictive
    ("Latin", "Han", "Hiragana", "Katakana"),
    ("Latin", "Han", "Hangul"),
    ("Latin", "Han", "Bopomofo"),
)


def _letters_of(*scripts: str) -> str:
    """Return a pattern of text in these scripts, with the characters that belong to all."""
    return "[" + "".join(rf"\p{{{script}}}" for script in ("Common", "Inherited", *scripts)) + "]*"


@cache
def _of_one_script() -> Any:
    """Return the pattern of a name in one script; only a registration needs it, and it takes megabytes."""
    return re2.compile(
        "|".join((*(_letters_of(*scripts) for scripts in _WRITTEN_TOGETHER), *map(_letters_of, _SCRIPTS)))
    )


_NOT_ALLOWED = because(
    INVALID_CLIENT_METADATA,
    "The client_name must not have quotation marks, mix scripts, or look like the name of the service's operator.",
)

_APOSTROPHES = frozenset("'\N{RIGHT SINGLE QUOTATION MARK}\N{MODIFIER LETTER APOSTROPHE}")

_LIKE_QUOTATION_MARKS = frozenset('"`\N{ACUTE ACCENT}\N{MODIFIER LETTER DOUBLE PRIME}\N{DOUBLE PRIME}\N{DITTO MARK}')
"""Characters outside the categories of quotation marks that look like one; `unicodedata` has the others as Pi and Pf."""

_LIKE_ONE_LETTER = (("i", "l"), ("rn", "m"), ("vv", "w"), ("cl", "d"))

_MIN_LETTERS_WITHIN_A_NAME = 4
"""The fewest letters of an operator's name that are looked for anywhere in a name; a shorter one must be a whole word."""


def check_self_chosen_name(name: str, operator: str) -> None:
    """Raise Refused for a name that an application may not give itself.

    `operator` is the name of the operator on the pages for people.
    """
    if _has_quotation_mark(name):
        raise Refused(_NOT_ALLOWED, "registration.name_quotes")
    if not _of_one_script().fullmatch(unicodedata.normalize("NFKC", name)):
        raise Refused(_NOT_ALLOWED, "registration.name_scripts")
    if _looks_like(name, operator):
        raise Refused(_NOT_ALLOWED, "registration.name_of_operator")


def _has_quotation_mark(name: str) -> bool:
    """Return whether a name has a quotation mark; single apostrophes, as in O'Neill, do not count."""
    before = ""
    for each in name:
        if each in _APOSTROPHES:
            if before in _APOSTROPHES:
                return True
        elif each in _LIKE_QUOTATION_MARKS or "QUOTATION MARK" in unicodedata.name(each, ""):
            return True
        before = each
    return False


def _looks_like(name: str, operator: str) -> bool:
    operator_skeleton = _skeleton(operator)
    if len(operator_skeleton) >= _MIN_LETTERS_WITHIN_A_NAME:
        return operator_skeleton in _skeleton(name)
    return bool(operator_skeleton) and operator_skeleton in map(_skeleton, name.split())


def _skeleton(text: str) -> str:
    """Return what texts that look alike have in common: Latin letters where they look so, without accents and spaces."""
    letters = "".join(each for each in unicodedata.normalize("NFKD", text) if not unicodedata.combining(each))
    folded = letters.translate(_latin_letters()).casefold()
    for look, other in _LIKE_ONE_LETTER:
        folded = folded.replace(look, other)
    return "".join(filter(str.isalnum, folded))


@cache
def _latin_letters() -> Mapping[int, str]:
    """Return the table that replaces letters by the Latin ones that they look like, from `look_alikes.txt`."""
    text = resources.files("credence.oauth.registration").joinpath("look_alikes.txt").read_text(encoding="utf-8")
    rows = [line.split() for line in text.splitlines() if not line.startswith("#")]
    return str.maketrans({other: letter for letter, *others in rows for other in others})
