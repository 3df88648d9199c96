"""The companies of January 2024: complete, without names, and measured as the model card says."""

import subprocess
import sys
from collections import Counter
from pathlib import Path

import msgspec

from credence.backtest.answer import Answer
from tests.architecture.imports import ROOT
from training.uk_cohort import rows


def test_the_export_is_complete_and_has_no_names() -> None:
    """Every company of a week has a number, and they are given in order: what was left out would be a gap."""
    companies = list(rows())
    assert set(companies[0]) == {"number", "type", "incorporated", "dissolved", "status", "activities"}
    numbers = sorted(int(each["number"]) for each in companies if each["number"].isdigit())
    assert numbers[-1] - numbers[0] + 1 - len(numbers) == 3
    assert Counter(each["status"] for each in companies)["Dissolved"] == 1_413


def test_the_commands_of_the_page_give_the_figures_of_the_page(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "measure-the-score.md").read_text(encoding="utf-8")
    _, _, section = page.partition("## A first measurement")
    block = section.split("```")[1].replace("cohort/", f"{tmp_path}/")
    for line in block.strip().splitlines():
        program, *rest = line.replace("python -m", "-m").replace("credence score", "-m credence score").split()
        subprocess.run([sys.executable, program, *rest], cwd=ROOT, check=True, capture_output=True)
    found = msgspec.json.decode((tmp_path / "backtest" / "answer.json").read_bytes(), type=Answer)
    card = (ROOT / "docs" / "model-card.md").read_text(encoding="utf-8")
    assert found.outcomes["receivership"] == 1
    assert found.calibration is not None
    whole, ends = found.calibration.all, found.area_of_dissolution
    assert sum(found.outcomes.values()) + sum(found.excluded.values()) == 16_305
    for words in (
        f"| scored, a month old | {sum(found.outcomes.values()):,} |",
        f"| insolvencies expected | {whole.expected:.2%}, which is {whole.expected * whole.companies:.0f} |",
        f"| insolvencies observed | {whole.observed:.4%} (95 % interval {whole.low:.4%} to {whole.high:.4%}) |",
        f"{ends.auc:.3f} ({ends.low:.3f} to {ends.high:.3f}) |",
    ):
        assert words in card
