"""Makes text from public registers and filings harmless to a reader that is a language model.

Companies and people choose their own names, and a name may be written as an instruction, as markup or as a link. What is
returned reads the same and means nothing: characters that open markup are replaced by their full-width forms, no address
can be followed, and no character is invisible. An answer also says that such text is data.
"""

import re
import unicodedata
from typing import Any

LONGEST = 600
"""Characters of one text: those of the longest sentence that a report quotes from filed accounts."""

_INVISIBLE = frozenset({"Cc", "Cf", "Co", "Cs", "Cn", "Zl", "Zp"})
"""Unicode categories of controls, formats (direction, joiners, tags), unassigned code points and line separators."""

_MARKUP = {ord(each): chr(ord(each) + 0xFEE0) for each in "<>[]{}`|\\*#~"}
"""Each character that opens HTML or Markdown, and its full-width form."""

_WWW = re.compile(r"(www)\.", re.IGNORECASE).sub
"""Programs make links of such words, also without a scheme."""

_MEANS_SOMETHING = re.compile(rf"[{re.escape(''.join(map(chr, _MARKUP)))}]|://|www\.", re.IGNORECASE).search


def inert(text: str, longest: int = LONGEST) -> str:
    """Return the text in one line, without markup, links and invisible characters, at most `longest` characters."""
    visible = text
    if not text.isprintable():  # it has something of these categories, or a blank other than the space
        visible = "".join(" " if unicodedata.category(each) in _INVISIBLE else each for each in text)
    unlinked = " ".join(visible.split())
    if _MEANS_SOMETHING(unlinked):
        unlinked = _WWW(r"\1．", unlinked.translate(_MARKUP).replace("://", "：//"))  # noqa: RUF001 - full-width is meant
    return unlinked if len(unlinked) <= longest else f"{unlinked[: longest - 1]}…"


def inert_values(value: Any, longest: int = LONGEST) -> Any:
    """Return decoded JSON with every string made inert; names of members are ours and stay."""
    match value:
        case str():
            return inert(value, longest)
        case list() | tuple():
            return [inert_values(each, longest) for each in value]
        case dict():
            return {name: inert_values(each, longest) for name, each in value.items()}
        case _:
            return value
