"""Which of a company's names a search found, and how well it fits: the order of the results (D23).

First the name as it was written, then the whole name without its legal ending, then a name that is_prefix so, then one that
holds all the words, then one that nearly does. Among equals a company that exists comes before a dissolved one, a
present name before a former one, the name with the least besides, its words in the order asked, and at last the alphabet.
"""

from collections.abc import Mapping, Sequence
from enum import IntEnum
from itertools import pairwise

import msgspec

from credence.companies import codes
from credence.companies.facts.register import RegisterEntry
from credence.companies.words import name_words, words
from credence.datasets.misspelling import distance

MIN_PREFIX_LETTERS = 3
"""A word of so many letters or more may be the beginning of a longer one; a shorter one would match far too much."""

_MISSING = 3
"""What a word counts that is not there at all: more than any misspelling."""

MIN_WORDS_WITH_ONE_MISSING = 3
"""Of so many words or more one may be missing, if it has no more than a quarter of the letters: the others must still say
which company is meant."""


class Fit(IntEnum):
    """How a name fits, best first."""

    VERBATIM = 0
    WHOLE = 1
    BEGINS = 2
    HOLDS = 3
    NEARLY = 4


class NameQuery(msgspec.Struct, frozen=True):
    """A name that is searched for, and what its words may be misspellings of."""

    text: str
    words: tuple[str, ...]
    """Without the legal ending, each once."""
    whole: str
    """All of them written as one."""
    likenesses: Mapping[str, Mapping[str, int]] = {}
    """Word -> words of names that it may stand for -> slips between them."""


def sought(name: str) -> NameQuery:
    """Return what a search for this name looks for."""
    found = name_words(name)
    return NameQuery(name, tuple(dict.fromkeys(found)), "".join(found))


class Match(msgspec.Struct, frozen=True, order=True):
    """A company found; the order is the order of the results."""

    fit: Fit
    slips: int
    dissolved: bool
    former: bool
    besides: int
    """Letters that the name has more, or fewer, than what was asked for."""
    turned: bool
    """Whether its words come in another order."""
    name: str
    number: str


def best_match(entry: RegisterEntry, sought: NameQuery) -> Match | None:
    """Return how the best-fitting of the company's names fits; None when none of them does."""
    names = (entry.name, *(former.name for former in entry.former_names))
    matches = (_match(entry, name, sought, former=n > 0) for n, name in enumerate(names))
    return min(filter(None, matches), default=None)


def _match(entry: RegisterEntry, name: str, sought: NameQuery, *, former: bool) -> Match | None:
    held = name_words(name)
    fit, slips = _fit(name, held, sought)
    if fit is None:
        return None
    besides = abs(sum(map(len, held)) - len(sought.whole))
    turned = fit > Fit.BEGINS and not _in_order(held, sought)
    return Match(fit, slips, codes.is_dissolved(entry), former, besides, turned, name, entry.number)


def _fit(name: str, held: Sequence[str], sought: NameQuery) -> tuple[Fit | None, int]:
    whole = "".join(held)
    if whole == sought.whole:
        return (Fit.VERBATIM if words(name) == words(sought.text) else Fit.WHOLE), 0
    if is_prefix(whole, sought.whole):
        return Fit.BEGINS, 0
    slips = _slips(held, sought)
    if slips is None and sought.likenesses and distance(whole, sought.whole, 1) == 1:
        slips = 1
    if slips is None:
        return None, 0
    return (Fit.NEARLY if slips else Fit.HOLDS), slips


def _slips(held: Sequence[str], sought: NameQuery) -> int | None:
    """Return the slips between the words sought and the name's; None when they are too many."""
    joined_there = {one + other for one, other in pairwise(held)}
    joined_here = _joined(sought.words, held)
    total = missing = letters = 0
    for n, word in enumerate(sought.words):
        if any(is_prefix(each, word) for each in held):
            continue
        if n in joined_here or word in joined_there:
            total += 1
            continue
        likeness = sought.likenesses.get(word, {})
        slips = min((likeness[each] for each in held if each in likeness), default=_MISSING)
        total += slips
        if slips == _MISSING:
            missing += 1
            letters += len(word)
    tolerable = missing == 1 and len(sought.words) >= MIN_WORDS_WITH_ONE_MISSING and 4 * letters <= len(sought.whole)
    return total if not missing or tolerable else None


def _joined(sought: Sequence[str], held: Sequence[str]) -> set[int]:
    """Return the places of words that the name has as one with their neighbour."""
    return {place for n, (one, other) in enumerate(pairwise(sought)) if one + other in held for place in (n, n + 1)}


def _in_order(held: Sequence[str], sought: NameQuery) -> bool:
    places = []
    for word in sought.words:
        likeness = sought.likenesses.get(word, {})
        places += [n for n, each in enumerate(held) if is_prefix(each, word) or each in likeness][:1]
    return places == sorted(places)


def is_prefix(word: str, start: str) -> bool:
    """Tell whether a word is, or may be the continuation of, what was typed."""
    return word == start or (len(start) >= MIN_PREFIX_LETTERS and word.startswith(start))
