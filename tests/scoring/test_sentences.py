"""The sentences of a score: each states its value and its day, and none speaks in the present tense (credit §10)."""

import datetime as dt
import re
from typing import Any

import msgspec
import pytest

from credence.companies.facts.company import Company
from credence.companies.facts.register import AccountsFiling
from credence.scoring.model import current_model
from credence.scoring.score import score_company
from credence.scoring.sentences import Line, sentence
from tests.scoring.companies import DAY, SOUND, accounts, case, company, figures, notice

OLD = dt.date(2020, 5, 1)
_PRESENT = re.compile(r"\b(is|are|has|have|covers?|carry|carries|outweighs?)\b")


def lines_of(subject: Company, today: dt.date = DAY) -> dict[str, Line]:
    score = score_company(subject, today).score
    assert score
    return {line.code: line for line in score.lines}


@pytest.mark.parametrize(
    ("code", "unit", "value", "said"),
    [
        ("later-liabilities", "ratio", 0.291, "Liabilities other than short-term creditors were 29% of total assets."),
        ("cash-ratio", "ratio", 0.06, "Cash covered 6% of what was due within a year."),
        ("cash-ratio", "ratio", 0.0634, "Cash covered 6.3% of what was due within a year."),
        ("cash-ratio", "ratio", 0.0001, "Cash covered less than 0.1% of what was due within a year."),
        ("cash-ratio", "ratio", 0, "Cash covered 0% of what was due within a year."),
        ("cash-ratio", "ratio", 2.44, "Cash covered 2.4 times what was due within a year."),
        ("working-capital", "ratio", -0.3, "Short-term creditors exceeded current assets by 30% of total assets."),
        ("equity", "ratio", -2.5, "Net liabilities were 2.5 times total assets."),
        ("change-in-net-assets", "share", -0.12, "Net assets fell by 12% of total assets in the year to 1 May 2020."),
        ("change-in-net-assets", "share", 0, "Net assets did not change in the year to 1 May 2020."),
        ("accounts-overdue", "days", 0, "The accounts were not overdue on 1 May 2020."),
        ("accounts-overdue", "days", 1, "The accounts were 1 day overdue on 1 May 2020."),
        ("age", "months", 23.9, "The company had been on the register for 23 months."),
        ("age", "months", 24.02, "The company had been on the register for 2 years."),
        ("charges", "count", 3, "Charges outstanding on 1 May 2020, which rank before a trade creditor: 3."),
        ("of-another-table", "ratio", -1234.5, "Words of it: \u22121,234.50."),
    ],
)
def test_a_sentence_states_its_value_and_its_day(code: str, unit: str, value: float, said: str) -> None:
    assert sentence(code, "Words of it", unit, value, OLD) == said


def test_every_factor_of_every_table_has_a_sentence_in_the_past_tense() -> None:
    model = current_model()
    for table in (*model.ratios, model.conduct):
        for factor in table.factors:
            for value in (-0.5, 0, 0.5, 7):
                said = sentence(factor.code, factor.words, factor.unit, value, OLD)
                assert not _PRESENT.search(said.replace("which rank before", "")), said


def test_every_legal_rule_speaks_of_its_own_day() -> None:
    for rule in (*current_model().legal.failures, *current_model().legal.ceilings):
        assert "{day}" in rule.sentence
        assert ("{at_most}" in rule.sentence) is (rule.at_most > 0)


def test_ratios_are_of_the_balance_sheet_and_an_age_of_the_day_of_judgement() -> None:
    before = figures(**{**SOUND, "net_assets": 60_000})
    found = lines_of(company(accounts(figures(**SOUND), before), as_of=dt.date(2026, 10, 1)))
    sheet, register = dt.date(2026, 3, 31), dt.date(2026, 10, 1)
    assert {found[code].day for code in ("cash-ratio", "reserves", "change-in-net-assets")} == {sheet}
    assert {found[code].day for code in ("accounts-overdue", "confirmation-overdue", "charges")} == {register}
    assert found["age"].day == DAY
    assert found["change-in-net-assets"].sentence == (
        "Net assets rose by 10% of total assets in the year to 31 March 2026."
    )


@pytest.mark.parametrize("failed", [{"contradictions": ("equity",)}, {"balanced": False}])
def test_the_change_since_a_year_that_fails_a_check_counts_for_nothing(failed: dict[str, Any]) -> None:
    filed = accounts(figures(**SOUND), figures(**{**SOUND, "net_assets": 60_000}))
    newest, before = filed.periods
    filed = msgspec.structs.replace(filed, periods=(newest, msgspec.structs.replace(before, **failed)))
    assert "change-in-net-assets" not in lines_of(company(filed))


def test_an_old_due_date_is_judged_on_the_register_s_day_and_said_so() -> None:
    """A snapshot of 2020 with accounts due in 2021: they were not overdue then; today nobody knows."""
    filed = AccountsFiling(next_due=dt.date(2021, 1, 31))
    line = lines_of(company(as_of=OLD, accounts=filed))["accounts-overdue"]
    assert line.sentence == "The accounts were not overdue on 1 May 2020."


def test_a_ceiling_names_its_day_and_the_score_it_allows() -> None:
    day = dt.date(2026, 10, 10)
    said = "A petition of 10 October 2026 to wind the company up limits the score to 29."
    for found in (company(notices=(notice("2450", day),)), company(cases=(case("x", ("petitioned-on", day)),))):
        assert lines_of(found)["ceiling.petition"].sentence == said


def test_a_status_is_of_the_register_s_day() -> None:
    line = lines_of(company(status="In Administration", as_of=OLD))["failed.administration"]
    assert (line.sentence, line.day) == ("The company was in administration on 1 May 2020.", OLD)


def test_no_reason_of_an_old_company_is_in_the_present_tense() -> None:
    subject = company(accounts(figures(**SOUND), end=dt.date(2019, 12, 31)), as_of=OLD)
    score = score_company(subject, DAY).score
    assert score
    assert score.reasons
    for line in score.reasons:
        assert not _PRESENT.search(line.sentence), line.sentence


def test_the_base_has_the_day_of_its_rates_and_other_lines_that_of_their_facts() -> None:
    """credit §10: the score names the day of each of its inputs."""
    assert lines_of(company())["base"].day == current_model().sectors.as_of
    assert msgspec.structs.asdict(lines_of(company())["age"])["day"] == DAY
