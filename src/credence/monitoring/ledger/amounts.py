"""Amounts as accounting programs write them, in hundredths of the currency.

A minus sign may be before or after the number, a negative amount in brackets, a credit marked with CR; the thousands are
separated by commas, points, apostrophes or spaces, or not at all.
"""

import re
from collections.abc import Iterable
from typing import Final, Literal

Decimal = Literal[".", ","]
"""The sign before the hundredths."""

MAX_AMOUNT: Final = 100_000_000_000_000
"""In hundredths; a thousand billion."""

_SPACES = re.compile(r"[\s\u00a0\u2007\u2009\u202f]+")
_CURRENCY = re.compile(r"[£€$]|\b(?:GBP|EUR|USD)\b")
_MINUS = str.maketrans("\u2212\u2012\u2013\ufe63\uff0d", "-----")
_CREDIT = re.compile(r"(?i)^(?:cr|dr)\.?|(?:cr|dr)\.?$")
_FORMS = {
    ".": re.compile(r"(\d{1,3}(?:[,'\u2019]\d{3})+|\d*)(?:\.(\d*))?", re.ASCII),
    ",": re.compile(r"(\d{1,3}(?:[.'\u2019]\d{3})+|\d*)(?:,(\d*))?", re.ASCII),
}
_ONLY_COMMA = re.compile(r"[^.]*\d,\d{1,2}\D*")
"""An amount in which a comma is before the hundredths: one or two digits follow it, and there is no point."""
_BOTH = re.compile(r".*\d([.,'])\d{3}(?:\1\d{3})*([.,])\d{1,2}\D*")
_MAX_CHARACTERS = 40


def amount_of(text: str, decimal: Decimal = ".", *, in_hundredths: bool = False) -> int | None:
    """Return an amount in hundredths of the currency; None for an empty cell, or a dash.

    Raises ValueError, with what is wrong in a sentence.
    """
    plain = _SPACES.sub("", _CURRENCY.sub("", text.translate(_MINUS).replace("\u2014", "-"))) if text else ""
    if plain in ("", "-"):
        return None
    if len(plain) > _MAX_CHARACTERS:
        raise ValueError("This is not an amount.")
    is_negative, plain = _signed(plain)
    form = _FORMS[decimal].fullmatch(plain)
    if form is None or not (form[1] or form[2]):
        raise ValueError(_why(plain, decimal))
    whole, fraction = re.sub(r"\D", "", form[1]) or "0", (form[2] or "").rstrip("0")
    if len(fraction) > (0 if in_hundredths else 2):
        raise ValueError("Pence are whole numbers." if in_hundredths else "An amount has at most two decimals.")
    found = int(whole) if in_hundredths else int(whole) * 100 + int(fraction.ljust(2, "0"))
    if found > MAX_AMOUNT:
        raise ValueError("The amount is too large.")
    return -found if is_negative else found


def decimal_of(texts: Iterable[str]) -> Decimal:
    """Return the sign before the hundredths in these amounts: the comma if one of them shows it, and none the point."""
    commas = 0
    for text in texts:
        both = _BOTH.fullmatch(text[:_MAX_CHARACTERS])
        if both is not None and both[2] != both[1]:
            return "," if both[2] == "," else "."
        commas += _ONLY_COMMA.fullmatch(text[:_MAX_CHARACTERS]) is not None
        if re.fullmatch(r"[^,]*\d\.\d{1,2}\D*", text[:_MAX_CHARACTERS]):
            return "."
    return "," if commas else "."


def _signed(plain: str) -> tuple[bool, str]:
    """Return whether an amount is negative, and the amount without its signs. Raises ValueError for several signs."""
    is_negative = False
    if plain.startswith("(") and plain.endswith(")"):
        is_negative, plain = True, plain[1:-1]
    elif plain.startswith("-") or plain.endswith("-"):
        is_negative, plain = True, plain[1:] if plain.startswith("-") else plain[:-1]
    elif plain.startswith("+"):
        plain = plain[1:]
    mark = _CREDIT.search(plain)
    if mark is not None:
        if is_negative:
            raise ValueError("The amount has two signs of a credit.")
        is_negative, plain = mark[0].lower().startswith("c"), plain.replace(mark[0], "", 1)
    return is_negative, plain


def _why(plain: str, decimal: Decimal) -> str:
    if not any(map(str.isdigit, plain)):
        return "This is not an amount."
    other: Decimal = "," if decimal == "." else "."
    if _FORMS[other].fullmatch(plain):
        name = {".": "point", ",": "comma"}
        return f"The {name[other]} is not where thousands are divided; the file has the {name[decimal]} before pence."
    return "This is not an amount."
