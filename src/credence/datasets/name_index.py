"""What a search can ask of a data set: which companies have a name, words that there are, companies that hold words.

Every answer is bounded. It belongs to one open data set, so that all it says fits together, also while the next one is
put in its place.
"""

import json
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any

from credence.companies.facts.register import RegisterEntry
from credence.datasets import register_schema

Rows = Callable[..., list[tuple[Any, ...]]]
"""Statement and values -> rows."""

_LAST = "\U0010ffff"
"""Sorts after every letter, so it ends the range of texts that begin alike."""


class NameIndex:
    """Names and words of one data set; `companies` is where its row ids lead."""

    def __init__(self, rows: Rows, decoded: Callable[[bytes], RegisterEntry]) -> None:
        self._rows, self._decoded = rows, decoded

    def called(self, names: Collection[str], most: int) -> list[int]:
        """Return the row ids of companies that have, or had, one of these names, each written as one word."""
        return self._ids(
            "SELECT DISTINCT company FROM json_each(?) CROSS JOIN name ON name = value LIMIT ?", _list(names), most
        )

    def beginning(self, start: str, most: int) -> list[int]:
        """Return the row ids of companies with a name that begins so, in the order of these names."""
        return self._ids(
            "SELECT DISTINCT company FROM name WHERE name >= ? AND name < ? LIMIT ?", start, start + _LAST, most
        )

    def holding(self, expression: str, most: int) -> list[int]:
        """Return the row ids of companies that an FTS5 expression over `search_terms` finds, in row order."""
        # Ranking here would have to visit every match of a common word.
        return self._ids("SELECT rowid FROM search WHERE search MATCH ? LIMIT ?", expression, most)

    def known(self, words: Collection[str]) -> dict[str, int]:
        """Return those of the words that names hold, and how many companies each."""
        return dict(
            self._rows("SELECT word, companies FROM json_each(?) CROSS JOIN word ON word = value", _list(words))
        )

    def completions(self, start: str, most: int) -> dict[str, int]:
        """Return the words that begin so, the most common ones, and how many companies hold each."""
        return dict(
            self._rows(
                "SELECT word, companies FROM word WHERE word >= ? AND word < ? ORDER BY companies DESC, word LIMIT ?",
                start,
                start + _LAST,
                most,
            )
        )

    def akin(self, skeletons: Collection[str], lengths: range, most: int) -> dict[str, int]:
        """Return words of these lengths with one of these skeletons, the most common ones, and their companies."""
        return dict(
            self._rows(
                "SELECT word, companies FROM json_each(?) CROSS JOIN word ON skeleton = value"
                " WHERE length(word) BETWEEN ? AND ? ORDER BY companies DESC, word LIMIT ?",
                _list(skeletons),
                lengths[0],
                lengths[-1],
                most,
            )
        )

    def companies(self, ids: Iterable[int]) -> list[RegisterEntry]:
        """Return the companies of these row ids."""
        statement = "SELECT entry FROM json_each(?) CROSS JOIN company ON company.id = value"
        found = self._rows(statement, json.dumps(sorted(ids)))
        return [self._decoded(entry) for (entry,) in found]

    def _ids(self, statement: str, *values: object) -> list[int]:
        return [id_ for (id_,) in self._rows(statement, *values)]


def _list(texts: Collection[str]) -> str:
    # In their order the look-ups meet pages that are there already.
    return json.dumps(sorted(texts))


def expression(required: Sequence[Collection[str]], *, dissolved: bool) -> str:
    """Return the FTS5 expression for companies that hold one term of each group, with or without dissolved ones.

    A term may be two with a space between them, which means both.

    Terms are quoted words of letters and digits behind a mark, so nothing in them can be taken for syntax.
    """
    found = " AND ".join(f"({' OR '.join(map(_term, group))})" for group in required)
    return found if dissolved else f'({found}) NOT "{register_schema.DISSOLVED}"'


def _term(text: str) -> str:
    quoted = " AND ".join(f'"{term}"' for term in text.split())
    return f"({quoted})" if " " in text else quoted
