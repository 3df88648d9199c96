"""Queries on the names and words of one register. Every result has a bounded size.

An index belongs to one open data set, so its results stay consistent while a load replaces the data set.
"""

import json
from collections.abc import Collection, Iterable, Sequence

from credence.companies.facts.register import RegisterEntry
from credence.datasets.data_set import LAST, DataSetFile
from credence.datasets.register_schema import DISSOLVED, decode_entry


class NameIndex:
    """The names and words of one register; `companies` returns the entries of row ids."""

    def __init__(self, file: DataSetFile) -> None:
        self._file = file

    def named(self, names: Collection[str], limit: int) -> list[int]:
        """Return the row ids of at most `limit` companies with one of these present or former names, written as one word."""
        return self._ids(
            "SELECT DISTINCT company FROM json_each(?) CROSS JOIN name ON name = value LIMIT ?", _list(names), limit
        )

    def with_prefix(self, prefix: str, limit: int) -> list[int]:
        """Return the row ids of companies with a name that begins with a prefix, in the order of the names."""
        return self._ids(
            "SELECT DISTINCT company FROM name WHERE name >= ? AND name < ? LIMIT ?", prefix, prefix + LAST, limit
        )

    def matching(self, expression: str, limit: int) -> list[int]:
        """Return the row ids of companies whose search terms match an FTS5 expression, in row order."""
        # Ranking in SQL would visit every match of a common word.
        return self._ids("SELECT rowid FROM search WHERE search MATCH ? LIMIT ?", expression, limit)

    def word_counts(self, words: Collection[str]) -> dict[str, int]:
        """Return word -> number of companies, for those of these words that occur in names."""
        return dict(
            self._file.rows("SELECT word, companies FROM json_each(?) CROSS JOIN word ON word = value", _list(words))
        )

    def completions(self, prefix: str, limit: int) -> dict[str, int]:
        """Return word -> number of companies, for the most common words with a prefix, at most `limit`."""
        return dict(
            self._file.rows(
                "SELECT word, companies FROM word WHERE word >= ? AND word < ? ORDER BY companies DESC, word LIMIT ?",
                prefix,
                prefix + LAST,
                limit,
            )
        )

    def words_with_skeleton(self, skeletons: Collection[str], lengths: range, limit: int) -> dict[str, int]:
        """Return word -> number of companies, for the most common words of these lengths with one of the skeletons."""
        return dict(
            self._file.rows(
                "SELECT word, companies FROM json_each(?) CROSS JOIN word ON skeleton = value"
                " WHERE length(word) BETWEEN ? AND ? ORDER BY companies DESC, word LIMIT ?",
                _list(skeletons),
                lengths[0],
                lengths[-1],
                limit,
            )
        )

    def companies(self, ids: Iterable[int]) -> list[RegisterEntry]:
        """Return the entries of these row ids."""
        statement = "SELECT entry FROM json_each(?) CROSS JOIN company ON company.id = value"
        rows = self._file.rows(statement, json.dumps(sorted(ids)))
        return [self._file.decoded(decode_entry, entry) for (entry,) in rows]

    def _ids(self, statement: str, *values: object) -> list[int]:
        return [id_ for (id_,) in self._file.rows(statement, *values)]


def _list(texts: Collection[str]) -> str:
    # Sorted, so that neighbouring look-ups use the same pages.
    return json.dumps(sorted(texts))


def expression(required: Sequence[Collection[str]], *, dissolved: bool) -> str:
    """Return the FTS5 expression for companies with at least one term of each group, with or without dissolved ones.

    A term with a space requires both of its words. Each term is quoted and has only letters, digits and a prefix mark, so
    no part of it is FTS5 syntax.
    """
    groups = " AND ".join(f"({' OR '.join(map(_term, group))})" for group in required)
    return groups if dissolved else f'({groups}) NOT "{DISSOLVED}"'


def _term(text: str) -> str:
    quoted = " AND ".join(f'"{term}"' for term in text.split())
    return f"({quoted})" if " " in text else quoted
