"""Companies that a name may mean, the most likely first (`docs/adr/search.md`).

Each step is broader than the one before and costs more; the search stops when it has enough results. Every step looks up a
bounded number of words and reads a bounded number of companies.

Companies that are not in the register are found by the names and postcodes in their accounts: by a word or its beginning, by
a whole postcode or its outward half. Misspellings are not corrected there.
"""

from collections.abc import Collection, Iterator, Mapping
from functools import cached_property
from itertools import islice, pairwise, product
from typing import NamedTuple

import msgspec

from credence.companies.facts.company import Company
from credence.companies.words import postcode_words
from credence.datasets.credit_data import CreditData
from credence.datasets.fact_kinds import name_key, postcode_key
from credence.datasets.misspelling import distance, one_edit, similar_skeletons
from credence.datasets.name_index import NameIndex, expression
from credence.datasets.register_schema import MIN_SKELETON_WORD_LETTERS
from credence.datasets.search.query import CompanyQuery
from credence.datasets.search.ranking import MIN_PREFIX_LETTERS, MIN_WORDS_WITH_ONE_MISSING, NameQuery, name_query

_MAX_COMPANIES = 200
"""Companies read in each step, at most; some of them may be dissolved or at another address."""

_MAX_QUERY_WORDS = 8
"""Words of the query used in a step: the rarest. The others are compared with the names of the companies found."""

_MAX_PREFIXES = 4
"""Words of the query that may be the beginning of a longer word: the first ones."""

_COMPLETE_WORD_COMPANIES = 1_000
"""A word of this number of companies or more is complete: "and" is not the beginning of "andrews"."""

_MAX_COMPLETIONS, _MAX_CORRECTIONS = 32, 24
"""Completions and corrections of a word: the most common ones."""

_MISSPELT_WORD_LETTERS = range(3, 25)
"""Lengths of words that may be misspelt; a shorter word resembles too many others."""

_MAX_TWO_EDIT_WORDS = 3
"""Words of the query that may be two edits wrong: the first ones."""

_MAX_SKELETON_MATCHES = 300
"""Words with a similar skeleton that are compared letter by letter."""

_MAX_LEFT_OUT = 4
"""Words of the query that a name may lack: the rarest, which are the most likely to be wrong."""

_MAX_NAME_CORRECTIONS = 4
"""Corrections of each word of a whole name: the most likely ones."""

_MISSPELT_NAME_LETTERS = range(5, 33)
"""Lengths of a whole name that is searched with one wrong letter or space."""

_EFFORT = 300_000
"""Index entries read in one search, where each query reads the entries of its rarest word once per word: about 15 ms.

Only a name of common words has more.
"""

Choices = Mapping[str, Mapping[str, int]]
"""Word of the query -> words of names that it may mean -> companies with each. Two words are separated by a space."""


class Correction(NamedTuple):
    """A correction of a word: its number of edits, and the number of companies with it in their names."""

    edits: int
    companies: int


