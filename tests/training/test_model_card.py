"""The model card describes the shipped model, and the command fits the shipped tables (credit §10)."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from credence.scoring.basis.sectors import SECTIONS
from credence.scoring.model import FILES, RATIO_TABLES, current_model
from tests.architecture.imports import ROOT
from tests.training.inputs import when_inputs_change
from training.card import folders
from training.targets import LEAST_AUC, MISSED

CARD = (ROOT / "docs" / "model-card.md").read_text(encoding="utf-8")


def test_a_card_written_to_the_docs_is_also_written_to_the_package(tmp_path: Path) -> None:
    served = ROOT / "src" / "credence" / "scoring" / "card"
    assert folders(ROOT / "docs") == (ROOT / "docs", served)
    assert folders(tmp_path / "docs") == (tmp_path / "docs",)


def test_the_card_is_of_the_model_that_ships() -> None:
    """A change of any file of the model changes its hash; `make model-card` writes the card again."""
    model = current_model()
    assert model.hash in CARD
    assert f"Version {model.version}" in CARD


def test_every_range_of_every_factor_is_on_the_card() -> None:
    model = current_model()
    for table in (*model.ratios, model.conduct):
        for factor in table.factors:
            assert CARD.count(f"| {factor.words} |") >= len(factor.bins)


def test_card_and_documents_say_which_targets_are_missed_and_by_how_much() -> None:
    """The card has the row of every target; the two that are missed are missed in every document that tells of them."""
    rows = [line.strip("| ").split(" | ") for line in CARD.splitlines() if line.endswith((" | yes |", " | no |"))]
    assert len(rows) == 13
    assert {row[0]: round(float(row[2]), 3) for row in rows if row[3] == "no"} == MISSED
    for page in ("model-card.md", "credit.md", "adr/score.md"):
        text = (ROOT / "docs" / page).read_text(encoding="utf-8")
        for measure, figure in MISSED.items():
            least = LEAST_AUC[measure.partition(":")[0]]
            assert f"{figure} where {least} was the target, which is missed" in text, page


def test_the_card_has_the_base_rate_of_every_section_or_says_why_it_has_none() -> None:
    rates = current_model().sectors
    for section, title in SECTIONS.items():
        published = rates.sections.get(section)
        words = f"{published:g}" if published else f"{rates.national:g}, national rate; fewer than 50 insolvencies"
        counts = f"{rates.insolvencies[section]:,} | {rates.companies[section]:,}"
        assert f"| {section} | {title} | {counts} | {words} |" in CARD


@when_inputs_change
@pytest.mark.parametrize("name", RATIO_TABLES)
def test_the_command_fits_the_shipped_tables(name: str, tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-m", "training", "train", str(tmp_path)], cwd=ROOT, check=True)
    fitted = json.loads((tmp_path / FILES[name]).read_text())
    shipped = ROOT / "src" / "credence" / "scoring" / "data" / FILES[name]
    assert fitted == json.loads(shipped.read_text())
