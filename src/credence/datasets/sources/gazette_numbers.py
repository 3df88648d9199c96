"""Finds the company of a Gazette notice by the number inside its text (credit §4.3).

A petition names two parties: the company to be wound up and the petitioner, often a company too. The Gazette's form is
`A Petition to wind up the above-named company of NAME (NUMBER) of ADDRESS, presented on DATE by PETITIONER, of ADDRESS`.
A petition attributed to the petitioner would be a grave error of a credit report: a number counts only before "presented",
and only if no word assigns it to another company. An ambiguous petition belongs to no company.
"""

import re

from credence.companies.number import LENGTH, normalise_or_none

_LETTERED = r"[A-Z]{2}\s?[0-9]{1,6}|[A-Z]{2}[0-9]{5}[A-Z]|R0\s?[0-9]{6}"

_VALUE = rf"\.?\s*(?:is|of)?\s*[:\-]?\s*\(?\s*({_LETTERED}|[0-9]{{5,8}})\b(?!\s+of\s+(?:19|20)[0-9]{{2}}\b)"
"""Matches the number after its label; `No 12345 of 2026` is a court case and excluded."""

_LABELLED = re.compile(
    r"(?:\b(?:company|registered|registration)|(?<!&\s)(?<!and\s)\bco\.?)\s+(?:reg(?:istered|istration|\.)?\s+)?"
    r"(?:number|no)s?\b" + _VALUE,
    re.IGNORECASE,
)
"""A number with its label: `Company Number: 01234567`, `(Company Reg No SC123456)`, `Co. No. (1234567)`."""

_LABELLED_ALSO_BY_ADVISERS = re.compile(
    r"\b(?:(?:llp|partnership)\s+(?:reg(?:istered|istration|\.)?\s+)?"
    r"|registered\s+in\s+(?:england(?:\s+(?:and|&)\s+wales)?|wales|scotland|northern\s+ireland)\s*,?\s*"
    r"(?:(?:under|with)\s+)?(?:company\s+)?)(?:number|no)s?\b" + _VALUE,
    re.IGNORECASE,
)
"""`LLP Number: OC301234`, `Registered in Scotland, No SC123456`: firms write so about themselves below their notices."""

_NUMBER_IN_BRACKETS = r"\(\s*([A-Z]{2}\s?[0-9]{5,6}|R0\s?[0-9]{6}|[0-9]{7,8})\s*\)"

_MAX_NAME_LETTERS = 160
"""The maximum length of a company's name in the register."""

_BRACKETED = re.compile(rf"\b(\w+)[\W_]{{0,3}}{_NUMBER_IN_BRACKETS}", re.IGNORECASE)
"""Matches a number in brackets after a word, as in `NAME (01234567)`; shorter ones are dialling codes or postcodes."""

_OTHER_NUMBERS = frozenset(
    {"account", "case", "charity", "claim", "fax", "no", "number", "phone", "ref", "tel", "telephone", "vat"}
)
"""Words before a bracket with a number of another kind; `_LABELLED` finds `Company Number (…)`."""

_PRESENTED = re.compile(r"\bpresented\b(?!\s+(?!(?:at|before|by|in|on|to)\b)(?-i:[A-Z]))", re.IGNORECASE)
"""The verb "presented"; before a capital it is part of a name, as in `WELL PRESENTED HOMES LIMITED`."""

_MAX_LETTERS = 5_000
"""Maximum number of characters before the verb; a real notice has a few hundred."""

_OBJECT = re.compile(r"\b(?:wind(?:ing)?[\s-]*up|in\s+the\s+matter\s+of)\b", re.IGNORECASE)
"""The words before the company's name."""

_FORM = re.compile(r"\b(?:limited(?!\s+company\b)|ltd|plc|llp|cyfyngedig|cyf|ccc|pac)\b", re.IGNORECASE)
"""The last word of a company's name. If a second one precedes the number, the number is another company's."""

_FORMER_NAME = re.compile(r"\b(?:formerly|previously)\b(?!\s+(?:of|at)\b)", re.IGNORECASE)

