"""Finds misspelled words: at most two edits away, of which at most one changes a consonant.

An edit inserts, deletes or replaces a letter, or swaps two neighbours (optimal string alignment, after Damerau 1964). The
words one edit away are few enough to look up one by one; those two edits away are searched by their consonants.
"""

import re

from rapidfuzz.distance import OSA

_LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"
_CONSONANTS = "bcdfghjklmnpqrstvwxz0123456789"
_VOWELS_AND_REPETITIONS = re.compile(r"[aeiouy]+|(.)(?=[aeiouy]*\1)")


def skeleton(word: str) -> str:
    """Return the consonants and digits of a word without repetitions: recieve and receive both give rcv."""
    return _VOWELS_AND_REPETITIONS.sub("", word)


def one_edit(word: str) -> set[str]:
    """Return every text one edit away from a word."""
    return _edits(word, _LETTERS)


def similar_skeletons(word: str) -> set[str]:
    """Return the skeleton of a word and every text one edit away from the skeleton."""
    own = skeleton(word)
    return {own, *_edits(own, _CONSONANTS)}


def distance(one: str, other: str, limit: int) -> int:
    """Return the number of edits between two words, `limit + 1` for more than `limit`."""
    return OSA.distance(one, other, score_cutoff=limit)


def _edits(word: str, letters: str) -> set[str]:
    parts = [(word[:n], word[n:]) for n in range(len(word) + 1)]
    found = {left + right[1:] for left, right in parts if right}
    found.update(left + right[1] + right[0] + right[2:] for left, right in parts if len(right) > 1)
    found.update(left + letter + right[1:] for left, right in parts if right for letter in letters)
    found.update(left + letter + right for left, right in parts for letter in letters)
    found.discard(word)
    return found
