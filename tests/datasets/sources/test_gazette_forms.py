"""Every form in which a notice writes its company number, and texts that must not lead to another company (credit §4.3)."""

import datetime as dt
import json
from pathlib import Path

import pytest

from credence.companies.facts.events import Notice
from credence.datasets.sources.source import LoadError, Record, RejectedPlace
from tests.cli.deployment import Deployment
from tests.datasets.sources.acts import read, reasons
from tests.datasets.sources.hand_written import feed, notice, write

PAGE = Path(__file__).parent / "data" / "gazette-every-form.json"
EXPECTED = {
    "1": "00000011",
    "2": "00000012",
    "3": "SC000013",
    "4": "NI000014",
    "5": "00000015",
    "6": "00000016",
    "7": "00000017",
    "8": "SC000018",
    "9": "00000019",
    "10": "OC000020",
    "11": "00000021",
    "12": "00000022",
    "13": "SC000023",
    "14": "00000024",
}
"""Notice -> the company whose number is in it."""


def test_each_form_is_read_and_a_cut_text_is_refused_with_the_id_of_its_notice() -> None:
    found = read("gazette", PAGE)
    assert {each.id: each.company for each in found if isinstance(each, Record)} == EXPECTED
    refused = [each for each in found if isinstance(each, RejectedPlace)]
    assert [(each.where, each.reason) for each in refused] == [
        ("gazette-every-form.json, entry 15, notice 15", "number.missing"),
        ("gazette-every-form.json, entry 16, notice 16", "number.missing"),
    ]


def test_a_category_in_a_list_keeps_its_words() -> None:
    kept = {each.id: each.fact for each in read("gazette", PAGE) if isinstance(each, Record)}
    assert kept["14"] == Notice("14", "2452", dt.date(2026, 6, 22), title="Winding-Up Orders")


def test_one_invalid_entry_does_not_refuse_the_others(tmp_path: Path) -> None:
    page = json.loads(PAGE.read_text(encoding="utf-8"))
    invalid: list[object] = [
        None,
        7,
        "text",
        [],
        {},
        {"id": {"a": 1}},
        {"id": "x", "f:notice-code": [2452], "content": 5},
    ]
    page["entry"] = [*invalid, *page["entry"]]
    found = read("gazette", write(tmp_path / "1.json", json.dumps(page)))
    assert {each.id: each.company for each in found if isinstance(each, Record)} == EXPECTED


@pytest.mark.parametrize(
    "content",
    [
        "OTHER LIMITED ( 00000003 ) Address, Leeds",
        "PLACEHOLDER LIMITED of Leeds, its parent OTHER LIMITED ( 00000003 )",
        "PLACEHOLDER LIMITED (2026) 0000003",
        "PLACEHOLDER LIMITED Leeds ( 00000003 )",
        "PLACEHOLDER LIMITED. Adviser LLP is an LLP. LLP Number: OC000003",
        "PLACEHOLDER LIMITED. Adviser Limited, Registered in England No 00000003",
        "Solicitors: Adviser Limited (Company Number 00000003)",
        "PLACEHOLDER LIMITED, c/o Adviser Limited, Company Reg No 00000003",
        "PLACEHOLDER LIMITED is a wholly owned subsidiary of Other Limited (Co. No. 00000003)",
        "In the High Court, Company No 12345 of 2026, PLACEHOLDER LIMITED",
        "PLACEHOLDER LIMITED. Smith & Co. No 1234567 High Street",
        "PLACEHOLDER LIMITED, petitioner: Other Limited, registered in England No. 00000003",
    ],
)
def test_a_number_that_may_be_anothers_is_not_taken(tmp_path: Path, content: str) -> None:
    """Nobody is better than the wrong company."""
    page = feed(tmp_path / "1.json", notice(title="PLACEHOLDER LIMITED", content=content))
    assert reasons("gazette", page) == ["number.missing"]


def test_a_number_after_the_title_and_another_labelled_one_are_several(tmp_path: Path) -> None:
    content = "PLACEHOLDER LIMITED ( 00000001 ), formerly part of Other Limited (Company Number 00000003)"
    page = feed(tmp_path / "1.json", notice(title="PLACEHOLDER LIMITED", content=content))
    assert reasons("gazette", page) == ["number.several"]


def marked(folder: Path, id_: str, *subjects: tuple[str, str]) -> Path:
    spans = "".join(
        f'<span about="{about}" property="gazorg:companyNumber" datatype="xsd:integer">{number}</span>'
        for about, number in subjects
    )
    return write(
        folder / f"gazette-notice-{id_}.htm", f"<!DOCTYPE html><html><body><p>A &amp; B {spans}<br></body></html>"
    )


def test_the_page_of_a_single_notice_gives_the_number_that_the_feed_cuts(tmp_path: Path) -> None:
    """The marked number is an integer, which has lost its zeros; a page without one leaves its notice refused."""
    pages = marked(tmp_path, "15", ("this:company-1", "31")), marked(tmp_path, "16")
    found = {each.id: each.company for each in read("gazette", PAGE, *pages) if isinstance(each, Record)}
    assert found == EXPECTED | {"15": "00000031"}


@pytest.mark.parametrize(
    "subjects",
    [
        [("this:company-1", "31"), ("this:company-2", "32")],
        [("this:petitioner-1", "31")],
        [("this:IP1-company", "31")],
        [("this:company-1", "not one")],
    ],
)
def test_a_page_that_marks_no_or_several_companies_decides_nothing(
    tmp_path: Path, subjects: list[tuple[str, str]]
) -> None:
    assert len(reasons("gazette", PAGE, marked(tmp_path, "15", *subjects))) == 2


def test_the_page_of_a_petition_does_not_decide_it(tmp_path: Path) -> None:
    petition = feed(tmp_path / "1.json", notice("77", "2450", content="A petition to wind up PLACEHOLDER …"))
    assert reasons("gazette", petition, marked(tmp_path, "77", ("this:company-1", "31"))) == ["number.missing"]


def test_a_page_that_cannot_be_read_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(LoadError, match=r"gazette-notice-1.htm cannot be read"):
        read("gazette", PAGE, tmp_path / "gazette-notice-1.htm")


def test_the_status_has_the_share_without_a_number(tmp_path: Path) -> None:
    deployment = Deployment(tmp_path / "data")
    assert deployment.json("data", "load", "gazette", str(PAGE))["refused"] == {"number.missing": 2}
    (row,) = (row for row in deployment.json("data", "status") if row["source"] == "gazette")
    assert (row["facts"], row["without_number"]) == (14, "2 of 16 (12%)")
