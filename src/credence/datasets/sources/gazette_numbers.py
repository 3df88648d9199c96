"""Finds the company of a Gazette notice by the number inside its text (credit §4.3).

A petition names two parties: the company to be wound up and the petitioner, often a company too. The Gazette's form is
`A Petition to wind up the above-named company of NAME (NUMBER) of ADDRESS, presented on DATE by PETITIONER, of ADDRESS`.
A petition attributed to the petitioner would be a grave error of a credit report: a number counts only before "presented",
and only if no word assigns it to another company. An ambiguous petition belongs to no company.
"""

import re

from credence.companies.number import LENGTH, normalise_or_none

_LETTERED = r"[A-Z]{2}\s?[0-9]{1,6}|[A-Z]{2}[0-9]{5}[A-Z]|R0\s?[0-9]{6}"

_LABELLED = re.compile(
    r"\b(?:company|registered|registration)\s+(?:registered\s+|registration\s+)?(?:number|no)s?\b\.?\s*(?:is|of)?\s*[:\-]?\s*"
    rf"\(?\s*({_LETTERED}|[0-9]{{5,8}})\b",
    re.IGNORECASE,
)
"""A number with its label: `Company Number: 01234567`, `(Company No. SC123456)`, `Company Number: (01234567)`."""

_BRACKETED = re.compile(r"\b(\w+)[\W_]{0,3}\(\s*([A-Z]{2}\s?[0-9]{5,6}|R0\s?[0-9]{6}|[0-9]{7,8})\s*\)", re.IGNORECASE)
"""A number in brackets after a word, as in `NAME (01234567)`; shorter ones are dialling codes, years and postcodes."""

_OTHER_NUMBERS = frozenset(
    {"account", "case", "charity", "claim", "fax", "no", "number", "phone", "ref", "tel", "telephone", "vat"}
)
"""Words before a bracket with a number of another kind; `_LABELLED` finds `Company Number (…)`."""

_PRESENTED = re.compile(r"\bpresented\b(?!\s+(?!(?:at|before|by|in|on|to)\b)(?-i:[A-Z]))", re.IGNORECASE)
"""The verb; before a capital it is part of a name, as in `WELL PRESENTED HOMES LIMITED`."""

_MAX_LETTERS = 5_000
"""Letters before the verb; a real notice has a few hundred."""

_OBJECT = re.compile(r"\b(?:wind(?:ing)?[\s-]*up|in\s+the\s+matter\s+of)\b", re.IGNORECASE)
"""The words before the company's name."""

_FORM = re.compile(r"\b(?:limited(?!\s+company\b)|ltd|plc|llp|cyfyngedig|cyf|ccc|pac)\b", re.IGNORECASE)
"""The last word of a company's name; with a second one before the number, the number is another company's."""

_FORMER_NAME = re.compile(r"\b(?:formerly|previously)\b(?!\s+(?:of|at)\b)", re.IGNORECASE)

_ANOTHERS = re.compile(
    r"\bby\b|(?i:^\W*by\b|\bpetitions?\s+(?:of|by|from)\b|\bpetition(?:ers?|ing)\b|\bcreditors?\b|\bsolicitors?\b"
    r"|\bc/o\b|\bcare\s+of\b|\bsubsidiary\s+of\b|\bon\s+behalf\s+of\b|\bat\s+the\s+instance\s+of\b)"
)
"""Words after which a number is the petitioner's, an adviser's or that of a company at the address."""

_ACTS = re.compile(
    r"\bv\b|(?i:\b(?:against|caus(?:ed|ing)|claiming|creditors?|gives?|giving|petitioners?|versus)\b"
    r"|\bha[ds]\b(?!\s+been\b)|\bhaving\b(?!\s+(?:its\s+)?registered\b))"
)
"""Words between a number and the verb that make its company the petitioner."""

_FOUNDED_ABROAD = re.compile(
    r"\b(?:incorporated|registered|formed|established)\s+(?:and\s+registered\s+)?(?:in|under\s+the\s+laws\s+of)\b"
    r"(?!\s+(?:the\s+)?(?:england|wales|scotland|northern|united\s+kingdom|uk\b|great\s+britain|companies))",
    re.IGNORECASE,
)

_FORM_ABROAD = re.compile(
    r"\b(?:inc|incorporated|corp|corporation|gmbh|b\.?v|n\.?v|s\.?a(?:\.?r\.?l)?|llc|a/s)\b[\W_]*$", re.IGNORECASE
)

_ABROAD = re.compile(
    r"\b(?:bvi|british\s+virgin|jersey|guernsey|isle\s+of\s+man|cayman|bermuda|gibraltar|delaware|overseas|foreign)\b",
    re.IGNORECASE,
)
"""Places whose registers have numbers of up to seven digits, which look like a short number of this register."""

_BY = re.compile(
    r"(?:(?!\bpetition\b)[^;]){0,200}?\bby\b(?!\s+(?:it|its|them|their|the\s+(?:above|said))\b)", re.IGNORECASE
)
"""The words after "presented" in a petition: the day or the court, and the petitioner."""


def numbers_in(text: str) -> set[str]:
    """Return the labelled numbers in the text of a notice, normalised.

    Returns none if all of them are after the word "petitioner": then they are not the company's.
    """
    found = list(_LABELLED.finditer(text))
    petitioner = re.search(r"\bpetition(?:er|ing)", text, re.IGNORECASE)
    if petitioner and all(each.start() > petitioner.start() for each in found):
        return set()
    return {number for each in found if (number := normalise_or_none(each[1]))}


def petitioned(text: str) -> set[str]:
    """Return the normalised number of the company that a petition is to wind up.

    Empty without a number before "presented" or with an ambiguous one; several if there are several.
    """
    verb = _PRESENTED.search(text)
    before, after = (text[: verb.start()], text[verb.end() :]) if verb else ("", "")
    if len(before) > _MAX_LETTERS or not (re.search(r"\bpetition\b", before, re.IGNORECASE) and _BY.match(after)):
        return set()
    found = [(each.start(), each.end(), each[1]) for each in _LABELLED.finditer(before)]
    found += [
        (each.end(1), each.end(), each[2])
        for each in _BRACKETED.finditer(before)
        if each[1].lower() not in _OTHER_NUMBERS
    ]
    numbers = {number for _, _, digits in found if (number := normalise_or_none(digits))}
    if len(numbers) == 1 and any(_of_another(before, *each) for each in found):
        return set()
    return numbers


def _of_another(before: str, first: int, last: int, digits: str) -> bool:
    """Return whether a number at a position may not be that of the company to be wound up."""
    start = max((each.end() for each in _OBJECT.finditer(before, 0, first)), default=0)
    named = before[start:first]
    if len(_FORM.findall(named)) - len(_FORMER_NAME.findall(named)) > 1:
        return True
    if _ANOTHERS.search(named) or _ACTS.search(before, last):
        return True
    if not digits.isdigit():
        return False  # only this register has numbers with a letter prefix
    abroad = _FORM_ABROAD.search(named) or _FOUNDED_ABROAD.search(before, start)
    return bool(abroad or (len(digits) < LENGTH and _ABROAD.search(named)))
