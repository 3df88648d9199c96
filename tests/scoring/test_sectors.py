"""The base of a score is the failure rate of its sector (credit §4.3), and financial companies have none."""

import pytest

from credence.companies.facts.register import Activity
from credence.scoring.basis.sectors import SECTIONS, base_of
from credence.scoring.eligibility import Unscored
from credence.scoring.model import current_model
from credence.scoring.score import assess
from tests.scoring.companies import DAY, company
from tests.scoring.test_score import line, score_of, sound

MODEL = current_model()


def test_a_score_starts_at_the_rate_of_its_sector() -> None:
    """60 + 8 log2(odds / 199): construction 85.8 of 10,000, odds 116; professional 26.8, 372; national 52.4, 190."""
    bases = {
        code: line(score_of(company(activities=(Activity(code, ""),))), "base") for code in ("41100", "69201", "84110")
    }
    assert bases == {"41100": 54, "69201": 67, "84110": 59}


def test_rates_are_the_shares_of_insolvencies_over_the_shares_of_companies() -> None:
    """Construction has 3,803 of 22,903 insolvencies and 404 of 3,986 companies: 52.4 x 0.16605 / 0.10136 = 85.8."""
    assert MODEL.sectors.sections["F"] == 85.8
    assert (sum(MODEL.sectors.insolvencies.values()), sum(MODEL.sectors.companies.values())) == (22_903, 3_986)


def test_companies_of_all_sections_together_fail_little_more_often_than_the_nation() -> None:
    """Only sections too small for a rate of their own lift the mean, because few of their companies fail."""
    rates = MODEL.sectors
    each = [number * rates.sections.get(section, rates.national) for section, number in rates.companies.items()]
    assert rates.national <= sum(each) / sum(rates.companies.values()) < 1.06 * rates.national


@pytest.mark.parametrize("section", MODEL.sectors.divisions)
def test_the_base_says_whether_its_rate_is_of_the_sector(section: str) -> None:
    """All 21 sections: a rate of their own, or the words that too few of their companies fail."""
    division = f"{MODEL.sectors.divisions[section][0]:02}"
    base = base_of(company(activities=(Activity(f"{division}100", ""),)), MODEL.sectors)
    small = section in {"B", "O", "T", "U"}
    assert (base.words == SECTIONS[section]) is not small
    if small:
        assert (
            base.words
            == f"national rate; this sector has too few insolvencies for a rate of its own ({SECTIONS[section]})"
        )
        assert base.probability == pytest.approx(0.00524)


def test_a_holding_company_is_scored_with_a_reservation_and_a_lender_is_not() -> None:
    """64209 holds shares, 64205 shares of lenders, 64921 lends."""
    held = score_of(sound(activities=(Activity("64209", ""),)))
    assert "HOLDING" in [each.code for each in held.reservations]
    assert held.score <= 79
    for codes in (("64205",), ("64921",), ("64209", "64921")):
        assert isinstance(assess(sound(activities=tuple(Activity(code, "") for code in codes)), MODEL, DAY), Unscored)


def test_a_company_without_a_sector_has_the_national_rate_and_says_why() -> None:
    assert base_of(company(activities=()), MODEL.sectors).words == "national rate; the register gives no sector"