_ANOTHERS = re.compile(
    r"\bby\b|(?i:^\W*by\b|\bpetitions?\s+(?:of|by|from)\b|\bpetition(?:ers?|ing)\b|\bcreditors?\b|\bsolicitors?\b"
    r"|\bc/o\b|\bcare\s+of\b|\bsubsidiary\s+of\b|\bon\s+behalf\s+of\b|\bat\s+the\s+instance\s+of\b)"
)
"""Words after which a number is the petitioner's, an adviser's or that of a company at the address."""

_ADVISERS = re.compile(
    r"\b(?:solicitors?|c/o|care\s+of|auctioneers?|member\s+of|subsidiary\s+of|owned\s+by|trading\s+name\s+of|employed\s+by)\b",
    re.IGNORECASE,
)
"""Words after which, in one sentence, a labelled number is that of an adviser, of a firm or of a parent."""

_ACTS = re.compile(
    r"\bv\b|(?i:\b(?:against|caus(?:ed|ing)|claiming|creditors?|gives?|giving|petitioners?|versus)\b"
    r"|\bha[ds]\b(?!\s+been\b)|\bhaving\b(?!\s+(?:its\s+)?registered\b))"
)
"""Words between a number and the verb "presented" that make its company the petitioner."""

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
"""The words after "presented" in a petition: the day or the court, then "by" and the petitioner."""


def numbers_in(text: str, title: str = "") -> set[str]:
    """Return the labelled numbers in the text of a notice and the one in brackets after its title, normalised.

    Labelled numbers after the name of an adviser are ignored, and all are ignored if each follows the word "petitioner",
    because then they are not the company's.
    """
    found = [each for each in _LABELLED.finditer(text) if not _follows_adviser(text, each.start())]
    if not found:
        found = [each for each in _LABELLED_ALSO_BY_ADVISERS.finditer(text) if _names_one(text[: each.start()])]
    petitioner = re.search(r"\bpetition(?:er|ing)", text, re.IGNORECASE)
    if petitioner and all(each.start() > petitioner.start() for each in found):
        found = []
    return {number for each in found if (number := normalise_or_none(each[1]))} | _titled(text, title)


def _titled(text: str, title: str) -> set[str]:
    """Return the number in `NAME ( NUMBER )` at the beginning of a text whose title is that name, as in the feed."""
    if not 2 <= len(title.strip()) <= _MAX_NAME_LETTERS or _FORM_ABROAD.search(title):
        return set()
    words = r"\s+".join(map(re.escape, title.split()))
    form = re.match(rf"\s*{words}\s*{_NUMBER_IN_BRACKETS}", text, re.IGNORECASE)
    number = normalise_or_none(form[1]) if form else None
    return {number} if number else set()


def _follows_adviser(text: str, start: int) -> bool:
    """Return whether words in the sentence before a number make it that of another company."""
    sentence = re.split(r"[.;]\s+(?=[A-Z])", text[max(0, start - _MAX_NAME_LETTERS) : start])[-1]
    return bool(_ADVISERS.search(sentence))


def _names_one(before: str) -> bool:
    """Return whether the words before a number name one company and no adviser of it."""
    companies = len(_FORM.findall(before)) - len(_FORMER_NAME.findall(before))
    return len(before) <= _MAX_LETTERS and companies == 1 and not (_ANOTHERS.search(before) or _ADVISERS.search(before))


def petitioned(text: str) -> set[str]:
    """Return the normalised numbers of the companies that a petition is to wind up, usually one.

    Empty if no number precedes "presented", or if the petition is ambiguous.
    """
    verb = _PRESENTED.search(text)
    before, after = (text[: verb.start()], text[verb.end() :]) if verb else ("", "")
    if len(before) > _MAX_LETTERS or not (re.search(r"\bpetition\b", before, re.IGNORECASE) and _BY.match(after)):
        return set()
    labelled = (*_LABELLED.finditer(before), *_LABELLED_ALSO_BY_ADVISERS.finditer(before))
    found = [(each.start(), each.end(), each[1]) for each in labelled]
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
    """Return whether a number at a position may not be the number of the company to be wound up."""
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
