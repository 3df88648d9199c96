"""The same page as PDF: read back by another library (credit §9)."""

import datetime as dt
import re
from io import BytesIO

import pypdf
import pytest
from pypdf.generic import DictionaryObject, StreamObject

from credence.report.render.compose import compose
from credence.report.render.pdf import pdf
from tests.report.render.companies import CONTACT, HOSTILE, report, reports

DAY = dt.date(2026, 6, 1)
REPORTS = reports()


def read(name: str) -> pypdf.PdfReader:
    return pypdf.PdfReader(BytesIO(pdf(compose(REPORTS[name], CONTACT), DAY)), strict=True)


def words(reader: pypdf.PdfReader) -> str:
    return re.sub(r"\s+", " ", " ".join(page.extract_text() for page in reader.pages))


@pytest.mark.parametrize("name", REPORTS)
def test_the_pdf_has_number_score_and_page(name: str) -> None:
    reader = read(name)
    told = words(reader)
    page = compose(REPORTS[name], CONTACT)
    assert REPORTS[name].RegNumber in told
    assert page.verdict.words in told
    if page.verdict.score:
        assert f"{page.verdict.score} of 100" in told
    count = len(reader.pages)
    assert all(f"{n} of {count}" in re.sub(r"\s+", " ", each.extract_text()) for n, each in enumerate(reader.pages, 1))
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
    assert len(figures) == 6
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


def test_charts_in_the_pdf_are_vectors() -> None:
    assert [image for page in read("full").pages for image in page.images] == []


def test_equal_pages_have_equal_bytes() -> None:
    page = compose(REPORTS["full"], CONTACT)
    assert pdf(page, DAY) == pdf(page, DAY)


def test_register_text_is_never_read_as_markup() -> None:
    """Typst's own signs in names stay signs."""
    subject = REPORTS["full"]
    name = '#panic("x") $ x^2 $ *bold* @label <tag> \\ [ ] = _ ` // #import "/etc/passwd"'
    named = type(subject)(
        **{field: getattr(subject, field) for field in subject.__struct_fields__} | {"CommercialName": name}
    )
    told = re.sub(r"\s+", " ", pypdf.PdfReader(BytesIO(pdf(compose(named, CONTACT), DAY))).pages[0].extract_text())
    assert name in told


def test_a_hostile_register_does_not_make_a_long_pdf() -> None:
    document = pdf(compose(report(HOSTILE), CONTACT), DAY)
    assert len(pypdf.PdfReader(BytesIO(document)).pages) < 25
    assert len(document) < 1_000_000
