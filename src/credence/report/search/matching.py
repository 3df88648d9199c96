"""Which companies the customer of a ledger may be, by name and postcode, each with a confidence.

The confidence is a number of rules and no probability. An equal name says most, because the register has no two existing
companies of the same name (Companies Act 2006, s. 66); a former name, another legal ending, a trading style in front of the
name, a misspelling or a longer name say less. An equal postcode raises it; another one lowers only what is not sure by the
name, since goods are delivered elsewhere than to the registered office.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Final, NamedTuple

from rapidfuzz.distance import OSA

from credence.companies.facts.register import RegisterEntry
from credence.companies.words import joined_words, name_words, postcode_words, words
from credence.datasets.register import RegisterReader
from credence.datasets.search.query import CompanyQuery
from credence.datasets.search.ranking import Fit, Match
from credence.report.search.companies import matches

MAX_CANDIDATES: Final = 5
LEAST_CONFIDENCE: Final = 40
_MAX_NAME: Final = 160

_STYLE = re.compile(r"\s*(?:,|\(|\bt\s*/\s*a\b|\btrading\s+as\b|\bta\b(?=[:.])|\bt\.a\.)\s*", re.IGNORECASE)
_BRACKETS = re.compile(r"\(([^()]*)\)")
_SIMPLE_FIT = {Fit.VERBATIM: 94, Fit.WHOLE_NAME: 93}
_ENDINGS = {"ltd": "limited", "cyf": "limited", "cyfyngedig": "limited", "ccc": "plc"}
_NO_ENDING, _OTHER_ENDING = 86, 70
"""Of an equal name that the ledger writes without Limited, PLC and so on, or with another one."""
_AMBIGUOUS: Final = 10
"""What a candidate loses if another one has the same confidence."""


Further = Callable[[CompanyQuery], Iterable[RegisterEntry]]


class NameMatch(NamedTuple):
    """A company that the customer may be."""

    company: str
    name: str
    is_former: bool
    confidence: int
    place: str


def find_matches(register: RegisterReader, name: str, postcode: str, further: Further) -> list[NameMatch] | None:
    """Return the companies that a name and a postcode may mean, the most likely first; None without a register.

    `further` returns the entries of companies that the register does not have. Raises UnusableDataSet.
    """
    index = register.index()
    if index is None:
        return None
    found: dict[str, NameMatch] = {}
    for variant, cost in _variants(name):
        for place in ("", *postcode_words(postcode)[:1]):
            query = CompanyQuery(name=variant, postcode=place, exclude_dissolved=False)
            for match, entry in matches(index, query, further(query)):
                made = NameMatch(
                    entry.number,
                    match.name,
                    match.former,
                    confidence(match, entry, variant, postcode) - cost,
                    " ".join(filter(None, (entry.office.town, entry.office.postcode))),
                )
                if made.confidence > found.get(entry.number, made._replace(confidence=LEAST_CONFIDENCE - 1)).confidence:
                    found[entry.number] = made
            if any(each.confidence >= _SIMPLE_FIT[Fit.WHOLE_NAME] for each in found.values()):
                break
    return _first(list(found.values()))


def confidence(match: Match, entry: RegisterEntry, name: str, postcode: str) -> int:
    """Return how sure it is that a company with a matching name is meant, from 0 to 99."""
    wanted, own = "".join(name_words(name)), "".join(name_words(match.name))
    if match.fit in _SIMPLE_FIT:
        ending = _ending(name)
        found = _SIMPLE_FIT[match.fit] if ending == _ending(match.name) else _OTHER_ENDING if ending else _NO_ENDING
    else:
        edits = OSA.distance(wanted, own)
        longest = max(len(wanted), len(own), 1)
        found = (
            round(88 * (1 - edits / longest) ** 2) if edits > 2 else 86 - 6 * edits if longest >= 8 else 70 - 10 * edits
        )
    found -= 8 * match.former + 12 * match.dissolved
    here, there = joined_words(postcode), joined_words(entry.office.postcode)
    if here and there:
        same_area = postcode_words(postcode)[-1:] == postcode_words(entry.office.postcode)[-1:]
        if here == there:
            found += (100 - found) * 7 // 10
        elif same_area:
            found += (100 - found) * 3 // 10
        elif match.fit not in _SIMPLE_FIT:
            found -= 10
    return max(0, min(99, found))


def _ending(name: str) -> str:
    """Return the legal ending of a name, however it is written; empty if it has none."""
    every = words(name)
    last = every[-1] if every and len(every) > len(name_words(name)) else ""
    return _ENDINGS.get(last, last)


def _variants(name: str) -> Iterator[tuple[str, int]]:
    """Yield a name, and its parts before and after a mark of a trading style, each with what it costs in confidence."""
    plain = name[:_MAX_NAME].strip()
    seen = set()
    parts = [(plain, 0), (_BRACKETS.sub(" ", plain), 2), *((each, 8) for each in _BRACKETS.findall(plain))]
    parts += [(part, 8 if n else 4) for n, part in enumerate(_STYLE.split(plain)) if part]
    for part, cost in parts:
        key = tuple(name_words(part))
        if key and key not in seen and len("".join(key)) > 2:
            seen.add(key)
            yield part.strip(), cost


def _first(found: list[NameMatch]) -> list[NameMatch]:
    ordered = sorted(found, key=lambda each: (-each.confidence, each.company))
    best = [each for each in ordered if each.confidence == ordered[0].confidence]
    if len(best) > 1:
        ordered = [each._replace(confidence=each.confidence - _AMBIGUOUS) if each in best else each for each in ordered]
        ordered.sort(key=lambda each: (-each.confidence, each.company))
    return ordered[:MAX_CANDIDATES]
