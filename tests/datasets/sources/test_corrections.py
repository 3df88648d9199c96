"""Notices and cases that are corrected or withdrawn end with a day, in any order of loads, and are kept as they were known.

Everything here is invented.
"""

import datetime as dt
import itertools
import random
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from credence.companies.facts.company import Company, Withdrawn
from credence.companies.facts.events import InsolvencyCase
from credence.datasets import catalogue
from credence.datasets.credit_data import CreditData
from credence.report.build.group import Group
from credence.report.build.report import build
from credence.report.render.compose import compose
from tests.datasets.sources.acts import held, load, load_companies
from tests.datasets.sources.hand_written import CASE, answer, feed, notice, write_json
from tests.report.render.companies import CONTACT
from tests.sweeps import many

ONE, TWO = "00000001", "00000002"
LOADED = dt.date(2026, 11, 5)
"""The day of the loads, which `acts` tells."""

FIRST_DAY, SECOND_DAY, THIRD_DAY = dt.date(2026, 3, 2), dt.date(2026, 3, 9), dt.date(2026, 3, 16)


def said(day: dt.date, number: str = ONE, code: str = "2452", id_: str = "4000001", **members: Any) -> dict[str, Any]:
    """What the Gazette says of a day about a notice of the first day."""
    content = f"<p>In the matter of PLACEHOLDER LIMITED (Company Number {number}).</p>"
    return notice(id_, code, content=content, updated=f"{day}T09:00:00Z", **members)


ORDER, CORRECTED = said(FIRST_DAY), said(SECOND_DAY, TWO)
WITHDRAWN = said(SECOND_DAY, **{"f:status": "withdrawn"})
SEVERAL = said(SECOND_DAY, f"{ONE}) and FOO LIMITED (Company Number {TWO}")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "credit"
    made.mkdir()
    load_companies(made, ONE, TWO)
    return made


def load_said(folder: Path, *entries: dict[str, Any]) -> None:
    load("gazette", folder, feed(folder.parent / "gazette-1.json", *entries))


def codes(company: Company | None) -> list[str]:
    assert company is not None
    assert company.notices is not None
    return [each.code for each in company.notices.value]


def gone(company: Company | None) -> list[tuple[str, str, str, str]]:
    """Code or type, days and reason of what is withdrawn."""
    assert company is not None
    parts: list[Withdrawn] = [*company.notices.withdrawn] if company.notices else []
    parts += company.insolvency.withdrawn if company.insolvency else ()
    return [
        (
            each.fact.type if isinstance(each.fact, InsolvencyCase) else each.fact.code,
            str(each.since),
            str(each.until),
            each.reason,
        )
        for each in parts
    ]


def score(company: Company | None, day: dt.date = LOADED) -> int | None:
    assert company is not None
    assessment = build(company, Group(), day).Assessment
    assert assessment is not None
    return assessment.Score.Score if assessment.Score else None


def test_an_order_that_is_corrected_to_another_company_ends_for_the_first(folder: Path) -> None:
    load_said(folder, ORDER)
    sound = score(held(folder, TWO))
    assert (score(held(folder, ONE)), codes(held(folder, ONE))) == (0, ["2452"])
    load_said(folder, CORRECTED)
    assert (score(held(folder, ONE)), codes(held(folder, ONE))) == (sound, [])
    assert (score(held(folder, TWO)), codes(held(folder, TWO))) == (0, ["2452"])
    assert gone(held(folder, ONE)) == [("2452", "2026-03-02", "2026-03-09", "corrected")]
    assert gone(held(folder, TWO)) == []


@pytest.mark.parametrize(("later", "reason"), [(WITHDRAWN, "withdrawn"), (SEVERAL, "unreadable")])
def test_a_later_version_that_is_withdrawn_or_cannot_be_read_ends_the_earlier_one(
    folder: Path, later: dict[str, Any], reason: str
) -> None:
    load_said(folder, ORDER)
    load_said(folder, later)
    assert codes(held(folder, ONE)) == []
    assert gone(held(folder, ONE)) == [("2452", "2026-03-02", "2026-03-09", reason)]


def test_a_version_that_is_loaded_after_a_later_one_changes_nothing(folder: Path) -> None:
    load_said(folder, ORDER, said(FIRST_DAY, id_="4000002"))
    load_said(folder, WITHDRAWN)
    load_said(folder, ORDER)
    assert codes(held(folder, ONE)) == ["2452"]
    assert gone(held(folder, ONE)) == [("2452", "2026-03-02", "2026-03-09", "withdrawn")]


def test_a_cut_text_of_the_version_that_is_known_does_not_end_it(folder: Path) -> None:
    """The feed cuts some texts before the number, which the page of the notice has."""
    cut = said(FIRST_DAY) | {"content": "<p>In the matter of PLACEHOLDER LIMITED …</p>"}
    load_said(folder, ORDER, said(FIRST_DAY, id_="4000002"))
    load_said(folder, cut, said(FIRST_DAY, id_="4000003"))
    assert codes(held(folder, ONE)) == ["2452"] * 3


def test_a_notice_that_is_restored_counts_again(folder: Path) -> None:
    load_said(folder, ORDER)
    load_said(folder, WITHDRAWN)
    load_said(folder, said(THIRD_DAY))
    assert codes(held(folder, ONE)) == ["2452"]
    assert gone(held(folder, ONE)) == []
    days = [FIRST_DAY, SECOND_DAY - dt.timedelta(days=1), SECOND_DAY, THIRD_DAY]
    with closing(CreditData(folder)) as data:
        found = [data.company(ONE, day) for day in days]  # the register is of a later day
    assert [codes(each) for each in found] == [["2452"], ["2452"], [], ["2452"]]


