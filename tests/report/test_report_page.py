"""docs/report.md says what the code does: every ratio with its definition, every alert, every event."""

from pathlib import Path

import pytest

from credence.report.build.alerts import RULES
from credence.report.build.formulas import FORMULAS
from credence.report.schema.accounts import Ratios
from credence.scoring.model import current_model

PAGE = (Path(__file__).parents[2] / "docs" / "report.md").read_text(encoding="utf-8")

JUDGEMENT = (Path(__file__).parents[2] / "docs" / "judgement.md").read_text(encoding="utf-8")

HEADINGS = {"DateOfAccounts", "Currency", "CompanyClass", "ConsAccounts", "NumEmployees"}


@pytest.mark.parametrize("name", FORMULAS)
def test_the_page_defines_every_ratio(name: str) -> None:
    assert f"| `{name}` | {FORMULAS[name].words} |" in PAGE


def test_every_ratio_that_is_sent_has_a_formula() -> None:
    assert set(Ratios.__struct_fields__) - HEADINGS - {"EmpRemuneration", "DirRemuneration"} == set(FORMULAS)


def test_the_page_lists_the_alert_rules() -> None:
    table = PAGE.partition("## Alerts")[2].partition("## ")[0]
    codes = [line.split("`")[1] for line in table.splitlines() if line.startswith("| `")]
    reserved = [code for code, rows in current_model().reservations.by_code.items() if rows[0].alert]
    assert codes == [rule.code for rule in RULES if rule.code not in reserved]
    assert all(f"| `{code}` |" in JUDGEMENT for code in reserved)
