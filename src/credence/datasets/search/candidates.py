"""Companies that a search by name may mean, the likeliest first (`docs/adr/search.md`).

Each step asks the index more loosely than the one before and costs more; the search stops when it has enough. Whatever
is asked, a step looks up a bounded number of words and looks at a bounded number of companies.
"""

from collections.abc import Collection, Iterator, Mapping
from functools import cached_property
from itertools import islice, pairwise, product
from typing import NamedTuple

import msgspec

from credence.datasets.misspelling import distance, one_edit, similar_skeletons
from credence.datasets.name_index import NameIndex, expression
from credence.datasets.register_schema import MIN_SKELETON_WORD_LETTERS
from credence.datasets.search.ranking import MIN_PREFIX_LETTERS, MIN_WORDS_WITH_ONE_MISSING, NameQuery

_MAX_COMPANIES = 200
"""Companies looked at per question, since some may be dissolved or elsewhere."""

_WORDS = 8
"""Words that a question holds: the rarest ones, which leave the fewest companies. The others are checked on those."""

_COMPLETED = 4
"""Words taken for beginnings, the first ones: nobody leaves more of them unfinished."""

_FINISHED = 1_000
"""Companies that hold a word which is taken for finished: "and" is no beginning of "andrews"."""

_COMPLETIONS, _LIKENESSES = 32, 24
"""Words that one word may be the beginning, or a misspelling, of: the most common ones."""

_MISSPELT = range(3, 25)
"""Letters of a word that may be misspelt; a shorter one is like everything, and nobody types a longer one."""

_TWICE_WRONG = 3
"""Words that may be two slips wrong, the first ones."""

_SKELETONS_MATCHED = 300
"""Words with a skeleton like the one sought that are compared letter by letter."""

_LEFT_OUT = 4
"""Words that may be the one that does not belong to the name: the rarest, which are the likeliest to be wrong."""

_CORRECTIONS = 4
"""Words that one word of a whole name may stand for, the likeliest ones."""

_WHOLE_MISSPELT = range(5, 33)
"""Letters of a whole name that is looked for with a letter or a space wrong anywhere."""

_PATIENCE = 300_000
"""Entries that a search passes over: those of the rarest word's list, once for each word. They take some 15 ms, and only a
name of common words has so many."""

Choices = Mapping[str, Mapping[str, int]]
"""Word sought -> words of names that may be meant -> companies that hold each. Two words are written with a space."""


class Likeness(NamedTuple):
    """A word that another may be a misspelling of."""

    slips: int
    companies: int


