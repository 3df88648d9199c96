"""Makes text from public registers and filings harmless to a reader that is a language model.

Companies and people choose their own names, and a name may be written as an instruction, as markup or as a link. The
returned text reads the same, but nothing interprets it: characters that open markup are replaced by their full-width
forms, no address is a link, and no character is invisible. An answer also says that such text is data.
"""

import re
import unicodedata
from typing import Any

LONGEST = 600
"""The most characters of one text: the length of the longest sentence that a report quotes from filed accounts."""

_INVISIBLE = frozenset({"Cc", "Cf", "Co", "Cs", "Cn", "Zl", "Zp"})
"""Unicode categories of controls, formats (direction, joiners, tags), unassigned code points and line separators."""

_IGNORABLE = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U0001d159\U000e0100-\U000e01ef]"
)
"""Characters without a glyph in other categories: Unicode's Default_Ignorable_Code_Point, and two blank symbols.

Two hundred and fifty-six of them are variation selectors: a run of these is a hidden message, an octet each.
"""

_MARKUP = {ord(each): chr(ord(each) + 0xFEE0) for each in "<>[]{}`|\\*#~"}
"""Code point of each character that opens HTML or Markdown -> its full-width form."""

_WWW = re.compile(r"(www)\.", re.IGNORECASE).sub
"""Replaces `www.`: programs make links of such words, also without a scheme."""

_MEANS_SOMETHING = re.compile(rf"[{re.escape(''.join(map(chr, _MARKUP)))}]|://|www\.", re.IGNORECASE).search


def inert(text: str, longest: int = LONGEST) -> str:
    """Return the text in one line, without markup, links and invisible characters, at most `longest` characters."""
    visible = text
    if not text.isprintable():  # it has a character of these categories, or a blank other than the space
        visible = "".join(" " if unicodedata.category(each) in _INVISIBLE else each for each in text)
    if not text.isascii():
        visible = _IGNORABLE.sub(" ", visible)
    unlinked = " ".join(visible.split())
    if _MEANS_SOMETHING(unlinked):
        unlinked = _WWW(r"\1．", unlinked.translate(_MARKUP).replace("://", "：//"))  # noqa: RUF001 - full-width is meant
    return unlinked if len(unlinked) <= longest else f"{unlinked[: longest - 1]}…"


def inert_values(value: Any, longest: int = LONGEST) -> Any:
    """Return decoded JSON with every string made inert. The names of members stay, because they are not data."""
    match value:
        case str():
            return inert(value, longest)
        case list() | tuple():
            return [inert_values(each, longest) for each in value]
        case dict():
            return {name: inert_values(each, longest) for name, each in value.items()}
        case _:
            return value
