"""Are companies found by names that are written wrongly? (D23)

Real names of the sample are spoilt by rule, with a seed, and searched for. The shares are what the search owes; of what it
misses the most are short names, where one letter makes another name.
"""

import datetime as dt
import random
from collections.abc import Callable, Sequence

import pytest

from credence.companies.words import name_words
from credence.datasets.register import RegisterReader
from credence.datasets.search.query import CompanyQuery
from credence.datasets.sources.register.entry import EntryReader
from credence.datasets.sources.register.snapshot import chunks, table
from credence.report.search.companies import search
from credence.sandbox.provision import REGISTER_SAMPLE
from tests.sweeps import LONG

NAMES = 300 if LONG else 40
FIRST = 10


def dropped(chance: random.Random, text: str) -> str:
    """One letter too few."""
    at = chance.choice(letters(text))
    return text[:at] + text[at + 1 :]


def doubled(chance: random.Random, text: str) -> str:
    """One letter twice."""
    at = chance.choice(letters(text))
    return text[:at] + text[at] + text[at:]


def swapped(chance: random.Random, text: str) -> str:
    """Two neighbours in the wrong order."""
    places = [at for at in letters(text)[:-1] if text[at + 1] != " " and text[at] != text[at + 1]]
    at = chance.choice(places)
    return text[:at] + text[at + 1] + text[at] + text[at + 2 :]


def mistyped(chance: random.Random, text: str) -> str:
    """One letter wrong."""
    at = chance.choice(letters(text))
    return text[:at] + chance.choice("etaoinshrdlu") + text[at + 1 :]


def unspaced(chance: random.Random, text: str) -> str:
    """One space too few."""
    at = chance.choice([at for at, letter in enumerate(text) if letter == " "])
    return text[:at] + text[at + 1 :]


def twice(chance: random.Random, text: str) -> str:
    """A letter dropped and two swapped."""
    return swapped(chance, dropped(chance, text))


def cut_short(_: random.Random, text: str) -> str:
    """The last word not finished."""
    return text[:-2]


def without_first_word(_: random.Random, text: str) -> str:
    """The name as it is spoken of, not as it is registered."""
    return text.partition(" ")[2]


def letters(text: str) -> list[int]:
    """Places of letters, not of spaces."""
    return [at for at, letter in enumerate(text) if letter != " "]


@pytest.fixture(scope="session")
def names() -> list[tuple[str, str]]:
    """Company number and name without its legal ending; names of two words or more and ten letters or more."""
    reader = EntryReader(dt.date(2026, 11, 1))
    entries = (entry for chunk in chunks([REGISTER_SAMPLE]) for entry in reader.read(table(chunk).columns).entries)
    words = [(entry.number, name_words(entry.name)) for entry in entries]
    long_enough = [(number, " ".join(name)) for number, name in words if len(name) > 1 and sum(map(len, name)) >= 10]
    return random.Random(20200501).sample(long_enough, NAMES)


def share_found(
    register: RegisterReader, names: Sequence[tuple[str, str]], spoil: Callable[[random.Random, str], str]
) -> float:
    """The share of names that are among the first results when they are written so."""
    chance = random.Random(1)
    found = 0
    for number, name in names:
        answer = search(register, CompanyQuery(name=spoil(chance, name), exclude_dissolved=False))
        found += number in [result.BusinessRef for result in answer.SearchResults[:FIRST]]
    return found / len(names)


@pytest.mark.parametrize(
    ("spoil", "owed"),
    [
        (dropped, 0.95),
        (doubled, 0.95),
        (swapped, 0.95),
        (mistyped, 0.95),
        (unspaced, 0.95),
        (twice, 0.80),
        (cut_short, 0.95),
        (without_first_word, 0.80),
    ],
)
def test_misspelt_names_are_found(
    sample: RegisterReader, names: list[tuple[str, str]], spoil: Callable[[random.Random, str], str], owed: float
) -> None:
    assert share_found(sample, names, spoil) >= owed


def test_a_name_as_it_is_written_comes_first(sample: RegisterReader, names: list[tuple[str, str]]) -> None:
    for number, name in names:
        answer = search(sample, CompanyQuery(name=name, exclude_dissolved=False))
        same = [result.BusinessRef for result in answer.SearchResults if " ".join(name_words(result.Name)) == name]
        assert number in same
        assert [result.BusinessRef for result in answer.SearchResults][: len(same)] == same
