"""The industry tables of the Insolvency Service become the rates of the sectors (docs/measure-the-score.md)."""

import datetime as dt
from pathlib import Path

import pytest

from credence.scoring.basis.sectors import SECTIONS
from credence.scoring.model import current_model
from training.sectors import RATES, as_toml, count_companies, read_insolvencies

REGISTER_SAMPLE = Path("src/credence/sandbox/data/register-sample-2020-05-01.zip")
COUNTS = Path("training/data/insolvencies-by-section-2026-05.csv")


def test_the_shipped_rates_are_those_of_the_shipped_counts_and_of_the_sample_of_the_register() -> None:
    text, rates = RATES.read_text(encoding="utf-8"), current_model().sectors
    counted = count_companies(REGISTER_SAMPLE, rates.section_of_division)
    assert as_toml(text, read_insolvencies(COUNTS), counted, dt.date(2026, 5, 31)) == text


def test_a_snapshot_is_counted_by_the_first_activity_of_companies_of_england_and_wales(tmp_path: Path) -> None:
    """Scottish companies, those in liquidation and codes of SIC 2003 do not count."""
    snapshot = tmp_path / "register.csv"
    rows = ("00000001,Active,41100 - Building", "SC000001,Active,41100 - Building", "OC000001,Active,62012 - Software")
    more = ("00000002,Liquidation,41100 - Building", "00000003,Active,4521 - Building", "00000004,Active,None Supplied")
    snapshot.write_text("\n".join((" CompanyNumber,CompanyStatus,SICCode.SicText_1", *rows, *more)))
    counted = count_companies(snapshot, current_model().sectors.section_of_division)
    assert {section: number for section, number in counted.items() if number} == {"F": 1, "J": 1}


@pytest.mark.parametrize(("left_out", "added"), [("U,0\n", ""), ("", "A,5\n"), ("U,0\n", "V,0\n"), ("U,0\n", "U,-1\n")])
def test_a_table_that_is_not_of_the_21_sections_is_refused(tmp_path: Path, left_out: str, added: str) -> None:
    table = "section,insolvencies\n" + "".join(f"{section},0\n" for section in SECTIONS)
    file = tmp_path / "table.csv"
    file.write_text(table)
    assert set(read_insolvencies(file).values()) == {0}
    file.write_text(table.replace(left_out, "") + added)
    with pytest.raises(ValueError, match=r"table\.csv"):
        read_insolvencies(file)
