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


def one_slip(word: str) -> set[str]:
    """Return every text one slip away from a word, itself left out."""
    return _slips(word, _LETTERS)


def near_skeletons(word: str) -> set[str]:
    """Return the skeleton of a word and every text one slip away from it."""
    bones = skeleton(word)
    return {bones, *_slips(bones, _CONSONANTS)}


def distance(one: str, other: str, most: int) -> int:
    """Return how many slips lie between two words, `most + 1` for more than `most` (optimal string alignment)."""
    if abs(len(one) - len(other)) > most:
        return most + 1
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, letter in enumerate(one, 1):
        earlier, before, row = before, row, [i]
        for j, there in enumerate(other, 1):
            best = min(before[j - 1] + (letter != there), before[j] + 1, row[j - 1] + 1)
            if i > 1 and j > 1 and letter == other[j - 2] and one[i - 2] == there:
                best = min(best, earlier[j - 2] + 1)
            row.append(best)
        if min(row) > most:
            return most + 1
    return min(row[-1], most + 1)


def _slips(word: str, letters: str) -> set[str]:
    parts = [(word[:n], word[n:]) for n in range(len(word) + 1)]
    found = {left + right[1:] for left, right in parts if right}
    found.update(left + right[1] + right[0] + right[2:] for left, right in parts if len(right) > 1)
    found.update(left + letter + right[1:] for left, right in parts if right for letter in letters)
    found.update(left + letter + right for left, right in parts for letter in letters)
    found.discard(word)
    return found