class Candidates:
    """Row ids of companies that may be sought, at certain places only and with or without dissolved ones.

    It asks the index of words nothing twice, and after the first question no more than `_PATIENCE` allows.
    """

    def __init__(self, index: NameIndex, sought: NameQuery, place: Collection[str], *, dissolved: bool) -> None:
        self._index, self._sought = index, sought
        self._place, self._dissolved = [[term] for term in place], dissolved
        self._answers: dict[str, list[int]] = {}
        self._patience = _PATIENCE

    def fitting(self) -> Iterator[list[int]]:
        """Yield companies whose names are, begin with, or hold what is sought, step by step; some of them again."""
        yield self._index.named([self._sought.whole], _MAX_COMPANIES)
        if len(self._sought.whole) >= MIN_PREFIX_LETTERS:
            yield self._index.with_prefix(self._sought.whole, _MAX_COMPANIES)
        yield self._holding({word: _exactly(word, self._known) for word in self._sought.words})
        yield self._holding(self._completed)

    def misspelt(self) -> Iterator[tuple[NameQuery, list[int]]]:
        """Yield companies of which it may be a misspelling, step by step, and what it may stand for."""
        likenesses = self._likenesses()
        slips = {word: {each: found.slips for each, found in like.items()} for word, like in likenesses.items()}
        loose = msgspec.structs.replace(self._sought, likenesses=slips)
        yield loose, self._index.named(_corrected(loose, self._known), _MAX_COMPANIES)
        choices = self._with_spaces(
            {
                word: {**self._completed[word], **{each: found.companies for each, found in like.items()}}
                for word, like in likenesses.items()
            }
        )
        yield loose, self._holding(choices)
        if len(choices) >= MIN_WORDS_WITH_ONE_MISSING:
            for word in sorted(choices, key=lambda word: sum(choices[word].values()))[:_LEFT_OUT]:
                yield loose, self._holding({other: meant for other, meant in choices.items() if other != word})
        if len(self._sought.whole) in _WHOLE_MISSPELT:
            yield loose, self._index.named(one_edit(self._sought.whole), _MAX_COMPANIES)

    @cached_property
    def _known(self) -> dict[str, int]:
        return self._index.word_counts(self._sought.words)

    @cached_property
    def _completed(self) -> dict[str, dict[str, int]]:
        """Each word and those it may be the beginning of."""
        begun = [word for word in self._sought.words[:_COMPLETED] if len(word) >= MIN_PREFIX_LETTERS]
        return {
            word: _exactly(word, self._known)
            | (
                self._index.completions(word, _COMPLETIONS)
                if word in begun and self._known.get(word, 0) < _FINISHED
                else {}
            )
            for word in self._sought.words
        }

    def _holding(self, choices: Choices) -> list[int]:
        """Return companies that hold one choice for each word; none when a word has no choice or patience is at an end."""
        rarest = sorted(choices.values(), key=lambda meant: sum(meant.values()))[:_WORDS]
        companies = sum(rarest[0].values())
        if not companies:
            return []
        # Few companies are sooner read than looked up among those that hold a common word or are in a large town.
        for groups in (rarest[: 1 if companies <= _MAX_COMPANIES else 2], [*rarest, *self._place]):
            found = self._ask(expression(groups, dissolved=self._dissolved), companies * len(groups))
            if len(found) < _MAX_COMPANIES:
                return found
        return found

    def _ask(self, question: str, effort: int) -> list[int]:
        if question in self._answers or (self._answers and effort > self._patience):
            return self._answers.get(question, [])
        found = self._answers[question] = self._index.matching(question, _MAX_COMPANIES)
        if len(found) < _MAX_COMPANIES:  # else it ended early
            self._patience -= effort
        return found

    def _likenesses(self) -> dict[str, dict[str, Likeness]]:
        """Return for each word those it may be a misspelling of, the likeliest first.

        One that names hold is at most one slip wrong: two slips hardly ever make another word.
        """
        words = [word for word in self._sought.words[:_WORDS] if _may_be_misspelt(word)]
        slips = {word: one_edit(word) for word in words}
        there = self._index.word_counts(set().union(*slips.values()))
        unknown = [word for word in words if word not in self._known and len(word) >= MIN_SKELETON_WORD_LETTERS][
            :_TWICE_WRONG
        ]
        likenesses: dict[str, dict[str, Likeness]] = {}
        for word in self._sought.words:
            found = self._two_slips_away(word) if word in unknown else {}
            found |= {each: Likeness(1, there[each]) for each in slips.get(word, ()) if each in there}
            best = sorted(found.items(), key=lambda item: (item[1].slips, -item[1].companies, item[0]))
            likenesses[word] = dict(best[:_LIKENESSES])
        return likenesses

    def _two_slips_away(self, word: str) -> dict[str, Likeness]:
        lengths = range(max(len(word) - 2, MIN_SKELETON_WORD_LETTERS), len(word) + 3)
        akin = self._index.words_with_skeleton(similar_skeletons(word), lengths, _SKELETONS_MATCHED)
        return {each: Likeness(2, companies) for each, companies in akin.items() if distance(word, each, 2) == 2}

    def _with_spaces(self, choices: Choices) -> Choices:
        """Add two words for one that lacks the space between them, and one word for two that have a space too much."""
        words = self._sought.words[:_WORDS]
        joined = [(one, other, one + other) for one, other in pairwise(words)]
        splits = {
            word: [(word[:n], word[n:]) for n in range(2, len(word) - 1)] for word in words if len(word) in _MISSPELT
        }
        parts = {part for pairs in splits.values() for pair in pairs for part in pair}
        known = self._index.word_counts(parts | {whole for _, _, whole in joined})
        more = {word: dict(meant) for word, meant in choices.items()}
        for word, pairs in splits.items():
            both = {
                f"{one} {other}": min(known[one], known[other]) for one, other in pairs if {one, other} <= known.keys()
            }
            more[word].update(sorted(both.items(), key=lambda item: (-item[1], item[0]))[:_LIKENESSES])
        for one, other, whole in joined:
            if whole in known:
                more[one][whole] = more[other][whole] = known[whole]
        return more


def _exactly(word: str, known: Mapping[str, int]) -> dict[str, int]:
    return {word: known[word]} if word in known else {}


def _may_be_misspelt(word: str) -> bool:
    return len(word) in _MISSPELT and not word.isdigit()


def _corrected(sought: NameQuery, known: Collection[str]) -> list[str]:
    """Return whole names that the one sought is likely to be a misspelling of, the likeliest first."""
    choices = []
    for word in sought.words:
        likely = sorted(sought.likenesses[word].items(), key=lambda item: item[1])
        choices.append([*([word] if word in known else []), *(each for each, _ in likely)][:_CORRECTIONS] or [word])
    return ["".join(each) for each in islice(product(*choices), _MAX_COMPANIES)]
