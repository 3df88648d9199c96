"""Words of company names that are written in several ways: saint and st, first and 1st, numbers in words or digits, "and".

The register itself treats "and" and "&" as the same, and numbers in words and digits (Company, Limited Liability Partnership
and Business (Names and Trading Disclosures) Regulations 2015, schedule 3).
"""

from collections.abc import Iterator, Sequence
from itertools import islice, product

_DIGITS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
_TEENS = ["eleven", "twelve", *(f"{start}teen" for start in ("thir", "four", "fif", "six", "seven", "eigh", "nine"))]
_TENS = ["ten", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_PLACES = {
    "one": "first", "two": "second", "three": "third", "five": "fifth", "eight": "eighth", "nine": "ninth",
    "twelve": "twelfth",
}  # fmt: skip

_OPTIONAL = frozenset({"and"})
_MAX_WHOLE_NAMES = 32


def _numbers() -> Iterator[tuple[str, ...]]:
    """Yield the numbers and places from 1 to 99 in words and digits."""
    words = dict(enumerate(_DIGITS, 1)) | dict(enumerate(_TEENS, 11)) | {10 * n: ten for n, ten in enumerate(_TENS, 1)}
    for number in range(1, 100):
        start, word = ("", words[number]) if number in words else (f"{words[number // 10 * 10]} ", words[number % 10])
        yield f"{start}{word}", str(number)
        yield f"{start}{_place(word)}", _ordinal(number)


def _place(word: str) -> str:
    return _PLACES.get(word) or (f"{word[:-1]}ieth" if word.endswith("y") else f"{word}th")


def _ordinal(number: int) -> str:
    teen = number // 10 % 10 == 1
    return f"{number}{'th' if teen else {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th')}"


_SAME = (("saint", "st"), ("cooperative", "co operative", "coop", "co op"), *_numbers())
_WAYS = {way: ways for ways in _SAME for way in ways}


def synonyms(words: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Return the words of a name that are written in other ways too, each with these; two words are separated by a space.

    Each word of a pair, such as "twenty four", has the other ways of the pair.
    """
    units = ((text, ways) for text, ways in _units(words) if ways)
    return {word: tuple(way for way in ways if way != text) for text, ways in units for word in text.split()}


def optional_words(words: Sequence[str]) -> frozenset[str]:
    """Return the words without which a name is the same; none if there are no others."""
    return frozenset() if _OPTIONAL.issuperset(words) else _OPTIONAL.intersection(words)


def whole_names(words: Sequence[str]) -> tuple[str, ...]:
    """Return a name written as one word in every way, as it is given first; at most 32."""
    optional = optional_words(words)
    ways = [
        (text, *(each for each in ways if each != text), *([""] if text in optional else []))
        for text, ways in _units(words)
    ]
    names = ("".join(chosen).replace(" ", "") for chosen in islice(product(*ways), _MAX_WHOLE_NAMES))
    return tuple(dict.fromkeys(names))


def _units(words: Sequence[str]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the words of a name, or pairs of them, each with all ways to write it; no ways for most."""
    place = 0
    while place < len(words):
        pair = " ".join(words[place : place + 2])
        text = pair if pair in _WAYS else words[place]
        yield text, _WAYS.get(text, ())
        place += len(text.split())
