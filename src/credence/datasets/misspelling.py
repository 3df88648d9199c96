"""Words as people misspell them: one slip away, or two of which one at most touches a consonant.

A slip is a letter too few, too many or wrong, or two neighbours swapped (Damerau 1964). All words one slip away are so
few that they can be looked up one by one. Those two slips away are too many: they are sought by their consonants.
"""

import re

_LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"
_CONSONANTS = "bcdfghjklmnpqrstvwxz0123456789"
_VOWELS = re.compile(r"[aeiouy]+")
_REPEATED = re.compile(r"(.)\1+")


def skeleton(word: str) -> str:
    """Return the consonants and digits of a word, a repeated one once: recieve and receive are both rcv."""
    return _REPEATED.sub(r"\1", _VOWELS.sub("", word))


def one_edit(word: str) -> set[str]:
    """Return every text one slip away from a word, itself left out."""
    return _slips(word, _LETTERS)


def similar_skeletons(word: str) -> set[str]:
    """Return the skeleton of a word and every text one slip away from it."""
    bones = skeleton(word)
    return {bones, *_slips(bones, _CONSONANTS)}


def distance(one: str, other: str, most: int) -> int:
    """Return how many slips lie between two words, `most + 1` for more than `most` (optimal string alignment)."""
    one, other = _without_common_ends(one, other)
    if len(one) > len(other):
        one, other = other, one
    if len(other) - len(one) > most:
        return most + 1
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, letter in enumerate(one, 1):
        earlier, before, row = before, row, [most + 1] * len(row)
        row[0] = i
        # Farther from the diagonal everything is more than `most`.
        for j in range(max(i - most, 1), min(i + most, len(other)) + 1):
            there = other[j - 1]
            best = before[j - 1] if letter == there else 1 + min(before[j - 1], before[j], row[j - 1])
            if i > 1 and j > 1 and letter == other[j - 2] and one[i - 2] == there and earlier[j - 2] < best:
                best = earlier[j - 2] + 1
            row[j] = best
        if min(row) > most:
            return most + 1
    return min(row[-1], most + 1)


def _without_common_ends(one: str, other: str) -> tuple[str, str]:
    start, shorter = 0, min(len(one), len(other))
    while start < shorter and one[start] == other[start]:
        start += 1
    end = 0
    while end < shorter - start and one[-1 - end] == other[-1 - end]:
        end += 1
    return one[start : len(one) - end], other[start : len(other) - end]


def _slips(word: str, letters: str) -> set[str]:
    parts = [(word[:n], word[n:]) for n in range(len(word) + 1)]
    found = {left + right[1:] for left, right in parts if right}
    found.update(left + right[1] + right[0] + right[2:] for left, right in parts if len(right) > 1)
    found.update(left + letter + right[1:] for left, right in parts if right for letter in letters)
    found.update(left + letter + right for left, right in parts for letter in letters)
    found.discard(word)
    return found
