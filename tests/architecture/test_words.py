"""Retired words do not come back; `retired_words.toml` has the word to use instead of each."""

import pytest

from tests.architecture.imports import ROOT
from tests.architecture.words import Retired, area, names, prose, retired, shown


@pytest.mark.parametrize("entry", retired("prose"), ids=lambda entry: entry.word)
def test_a_retired_word_is_in_no_sentence(entry: Retired) -> None:
    """Of docstrings, comments and pages."""
    found = [file for file, text in prose().items() if entry.matches(text) and area(file) not in entry.still_in]
    assert [str(file.relative_to(ROOT)) for file in found] == [], f"use instead: {entry.use}"


@pytest.mark.parametrize("entry", retired("shown"), ids=lambda entry: entry.word)
def test_a_retired_word_is_in_no_text_for_people(entry: Retired) -> None:
    """Of pages, messages and the help of commands (docs/style.md)."""
    found = [file for file, text in shown().items() if entry.matches(text) and area(file) not in entry.still_in]
    assert [str(file.relative_to(ROOT)) for file in found] == [], f"use instead: {entry.use}"


def test_retired_names_are_in_no_file() -> None:
    found = {
        f"{file.relative_to(ROOT)}: {entry.word}, use {entry.use}"
        for file, text in names().items()
        for entry in retired("name")
        if entry.matches(text) and area(file) not in entry.still_in
    }
    assert found == set()


def test_whole_words_are_found_whatever_their_case() -> None:
    entry = Retired("anew", "again")
    assert entry.matches("Made anew.")
    assert entry.matches("Anew")
    assert not entry.matches("manew renewed tests/anew.py")


def test_an_identifier_is_found_in_its_own_case_only() -> None:
    entry = Retired("Tone", "Format", name=True)
    assert entry.matches("def write(tone: Tone)")
    assert not entry.matches("def write(tone: Format)")
