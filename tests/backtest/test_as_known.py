"""A company is scored as it could be known on the day: what is a day later has no effect."""

import datetime as dt
from pathlib import Path
from typing import Any

import pytest

from credence.backtest.cohort import readable
from credence.backtest.loading import KNOWN
from credence.backtest.run import COHORT
from credence.backtest.share import Facts, as_known, cases_by
from credence.companies.facts.company import Provenance
from credence.companies.facts.events import InsolvencyCase
from credence.datasets import catalogue
from credence.datasets.fact_kinds import INSOLVENCY
from credence.datasets.fact_reader import FactReader
from tests.backtest.planted import AT, Planted, accounts, measured, order
from tests.datasets.sources.hand_written import feed, write_json
from tests.scoring.companies import case, entry

ONE = "00000001"
COMPANIES = [Planted(ONE, late=False, failed=False), Planted("00000002", late=True, failed=True)]


def observed(folder: Path, **files: Any) -> tuple[int, str]:
    """Return score and tables of ratios of the first company."""
    measured(folder, COMPANIES, **files)
    with readable(folder / "backtest" / COHORT) as rows:
        (found,) = rows.execute("SELECT score, ratios FROM member WHERE number = ?", (ONE,)).fetchall()
    return tuple(found)


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> tuple[int, str]:
    return observed(tmp_path_factory.mktemp("plain"))


def test_a_filing_vanishes_when_its_day_moves_past_the_day(plain: tuple[int, str], tmp_path: Path) -> None:
    known = accounts(tmp_path / f"Accounts_Bulk_Data-{AT}.zip", ONE)
    later = accounts(tmp_path / f"Accounts_Bulk_Data-{AT + dt.timedelta(days=1)}.zip", ONE)
    score, ratios = observed(tmp_path / "known", accounts=[known])
    assert plain[1] == "no ratios"
    assert ratios == "short"
    assert score < plain[0]
    assert observed(tmp_path / "later", accounts=[later]) == plain


def test_a_notice_counts_on_its_day_and_not_before(plain: tuple[int, str], tmp_path: Path) -> None:
    def petition(day: dt.date) -> list[Path]:
        entry = order(ONE, day.isoformat(), "2450")
        presented = "presented on 1 April 2026 by OTHER SUPPLIES LTD (Company Number 00000002), of Welwyn"
        entry["content"] = (
            f"<p>A Petition to wind up the above-named company of PLACEHOLDER LTD ({ONE}) of Leeds, {presented}</p>"
        )
        return [feed(tmp_path / f"gazette-{day}.json", entry)]

    assert observed(tmp_path / "known", notices=petition(AT))[0] == 29
    assert observed(tmp_path / "later", notices=petition(AT + dt.timedelta(days=1))) == plain


def test_that_cases_were_asked_for_says_nothing(plain: tuple[int, str], tmp_path: Path) -> None:
    """Cases are asked for where something happened, here three months after the day."""
    answer = {
        "cases": [
            {
                "number": "1",
                "type": "creditors-voluntary-liquidation",
                "dates": [{"type": "wound-up-on", "date": "2026-08-03"}],
            }
        ]
    }
    file = write_json(tmp_path / f"{ONE}-insolvency.json", answer)
    assert observed(tmp_path / "asked", cases=[file]) == plain
    known = tmp_path / "asked" / "backtest" / KNOWN
    stored = catalogue.read(known).sources["insolvency"]
    cases = FactReader[InsolvencyCase](known / stored.file, INSOLVENCY)
    assert cases.read(ONE).facts
    about = Provenance("made up", AT)
    assert as_known(entry(number=ONE), about, Facts(cases=(cases, about)), AT).insolvency is None
    cases.close()


def test_accounts_from_before_the_incorporation_are_of_another_company(tmp_path: Path) -> None:
    """The balance sheet is of 31 December 2025: the number belonged to somebody else then."""
    from tests.backtest import planted

    young = planted.SOUND | {"IncorporationDate": "05/01/2026"}
    known = accounts(tmp_path / f"Accounts_Bulk_Data-{AT}.zip", ONE)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(planted, "SOUND", young)
        assert observed(tmp_path / "young", accounts=[known])[1] == "no ratios"


def test_a_case_has_its_steps_up_to_the_day() -> None:
    begun, ended = dt.date(2025, 6, 2), dt.date(2026, 6, 1)
    arrangement = case("corporate-voluntary-arrangement", ("made-on", begun), ("voluntary-arrangement-ended-on", ended))
    planned = case("compulsory-liquidation", ("due-to-be-dissolved-on", dt.date(2026, 1, 5)))
    (found,) = cases_by([arrangement, planned], dt.date.min, AT)
    assert [step.date for step in found.dates] == [begun]
    assert cases_by([arrangement], dt.date(2026, 1, 1), AT) == []
