"""Every input of the corpus, mended findings among them, is read or refused as documented."""

from pathlib import Path

import pytest

from credence.oauth.dpop.memory import ProofMemory
from credence.oauth.dpop.proof import check
from tests.fuzz.__main__ import NAMES
from tests.fuzz.parsers import CORPUS, PARSERS, PROOF_FOR, PROOF_KEY, PROOF_TIME

INPUTS = sorted(CORPUS.glob("*/*"))


def test_every_parser_has_a_corpus() -> None:
    assert {each.parent.name for each in INPUTS} == set(PARSERS) == set(NAMES)


@pytest.mark.parametrize("file", INPUTS, ids=lambda file: f"{file.parent.name}/{file.name}")
def test_an_input_of_the_corpus_is_read_or_refused(file: Path) -> None:
    PARSERS[file.parent.name](file.read_bytes())


def test_the_proof_of_the_corpus_is_genuine() -> None:
    text = (CORPUS / "dpop" / "genuine").read_text()
    assert check(ProofMemory(), PROOF_KEY, text, PROOF_FOR, PROOF_TIME).algorithm == "ES256"
