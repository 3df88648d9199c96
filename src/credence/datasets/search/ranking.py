"""Ranks companies by how well their names fit a query (D23).

The exact name comes first, then the whole name without its legal ending, then a name with this prefix, one with all the
words, and one with nearly all. Equal fits are ordered by: existing before dissolved companies, present before former names,
smallest difference in length, words in the order of the query, alphabet.

Some words are written in several ways: saint and st, first and 1st. The register itself treats "and" and "&" as the same,
and numbers in words and digits (Company, Limited Liability Partnership and Business (Names and Trading Disclosures)
Regulations 2015, schedule 3).
"""

from collections.abc import Mapping, Sequence
from enum import IntEnum
from itertools import pairwise

import msgspec

from credence.companies import codes
from credence.companies.facts.register import RegisterEntry
from credence.companies.words import name_words, words
from credence.datasets.misspelling import distance
from credence.datasets.search.synonyms import optional_words, synonyms, whole_names

MIN_PREFIX_LETTERS = 3
"""The minimum length of a prefix; a shorter one would match too many words."""

_MISSING_WORD_EDITS = 3
"""The edits that an absent word counts: more than any misspelling."""

MIN_WORDS_WITH_ONE_MISSING = 3
"""The minimum number of words of a query of which a name may lack one.

That word may have at most a quarter of the letters: the others must identify the company.
"""


class Fit(IntEnum):
    """How well a name fits, best first."""

    VERBATIM = 0
    WHOLE_NAME = 1
    PREFIX = 2
    ALL_WORDS = 3
    NEARLY = 4


class NameQuery(msgspec.Struct, frozen=True):
    """The name in a search, and the corrections of its words."""

    text: str
    words: tuple[str, ...]
    """The distinct words without the legal ending."""
    joined: str
    """The whole name without its legal ending, as one word."""
    whole: tuple[str, ...]
    """The same in every way to write it (`synonyms.py`)."""
    optional: frozenset[str]
    """Words that a name may lack."""
    synonyms: Mapping[str, tuple[str, ...]]
    """Word -> other ways to write it; two words are separated by a space."""
    corrections: Mapping[str, Mapping[str, int]] = {}
    """Word -> words of names of which it may be a misspelling -> edits between them."""


def name_query(name: str) -> NameQuery:
    """Split the name that a search is for into the words that `Match` compares."""
    found = name_words(name)
    return NameQuery(
        name,
        tuple(dict.fromkeys(found)),
        joined="".join(found),
        whole=whole_names(found),
        optional=optional_words(found),
        synonyms=synonyms(found),
    )


class Match(msgspec.Struct, frozen=True, order=True):
    """A matching company. Sorting matches gives the order of the results."""

    fit: Fit
    edits: int
    dissolved: bool
    former: bool
    length_difference: int
    """The difference between the lengths of name and query, in letters."""
    reordered: bool
    """Whether the name has the words in another order."""
    name: str
    number: str


def best_match(entry: RegisterEntry, query: NameQuery) -> Match | None:
    """Return the match of the company's best-fitting name; None if no name fits."""
    names = (entry.name, *(former.name for former in entry.former_names))
    matches = (_match(entry, name, query, former=n > 0) for n, name in enumerate(names))
    return min(filter(None, matches), default=None)


def _match(entry: RegisterEntry, name: str, query: NameQuery, *, former: bool) -> Match | None:
    own_words = name_words(name)
    fit, edits = _fit(name, own_words, query)
    if fit is None:
        return None
    difference = abs(sum(map(len, own_words)) - len(query.joined))
    reordered = fit > Fit.PREFIX and not _in_order(own_words, query)
    return Match(fit, edits, codes.is_dissolved(entry), former, difference, reordered, name, entry.number)


def _fit(name: str, own_words: Sequence[str], query: NameQuery) -> tuple[Fit | None, int]:
    joined = "".join(own_words)
    if joined in query.whole:
        return (Fit.VERBATIM if words(name) == words(query.text) else Fit.WHOLE_NAME), 0
    if is_prefix(query.joined, joined):
        return Fit.PREFIX, 0
    edits = _edits(own_words, query)
    if edits is None and query.corrections and distance(joined, query.joined, 1) == 1:
        edits = 1
    if edits is None:
        return None, 0
    return (Fit.NEARLY if edits else Fit.ALL_WORDS), edits


def _edits(own_words: Sequence[str], query: NameQuery) -> int | None:
    """Return the edits between the words of the query and of the name; None if too many words are absent."""
    own_pairs = {one + other for one, other in pairwise(own_words)}
    split = _split_words(query.words, own_words)
    total = missing = letters = 0
    for n, word in enumerate(query.words):
        if word in query.optional or any(is_prefix(word, each) for each in own_words):
            continue
        if any(_has(way, own_words, own_pairs) for way in query.synonyms.get(word, ())):
            continue
        if n in split or word in own_pairs:
            total += 1
            continue
        corrections = query.corrections.get(word, {})
        edits = min((corrections[each] for each in own_words if each in corrections), default=_MISSING_WORD_EDITS)
        total += edits
        if edits == _MISSING_WORD_EDITS:
            missing += 1
            letters += len(word)
    tolerable = missing == 1 and len(query.words) >= MIN_WORDS_WITH_ONE_MISSING and 4 * letters <= len(query.joined)
    return total if not missing or tolerable else None


def _has(way: str, own_words: Sequence[str], own_pairs: set[str]) -> bool:
    return way in own_words or (" " in way and way.replace(" ", "") in own_pairs)


def _split_words(query_words: Sequence[str], own_words: Sequence[str]) -> set[int]:
    """Return the positions of words that the name joins with a neighbour."""
    pairs = enumerate(pairwise(query_words))
    return {place for n, (one, other) in pairs if one + other in own_words for place in (n, n + 1)}


def _in_order(own_words: Sequence[str], query: NameQuery) -> bool:
    places = []
    for word in query.words:
        corrections = query.corrections.get(word, {})
        places += [n for n, each in enumerate(own_words) if is_prefix(word, each) or each in corrections][:1]
    return places == sorted(places)


def is_prefix(prefix: str, word: str) -> bool:
    """Return whether a word equals a prefix, or begins with it if the prefix is long enough."""
    return word == prefix or (len(prefix) >= MIN_PREFIX_LETTERS and word.startswith(prefix))
