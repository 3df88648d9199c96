"""The currency that the text of a filing names, as well as that of its tags (docs/accounts.md).

Software tags amounts in its own currency: a filing with every amount in dollars may have the unit of pounds.
"""

import re
from collections import Counter

TRIGGERS: dict[bytes, tuple[bytes, ...]] = {
    b"dollar": (b"dollar",),
    b"$": (b"$",),
    b"euro": (b" euro", b"&euro;"),
    "\u20ac".encode(): ("\u20ac".encode(),),
    b"presentation": (b"presentation currency", b"presentational currency"),
}
"""A document without any of these words, in lower case, is not in another currency than that of its tags."""

_NAMES = (
    ("GBP", r"(?:pounds? )?sterling|gbp|(?:british|uk) pounds?|\u00a3"),
    ("USD", r"u\.?s\.? ?dollars?|united states dollars?|usd|us\$|\$"),
    ("EUR", r"euros?|eur|\u20ac"),
    ("CHF", r"swiss francs?|chf"),
    ("JPY", r"(?:japanese )?yen|jpy"),
    ("AUD", r"australian dollars?|aud|a\$"),
    ("CAD", r"canadian dollars?|cad|c\$"),
)
_NAMED = re.compile("|".join(f"(?P<{code}>{words})" for code, words in _NAMES))
_OF_PRESENTATION = re.compile(
    r"\bpresentation(?:al)? currency\b[^.\n]{0,60}?\b(?:is|are|being)\b[^.\n]{0,40}"
    r"|\b(?:prepared|presented|expressed|stated) in [^.\n]{0,40}"
)
_HEAD = re.compile(r"(?P<sign>\u00a3|us\$|\$|\u20ac)(?:'?000s?|'?m)?")
_SIGNS = {"\u00a3": "GBP", "us$": "USD", "$": "USD", "\u20ac": "EUR"}
_LEAST_HEADS = 4
"""Column heads that tell a currency where no sentence does: those of a balance sheet of two years and of a note."""


def currency_in_text(text: str) -> str:
    """Return the currency in which a text says, or its column heads show, that the amounts are; empty if neither does.

    A sentence on the presentation counts before column heads; the functional currency alone does not count.
    """
    lowered = text.lower()
    said = [named.lastgroup for match in _OF_PRESENTATION.finditer(lowered) if (named := _NAMED.search(match.group()))]
    found = Counter(each for each in said if each)
    if len(found) == 1:
        return next(iter(found))
    heads = Counter(_SIGNS[match["sign"]] for line in lowered.split("\n") if (match := _HEAD.fullmatch(line.strip())))
    return next(iter(heads)) if len(heads) == 1 and heads.total() >= _LEAST_HEADS else ""
