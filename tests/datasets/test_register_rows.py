"""The rows of a snapshot are read column by column: quick ways give what a CSV reader and single texts give."""

import csv
import io
import random
from collections.abc import Sequence

import pytest

from credence.companies.words import joined_words, joined_words_of_each, words, words_of_each
from credence.datasets.sources.register.snapshot import COLUMNS, Chunk, Table, table

PIECES = ('"', '","', '"\r\n"', ",", "\r\n", "\n", "\r", " ", "A", "Å", "LTD", "")


def chunk(text: str, width: int = len(COLUMNS)) -> Chunk:
    """A chunk whose rows have the required columns first."""
    return Chunk(width, tuple(range(len(COLUMNS))), text.encode())


def quoted(rows: Sequence[Sequence[str]]) -> str:
    """The text of rows as they are published."""
    text = io.StringIO()
    csv.writer(text, quoting=csv.QUOTE_ALL).writerows(rows)
    return text.getvalue()


def as_rows(found: Table) -> list[tuple[str, ...]]:
    """The rows of a table without those that are malformed."""
    return list(zip(*found.columns, strict=True))


def by_a_csv_reader(text: str) -> list[tuple[str, ...]]:
    """The rows of a text with all cells; what cannot be read is left out."""
    reader, found = csv.reader(io.StringIO(text, newline="\n")), []
    while True:
        try:
            found.append(tuple(next(reader)))
        except csv.Error:
            continue
        except StopIteration:
            return [row for row in found if len(row) == len(COLUMNS)]


def test_any_cell_between_quotation_marks_is_read_as_it_was_written() -> None:
    chance = random.Random(20261123)
    for _ in range(300):
        rows = [tuple("".join(chance.choices(PIECES, k=3)) for _ in COLUMNS) for _ in range(3)]
        found = table(chunk(quoted(rows)))
        assert as_rows(found) == rows
        assert (found.rows, found.places, found.malformed) == (3, [1, 2, 3], [])


def test_marks_within_a_cell_do_not_hide_the_ends_of_the_others() -> None:
    row = ("SAY HELLO LTD", '"', '""', *["A"] * (len(COLUMNS) - 3))
    assert as_rows(table(chunk(quoted([row, row])))) == [row, row]


@pytest.mark.parametrize("mark", ['"', '","', '"\r\n"', '""', "\n"])
def test_rows_with_a_mark_too_many_are_read_as_a_csv_reader_reads_them(mark: str) -> None:
    text = quoted([["A"] * len(COLUMNS)] * 4)
    for place in range(0, len(text), 7):
        broken = text[:place] + mark + text[place:]
        assert as_rows(table(chunk(broken))) == by_a_csv_reader(broken)


def test_a_row_with_another_number_of_cells_keeps_its_place() -> None:
    rows = [["A"] * len(COLUMNS), ["B"] * 3, ["C"] * len(COLUMNS)]
    found = table(chunk(quoted(rows)))
    assert (found.rows, found.places, found.malformed) == (3, [1, 3], [2])


def test_a_chunk_without_a_whole_row_has_empty_columns() -> None:
    assert table(chunk('"too","short"\r\n')).columns == [()] * len(COLUMNS)


@pytest.mark.parametrize("texts", [["", "B&Q", "J. O'NEIL", " - "], ["CAFÉ No_1", "B&Q"], [""], []])
def test_many_texts_have_the_words_of_each(texts: list[str]) -> None:
    assert words_of_each(texts) == list(map(words, texts))
    assert joined_words_of_each(texts) == list(map(joined_words, texts))
