"""Misspelled words: one edit away, or two of which at most one changes a consonant.

An edit inserts, deletes or replaces a letter, or swaps two neighbours (optimal string alignment, after Damerau 1964). The
words one edit away are few enough to look up one by one; those two edits away are searched by their consonants.
"""

import re

_LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"
_CONSONANTS = "bcdfghjklmnpqrstvwxz0123456789"
_VOWELS = re.compile(r"[aeiouy]+")
_REPEATED = re.compile(r"(.)\1+")


def skeleton(word: str) -> str:
    """Return the consonants and digits of a word, a repeated one once: recieve and receive both give rcv."""
    return _REPEATED.sub(r"\1", _VOWELS.sub("", word))


def one_edit(word: str) -> set[str]:
    """Return every text one edit away from a word."""
    return _edits(word, _LETTERS)


def similar_skeletons(word: str) -> set[str]:
    """Return the skeleton of a word and every text one edit away from the skeleton."""
    own = skeleton(word)
    return {own, *_edits(own, _CONSONANTS)}


def distance(one: str, other: str, limit: int) -> int:
    """Return the number of edits between two words, `limit + 1` for more than `limit`."""
    one, other = _without_common_ends(one, other)
    if len(one) > len(other):
        one, other = other, one
    if len(other) - len(one) > limit:
        return limit + 1
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, letter in enumerate(one, 1):
        earlier, before, row = before, row, [limit + 1] * len(row)
        row[0] = i
        # All values farther from the diagonal exceed the limit.
        for j in range(max(i - limit, 1), min(i + limit, len(other)) + 1):
            there = other[j - 1]
            best = before[j - 1] if letter == there else 1 + min(before[j - 1], before[j], row[j - 1])
            if i > 1 and j > 1 and letter == other[j - 2] and one[i - 2] == there and earlier[j - 2] < best:
                best = earlier[j - 2] + 1
            row[j] = best
        if min(row) > limit:
            return limit + 1
    return min(row[-1], limit + 1)


def _without_common_ends(one: str, other: str) -> tuple[str, str]:
    start, shorter = 0, min(len(one), len(other))
    while start < shorter and one[start] == other[start]:
        start += 1
    end = 0
    while end < shorter - start and one[-1 - end] == other[-1 - end]:
        end += 1
    return one[start : len(one) - end], other[start : len(other) - end]


def _edits(word: str, letters: str) -> set[str]:
    parts = [(word[:n], word[n:]) for n in range(len(word) + 1)]
    found = {left + right[1:] for left, right in parts if right}
    found.update(left + right[1] + right[0] + right[2:] for left, right in parts if len(right) > 1)
    found.update(left + letter + right[1:] for left, right in parts if right for letter in letters)
    found.update(left + letter + right for left, right in parts for letter in letters)
    found.discard(word)
    return found
