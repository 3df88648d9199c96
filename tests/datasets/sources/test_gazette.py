"""Notices of corporate insolvency (credit §4.3, §10). The pages are written by hand."""

import datetime as dt
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from credence.companies.facts.events import Notice
from credence.datasets.loading.load import load as load_source
from credence.datasets.loading.refresh import SOURCES
from credence.datasets.sources.source import LoadError, Record
from credence.datasets.status import row
from tests.datasets.sources.acts import read, reasons
from tests.datasets.sources.hand_written import feed, notice, write, write_json


def test_a_notice_belongs_to_the_number_inside_it_and_its_text_is_not_kept(tmp_path: Path) -> None:
    """The title is the name of another company on purpose: it is never used."""
    (found,) = read("gazette", feed(tmp_path / "1.json", notice(title="SOMEBODY ELSE LIMITED")))
    expected = Notice("4000001", "2452", dt.date(2026, 3, 2), title="Winding-Up Orders")
    updated = 1_772_442_000_000  # 2 March 2026, 9:00 UTC
    assert found == Record("00000001", "4000001", expected, version=updated, revised=dt.date(2026, 3, 2))
    assert b"Sample" not in msgspec.json.encode(found)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("(Company Number: 1234567)", "01234567"),
        ("Company No. SC123456", "SC123456"),
        ("company registration number 01234567", "01234567"),
        ("Registered Number NI 12345", "NI012345"),
        ("Registered No: OC300001", "OC300001"),
        ("<b>Company</b> <span>Number</span> 01234567", "01234567"),
    ],
)
def test_the_ways_of_writing_a_number(tmp_path: Path, text: str, number: str) -> None:
    (found,) = read("gazette", feed(tmp_path / "1.json", notice(content=text)))
    assert isinstance(found, Record)
    assert found.company == number


@pytest.mark.parametrize(
    ("members", "reason"),
    [
        ({"content": "PLACEHOLDER LIMITED, of 1 Sample Square, telephone 02079460000"}, "number.missing"),
        ({"content": "Company Number 00000001, petitioner: Company Number 00000002"}, "number.several"),
        ({"f:notice-code": "2503"}, "code.other_category"),
        ({"f:notice-code": ""}, "code.other_category"),
        ({"f:status": "withdrawn"}, "status.unpublished"),
        ({"published": "soon"}, "date.unreadable"),
        ({"id": None}, "id.missing"),
    ],
)
def test_a_notice_that_cannot_be_given_to_one_company_is_refused(
    tmp_path: Path, members: dict[str, Any], reason: str
) -> None:
    """A petition that names its petitioner must not become a petition against them."""
    assert reasons("gazette", feed(tmp_path / "1.json", notice(**members))) == [reason]


def test_the_data_of_a_notice_goes_before_its_text(tmp_path: Path) -> None:
    metadata: dict[str, Any] = {"gazette-metadata": {"company-number": "00000001"}}
    entry = notice(content="Company Number 00000002", **metadata)
    (found,) = read("gazette", feed(tmp_path / "1.json", entry))
    assert isinstance(found, Record)
    assert found.company == "00000001"


def test_a_page_of_one_notice_and_a_page_of_none(tmp_path: Path) -> None:
    one = write_json(tmp_path / "1.json", {"f:total": "1", "entry": notice("L-60768-1986497")})
    none = write_json(tmp_path / "2.json", {"f:total": "0"})
    (found,) = read("gazette", one, none)
    assert isinstance(found, Record)
    assert isinstance(found.fact, Notice)
    assert found.fact.edition == "London"


def test_a_page_that_nests_without_end_is_refused_at_every_depth(tmp_path: Path) -> None:
    """What still decodes may be too deep to be searched: then the notice is refused, and the load goes on."""
    page = json.dumps({"entry": [notice(content="CONTENT")]})
    for depth in range(800, 1_000):
        file = write(tmp_path / "1.json", page.replace('"CONTENT"', "[" * depth + "]" * depth))
        try:
            assert reasons("gazette", file) in (["number.missing"], ["entry.unreadable"])
        except LoadError as refused:
            assert "is not a page of the Gazette's feed" in str(refused)  # noqa: PT017 - either answer is right


@pytest.mark.parametrize("text", ["<feed/>", "[]", '{"items": []}', '{"entry": ' + "[" * 5_000])
def test_another_file_is_no_page_of_the_feed(tmp_path: Path, text: str) -> None:
    with pytest.raises(LoadError, match=r"x.json is not a page of the Gazette's feed"):
        read("gazette", write(tmp_path / "x.json", text))


def test_a_notice_of_today_is_kept_half_an_hour_after_midnight_in_london(tmp_path: Path) -> None:
    """In summer it is still yesterday in UTC."""
    at = int(dt.datetime(2026, 7, 1, 23, 30, tzinfo=dt.UTC).timestamp() * 1_000)
    file = feed(tmp_path / "gazette-1.json", notice(published="2026-07-02T00:00:00"))
    assert load_source(SOURCES["gazette"], [file], tmp_path / "credit", at).kept == 1
    state = row(tmp_path / "credit", "gazette", at)
    assert (state.as_of, state.loaded, state.age_in_days) == (dt.date(2026, 7, 2), dt.date(2026, 7, 2), 0)
