"""The model card says what the shipped model is (credit §10)."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from credence.scoring.model import FILES, current_model
from tests.architecture.imports import ROOT
from training.card import folders

CARD = (ROOT / "docs" / "model-card.md").read_text(encoding="utf-8")


def test_a_card_for_the_docs_is_the_served_one_too(tmp_path: Path) -> None:
    served = ROOT / "src" / "credence" / "scoring" / "card"
    assert folders(ROOT / "docs") == (ROOT / "docs", served)
    assert folders(tmp_path / "docs") == (tmp_path / "docs",)


def test_the_card_is_of_the_model_that_ships() -> None:
    """A changed file of the model changes its hash: write the card again (python -m training validate --card docs)."""
    model = current_model()
    assert model.hash in CARD
    assert f"Version {model.version}" in CARD


def test_every_range_of_every_factor_stands_on_the_card() -> None:
    model = current_model()
    for table in (*model.ratios, model.conduct):
        for factor in table.factors:
            assert CARD.count(f"| {factor.words} |") >= len(factor.bins)


@pytest.mark.parametrize("name", ["full", "short"])
def test_the_command_fits_the_tables_that_ship(name: str, tmp_path: Path) -> None:
    answer = subprocess.run(
        [sys.executable, "-m", "training", "train", str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert answer.returncode == 0, answer.stderr
    fitted = json.loads((tmp_path / FILES[name]).read_text())
    shipped = ROOT / "src" / "credence" / "scoring" / "data" / FILES[name]
    assert fitted == json.loads(shipped.read_text())
