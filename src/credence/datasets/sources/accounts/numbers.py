"""Numbers of filings, and the text of a filed document in lines: one for each paragraph, heading or cell of a table.

A number has a format, a scale and a sign (Inline XBRL 1.1 §10, Transformation Registries 1 to 4). In the text, line breaks
in the markup are ignored; block elements end a line. Style, scripts and the hidden header of Inline XBRL are left out. The
work is proportional to the document.
"""

import re
from decimal import Decimal
from functools import lru_cache
from itertools import product

from lxml import etree

_MAX_DIGITS = 40
_EXPONENT_LETTERS = 3
_MAX_VALUE = 10**15
_PLAIN = re.compile(r"-?[0-9]+(\.[0-9]*)?|-?\.[0-9]+")

_POINT = {"numcommadot", "numdotdecimal", "numdotdecimalin", "numspacedot", "numdotdecimalapos"}
_COMMA = {"numcomma", "numdotcomma", "numcommadecimal", "numspacecomma", "numcommadecimalapos"}
_WITHOUT_COMMAS, _WITHOUT_POINTS = (dict.fromkeys(map(ord, f"{sign}'\u2019")) for sign in ",.")
"""What separates thousands, for `str.translate`."""
_ZERO = {"numdash", "zerodash", "fixedzero"}
"""Names of the formats without hyphens: registry 4 writes `num-dot-decimal` for the `numdotdecimal` of registry 3."""


def decode(text: str, numeric_format: str = "", scale: str = "", sign: str = "") -> int | float | None:
    """Return the number in a tagged text; None for text of another format, and for absolute values of 10^15 or more.

    `numeric_format` is the local name of the format; without one the text is a plain decimal.
    """
    if len(text) > _MAX_DIGITS * 2:
        return None
    digits = _digits("".join(text.split()), numeric_format.replace("-", "").lower())
    if digits is None or len(digits) > _MAX_DIGITS or _PLAIN.fullmatch(digits) is None or sign not in ("", "-"):
        return None
    power = exponent(scale)
    if power is None:
        return None
    if digits.isdigit() and power >= 0:  # nearly every number
        whole = int(digits) * 10**power
        return None if whole >= _MAX_VALUE else -whole if sign else whole
    number = Decimal(digits).scaleb(power)
    if abs(number) >= _MAX_VALUE:
        return None
    number = -number if sign else number
    return int(number) if number == number.to_integral_value() else float(number)


def exponent(text: str) -> int | None:
    """Return the power of ten in `scale` or `decimals`, from -12 to 12; 0 for an empty text, None for another one."""
    text = text.strip()
    return _exponent(text) if len(text) <= _EXPONENT_LETTERS else None


@lru_cache(maxsize=256)
def _exponent(text: str) -> int | None:
    # Cached, because the numbers of a document have one or two; a hostile text is too long to get here.
    if re.fullmatch(r"[+-]?[0-9]{1,2}", text) is None:
        return None if text else 0
    power = int(text)
    return power if -12 <= power <= 12 else None


def _digits(text: str, numeric_format: str) -> str | None:
    """Return the text as a plain decimal; None for an unknown format."""
    if numeric_format in _ZERO:
        return "0"
    if numeric_format in _POINT:
        return text.translate(_WITHOUT_COMMAS)
    if numeric_format in _COMMA:
        return text.translate(_WITHOUT_POINTS).replace(",", ".")
    return None if numeric_format else text


_SPACES_OF_TAGS = ("{http://www.w3.org/1999/xhtml}", "")
_INLINE = ("{http://www.xbrl.org/2013/inlineXBRL}", "{http://www.xbrl.org/2008/inlineXBRL}")
_BLOCKS = tuple(
    space + name
    for space, name in product(
        _SPACES_OF_TAGS,
        ("p", "div", "br", "tr", "td", "th", "li", "table", "section", "h1", "h2", "h3", "h4", "h5", "h6"),
    )
)
_NO_TEXT = (
    *(space + name for space, name in product(_SPACES_OF_TAGS, ("head", "style", "script"))),
    *(f"{space}header" for space in _INLINE),
)
_MARK = "\ue000"
"""Marks the end of a line while line breaks in the markup are removed: a private-use character."""
_LINE_ENDS = re.compile(r" ?\n[ \n]*")


def text_of(root: etree._Element) -> str:
    """Return the text in lines, with straight apostrophes; of plain XBRL, one line for each fact.

    The tree is changed and cannot be used again.
    """
    etree.strip_elements(root, *_NO_TEXT, with_tail=False)
    for element in root.iter(*_BLOCKS) if root.tag.endswith("html") else root:
        element.tail = f"{_MARK}{element.tail or ''}"
    raw = etree.tostring(root, method="text", encoding="unicode").replace("\u2019", "'")
    # The mark is not white space, so it survives the removal of the line breaks in the markup.
    text = " ".join(raw.split()).replace(_MARK, "\n")
    return _LINE_ENDS.sub("\n", text).strip()