def test_any_order_of_loads_ends_in_the_same_present_and_the_same_history(tmp_path: Path) -> None:
    """Also several versions in one load, and loads that are repeated."""
    versions = [ORDER, CORRECTED, said(THIRD_DAY), said(THIRD_DAY + dt.timedelta(days=1), **{"f:status": "withdrawn"})]
    versions += [said(FIRST_DAY, TWO, id_="4000009"), said(THIRD_DAY, ONE, "2410", id_="4000009")]
    orders = list(itertools.permutations(range(len(versions))))
    chance, found = random.Random(7), set()
    for place, order in enumerate(chance.sample(orders, many(12, len(orders)))):
        folder = tmp_path / str(place)
        folder.mkdir()
        left = [versions[each] for each in order]
        while left:
            size = chance.randint(1, 3)
            for _ in range(chance.choice((1, 1, 2))):
                load_said(folder / "credit", *left[:size])
            left = left[size:]
        company_days = itertools.product((ONE, TWO), (FIRST_DAY, SECOND_DAY, THIRD_DAY, LOADED))
        with closing(CreditData(folder / "credit")) as data:
            history = [data.company(number, day) for number, day in company_days]
        present = [held(folder / "credit", number) for number in (ONE, TWO)]
        assert [codes(each) for each in present] == [["2410"], []]
        found.add(str([each and (codes(each), gone(each)) for each in (*present, *history)]))
    assert len(found) == 1


def test_the_report_says_what_was_withdrawn_and_the_page_shows_it(folder: Path) -> None:
    load_said(folder, ORDER)
    load_said(folder, CORRECTED)
    company = held(folder, ONE)
    assert company is not None
    report = build(company, Group(), LOADED)
    assert report.Assessment is not None
    (shown,) = report.Assessment.Withdrawn
    assert (shown.Part, shown.Words, shown.Id, shown.Reason) == ("Notices", "Winding-up order", "4000001", "corrected")
    assert (shown.Day, shown.KnownSince, shown.WithdrawnOn) == (FIRST_DAY, FIRST_DAY, SECOND_DAY)
    page = str(compose(report, CONTACT))
    assert "Withdrawn or corrected" in page
    assert "The publisher says that it is about another company" in page


def test_a_past_report_can_be_made_as_it_was_known_then(folder: Path) -> None:
    """The order counts until its correction is known; then it is the other company's."""
    load_said(folder, ORDER)
    load_said(folder, CORRECTED)
    before = SECOND_DAY - dt.timedelta(days=1)
    with closing(CreditData(folder)) as data:
        assert data.company(ONE, FIRST_DAY - dt.timedelta(days=1)) is None  # the register is of a later day
        assert (codes(data.company(ONE, before)), data.company(TWO, before)) == (["2452"], None)
        assert (codes(data.company(ONE, SECOND_DAY)), codes(data.company(TWO, SECOND_DAY))) == ([], ["2452"])


def cases(folder: Path, *found: dict[str, Any]) -> None:
    load("insolvency", folder, write_json(folder.parent / f"{ONE}-insolvency.json", answer(*found, member="cases")))


def test_a_case_that_the_register_withdraws_ends_and_one_that_goes_on_does_not(folder: Path) -> None:
    further = CASE | {"dates": [*CASE["dates"], {"date": "2024-03-01", "type": "ordered-to-wind-up-on"}]}
    cases(folder, CASE)
    cases(folder, further)
    assert gone(held(folder, ONE)) == []
    cases(folder)
    company = held(folder, ONE)
    assert company is not None
    assert company.insolvency is not None
    assert company.insolvency.value == ()
    assert gone(company) == [("compulsory-liquidation", str(LOADED), str(LOADED), "withdrawn")]
    cases(folder, further)
    assert gone(held(folder, ONE)) == []


def test_a_data_set_of_the_version_before_is_read_and_extended(folder: Path) -> None:
    """Upgrades in place (docs/upgrading.md): nothing has to be loaded again."""
    load_said(folder, ORDER)
    entry = catalogue.read(folder).sources["gazette"]
    with closing(sqlite3.connect(folder / entry.file, isolation_level=None)) as old:
        old.executescript(
            "CREATE TABLE before (number TEXT NOT NULL, id TEXT NOT NULL, value BLOB NOT NULL, PRIMARY KEY (number, id));"
            "INSERT INTO before SELECT number, id, value FROM fact; DROP TABLE fact; ALTER TABLE before RENAME TO fact;"
            "PRAGMA user_version = 1;"
        )
    sources = catalogue.read(folder).sources | {"gazette": replace(entry, layout=1)}
    catalogue.update(folder, lambda kept: replace(kept, sources=sources))
    assert codes(held(folder, ONE)) == ["2452"]
    load_said(folder, CORRECTED, said(FIRST_DAY, id_="4000002"))
    assert codes(held(folder, ONE)) == ["2452"]
    assert gone(held(folder, ONE)) == [("2452", "2026-03-02", "2026-03-09", "corrected")]
    assert catalogue.read(folder).sources["gazette"].layout == 2
