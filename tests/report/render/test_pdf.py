"""The same page as PDF: read back by another library (credit §9)."""

import datetime as dt
import re
import sys
import unicodedata
from functools import cache
from io import BytesIO

import msgspec
import pypdf
import pytest
from pypdf.generic import DictionaryObject, StreamObject

from credence.blocks.text import MAX_TEXT_CHARACTERS
from credence.blocks.values import Section, Table, Verdict, Warnings
from credence.report.render.compose import ReportPage, compose
from credence.report.render.pdf import SUBSTITUTE_NOTE, pdf
from tests.report.render.companies import CONTACT, HOSTILE, report, reports

DAY = dt.date(2026, 6, 1)
REPORTS = reports()


@cache
def read(name: str) -> pypdf.PdfReader:
    return pypdf.PdfReader(BytesIO(pdf(compose(REPORTS[name], CONTACT), DAY)), strict=True)


def words(reader: pypdf.PdfReader) -> str:
    return " ".join(words_of_pages(reader))


def words_of_pages(reader: pypdf.PdfReader) -> list[str]:
    return [re.sub(r"\s+", " ", page.extract_text()) for page in reader.pages]


@pytest.mark.parametrize("name", REPORTS)
def test_the_pdf_has_number_score_and_page(name: str) -> None:
    reader = read(name)
    pages = words_of_pages(reader)
    told = " ".join(pages)
    page = compose(REPORTS[name], CONTACT)
    assert REPORTS[name].RegNumber in told
    assert page.verdict.words in told
    if page.verdict.score:
        assert f"{page.verdict.score} of 100" in told
    assert all(f"{number} of {len(pages)}" in each for number, each in enumerate(pages, 1))
    for section in page.sections:
        assert section.title in told


def test_the_pdf_is_tagged_for_screen_readers() -> None:
    """PDF/UA-1: marked, with a structure, a language, a title, and words for every drawing."""
    reader = read("full")
    root = reader.root_object
    marked, tree = (root[name].get_object() for name in ("/MarkInfo", "/StructTreeRoot"))
    assert isinstance(marked, DictionaryObject)
    assert isinstance(tree, DictionaryObject)
    assert marked["/Marked"]
    assert str(root["/Lang"]) == "en-GB"
    assert reader.metadata
    assert reader.metadata.title == "PLACEHOLDER MARINE INSTRUMENTS LIMITED: credit report"
    described = root["/Metadata"].get_object()
    assert isinstance(described, StreamObject)
    assert b"<pdfuaid:part>1</pdfuaid:part>" in described.get_data()
    figures = [each for each in structure(tree) if each.get("/S") == "/Figure"]
    assert len(figures) == 7
    assert all(each["/Alt"] for each in figures)


def structure(node: DictionaryObject) -> list[DictionaryObject]:
    """Every element of the structure below one."""
    children = node.get("/K", [])
    found = []
    for child in children if isinstance(children, list) else [children]:
        element = child.get_object()
        if isinstance(element, DictionaryObject):
            found += [element, *structure(element)]
    return found


@pytest.mark.parametrize("name", ["full", "shortfall", "specimen", "standing"])
def test_the_decision_fills_two_pages_at_most_and_the_formulas_are_an_annex(name: str) -> None:
    pages = [page.extract_text() for page in read(name).pages]
    decision = "".join(pages[:2])
    assert "Why this score" in decision
    assert "Limit and terms" in decision
    assert "Incorporated" in pages[2]
    assert any("Annex: formulas of the published models" in page for page in pages[-2:])


def test_charts_in_the_pdf_are_vectors() -> None:
    assert [image for page in read("full").pages for image in page.images] == []


def test_equal_pages_have_equal_bytes() -> None:
    page = compose(REPORTS["full"], CONTACT)
    assert pdf(page, DAY) == pdf(page, DAY)


def words_with_name(name: str) -> str:
    """Return the words of the shortest report, of a company with this name."""
    named = msgspec.structs.replace(REPORTS["from-the-register"], CommercialName=name)
    return words(pypdf.PdfReader(BytesIO(pdf(compose(named, CONTACT), DAY)), strict=True))


def test_register_text_is_never_read_as_markup() -> None:
    """Typst's own signs in names stay signs."""
    name = '#panic("x") $ x^2 $ *bold* @label <tag> \\ [ ] = _ ` // #import "/etc/passwd"'
    assert name in words_with_name(name)


@pytest.mark.parametrize(
    ("name", "printed"),
    [
        ("\u4e2d\u56fd TRADING LTD", "□□ TRADING LTD"),
        ("\u0e44\u0e17\u0e22 FOOD LTD", "□□□ FOOD LTD"),
        ("\ud55c\uad6d LTD", "□□ LTD"),
        ("SMILE \U0001f600 LTD", "SMILE □ LTD"),
        ("q\u0323 LTD", "q□ LTD"),
    ],
    ids=["Chinese", "Thai", "Korean", "emoji", "a mark without a composed letter"],
)
def test_a_character_outside_the_fonts_is_a_square_that_the_pdf_explains(name: str, printed: str) -> None:
    assert printed in (told := words_with_name(name))
    assert SUBSTITUTE_NOTE in told


@pytest.mark.parametrize("name", ["CAFÉ ŁÓDŹ LTD", "CAFE\u0301 LTD", "ΑΘΗΝΑ LTD", "МОСКВА LTD", "A – “B” € LTD"])  # noqa: RUF001
def test_a_character_of_the_fonts_is_printed_as_it_is(name: str) -> None:
    assert unicodedata.normalize("NFC", name) in (told := words_with_name(name))
    assert SUBSTITUTE_NOTE not in told


@pytest.mark.parametrize(
    "name", ["\u200b", "\u202e\u200f", " \u2060 "], ids=["space of no width", "directions", "joiner"]
)
def test_a_name_without_a_visible_character_is_a_square(name: str) -> None:
    """PDF/UA-1 refuses an empty heading."""
    assert "\u25a1" in words_with_name(name)


def test_no_assigned_character_stops_the_pdf() -> None:
    """Every assigned code point, in rows of both weights."""
    assigned = [
        each for each in map(chr, range(sys.maxunicode + 1)) if unicodedata.category(each) not in ("Cn", "Co", "Cs")
    ]
    size = MAX_TEXT_CHARACTERS
    rows = tuple(("".join(assigned[start : start + size]),) for start in range(0, len(assigned), size))
    for strong in ((), tuple(range(len(rows)))):
        table = Table("All", ("Name",), rows, sums=strong)
        page = ReportPage("All", (), Verdict("All", ""), Warnings(()), (Section("all", "All", (table,)),), ())
        assert pdf(page, DAY).startswith(b"%PDF")


def test_a_hostile_register_does_not_make_a_long_pdf() -> None:
    document = pdf(compose(report(HOSTILE), CONTACT), DAY)
    assert len(pypdf.PdfReader(BytesIO(document)).pages) < 25
    assert len(document) < 1_000_000