class Candidates:
    """The row ids of companies that a query may mean; place and dissolved companies can be restricted."""

    def __init__(self, index: NameIndex, query: NameQuery, place: Collection[str], *, dissolved: bool) -> None:
        self._index, self._query = index, query
        self._place, self._dissolved = [[term] for term in place], dissolved
        self._results: dict[str, list[int]] = {}
        self._effort = _EFFORT

    def fitting(self) -> Iterator[list[int]]:
        """Yield companies whose names equal, begin with, or contain the query, step by step; some more than once."""
        yield self._index.named(self._query.whole, _MAX_COMPANIES)
        if len(self._query.joined) >= MIN_PREFIX_LETTERS:
            yield self._index.with_prefix(self._query.joined, _MAX_COMPANIES)
        yield self._matching({word: self._meant(word) for word in self._query.words})
        yield self._matching(self._completed)

    def misspelt(self) -> Iterator[tuple[NameQuery, list[int]]]:
        """Yield companies of which the query may be a misspelling, step by step, with the query and its corrections."""
        corrections = self._corrections()
        edits = {word: {each: found.edits for each, found in like.items()} for word, like in corrections.items()}
        query = msgspec.structs.replace(self._query, corrections=edits)
        yield query, self._index.named(_corrected_names(query, self._known), _MAX_COMPANIES)
        choices = self._with_spaces(
            {
                word: {**self._completed[word], **{each: found.companies for each, found in like.items()}}
                for word, like in corrections.items()
            }
        )
        yield query, self._matching(choices)
        if len(choices) >= MIN_WORDS_WITH_ONE_MISSING:
            for word in sorted(choices, key=lambda word: sum(choices[word].values()))[:_MAX_LEFT_OUT]:
                yield query, self._matching({other: meant for other, meant in choices.items() if other != word})
        if len(self._query.joined) in _MISSPELT_NAME_LETTERS:
            yield query, self._index.named(one_edit(self._query.joined), _MAX_COMPANIES)

    @cached_property
    def _known(self) -> dict[str, int]:
        others = {part for ways in self._query.synonyms.values() for way in ways for part in way.split()}
        return self._index.word_counts({*self._query.words, *others})

    def _meant(self, word: str) -> dict[str, int]:
        """Return a word and the other ways to write it, as far as they occur in names."""
        ways = (word, *self._query.synonyms.get(word, ()))
        return {
            way: min(self._known[part] for part in way.split()) for way in ways if self._known.keys() >= {*way.split()}
        }

    @cached_property
    def _completed(self) -> dict[str, dict[str, int]]:
        """Return each word of the query with its completions."""
        prefixes = [word for word in self._query.words[:_MAX_PREFIXES] if len(word) >= MIN_PREFIX_LETTERS]
        return {
            word: self._meant(word)
            | (
                self._index.completions(word, _MAX_COMPLETIONS)
                if word in prefixes and self._known.get(word, 0) < _COMPLETE_WORD_COMPANIES
                else {}
            )
            for word in self._query.words
        }

    def _matching(self, choices: Choices) -> list[int]:
        """Return companies with one choice for each word; empty if a word has no choice or `_EFFORT` is exhausted."""
        required = {word: meant for word, meant in choices.items() if word not in self._query.optional}
        rarest = sorted(required.values(), key=lambda meant: sum(meant.values()))[:_MAX_QUERY_WORDS]
        companies = sum(rarest[0].values())
        if not companies:
            return []
        # Reading a few companies costs less than an index query with a common word or a large town.
        for groups in (rarest[: 1 if companies <= _MAX_COMPANIES else 2], [*rarest, *self._place]):
            found = self._ask(expression(groups, dissolved=self._dissolved), companies * len(groups))
            if len(found) < _MAX_COMPANIES:
                return found
        return found

    def _ask(self, expression: str, effort: int) -> list[int]:
        if expression in self._results or (self._results and effort > self._effort):
            return self._results.get(expression, [])
        found = self._results[expression] = self._index.matching(expression, _MAX_COMPANIES)
        if len(found) < _MAX_COMPANIES:  # a full result may be incomplete
            self._effort -= effort
        return found

    def _corrections(self) -> dict[str, dict[str, Correction]]:
        """Return the corrections of each word, the most likely first.

        A word that occurs in names is corrected by one edit only, because a double misspelling rarely gives an existing
        word.
        """
        words = [word for word in self._query.words[:_MAX_QUERY_WORDS] if _may_be_misspelt(word)]
        edits = {word: one_edit(word) for word in words}
        known = self._index.word_counts(set().union(*edits.values()))
        long = [word for word in words if len(word) >= MIN_SKELETON_WORD_LETTERS]
        unknown = [word for word in long if word not in self._known][:_MAX_TWO_EDIT_WORDS]
        corrections: dict[str, dict[str, Correction]] = {}
        for word in self._query.words:
            found = self._two_edits_away(word) if word in unknown else {}
            found |= {each: Correction(1, known[each]) for each in edits.get(word, ()) if each in known}
            best = sorted(found.items(), key=lambda item: (item[1].edits, -item[1].companies, item[0]))
            corrections[word] = dict(best[:_MAX_CORRECTIONS])
        return corrections

    def _two_edits_away(self, word: str) -> dict[str, Correction]:
        lengths = range(max(len(word) - 2, MIN_SKELETON_WORD_LETTERS), len(word) + 3)
        similar = self._index.words_with_skeleton(similar_skeletons(word), lengths, _MAX_SKELETON_MATCHES)
        return {each: Correction(2, companies) for each, companies in similar.items() if distance(word, each, 2) == 2}

    def _with_spaces(self, choices: Choices) -> Choices:
        """Add two words for a word without the space between them, and one word for two with an extra space."""
        words = self._query.words[:_MAX_QUERY_WORDS]
        joined = [(one, other, one + other) for one, other in pairwise(words)]
        splits = {
            word: [(word[:n], word[n:]) for n in range(2, len(word) - 1)]
            for word in words
            if len(word) in _MISSPELT_WORD_LETTERS
        }
        parts = {part for pairs in splits.values() for pair in pairs for part in pair}
        known = self._index.word_counts(parts | {both for _, _, both in joined})
        more = {word: dict(meant) for word, meant in choices.items()}
        for word, pairs in splits.items():
            two = {
                f"{one} {other}": min(known[one], known[other]) for one, other in pairs if {one, other} <= known.keys()
            }
            more[word].update(sorted(two.items(), key=lambda item: (-item[1], item[0]))[:_MAX_CORRECTIONS])
        for one, other, both in joined:
            if both in known:
                more[one][both] = more[other][both] = known[both]
        return more


def _may_be_misspelt(word: str) -> bool:
    return len(word) in _MISSPELT_WORD_LETTERS and not word.isdigit()


def _corrected_names(query: NameQuery, known: Collection[str]) -> list[str]:
    """Return whole names of which the query is likely to be a misspelling, the most likely first."""
    choices = []
    for word in query.words:
        likely = sorted(query.corrections[word].items(), key=lambda item: item[1])
        own = [word] if word in known else []
        choices.append([*own, *(each for each, _ in likely)][:_MAX_NAME_CORRECTIONS] or [word])
    return ["".join(each) for each in islice(product(*choices), _MAX_COMPANIES)]


_MAX_FILERS = 400
"""Companies read for each word, at most. A word of more companies is ignored, unless all words are that common."""

_MAX_UNREGISTERED = 50


def unregistered(credit_data: CreditData, query: CompanyQuery) -> Iterator[Company]:
    """Yield companies without a register entry whose accounts may fit the name and the postcode of a query.

    Raises UnusableDataSet.
    """
    name = name_query(query.name).words[:_MAX_QUERY_WORDS] if query.name else ()
    found = [credit_data.filers(name_key(word), _MAX_FILERS, prefix=len(word) >= MIN_PREFIX_LETTERS) for word in name]
    found += [credit_data.filers(postcode_key(word), _MAX_FILERS) for word in postcode_words(query.postcode)[:1]]
    if not all(found):
        return
    narrowing = [set(each) for each in found if len(each) < _MAX_FILERS] or [set(each) for each in found[:1]]
    numbers = set.intersection(*narrowing) if narrowing else ()
    for number in islice(credit_data.register.unknown(numbers), _MAX_UNREGISTERED):
        company = credit_data.company(number)
        if company is not None:
            yield company
