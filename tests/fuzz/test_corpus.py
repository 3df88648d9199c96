"""Every input of the corpus, mended findings among them, is read or refused as documented."""

from pathlib import Path

import pytest

from credence.oauth.dpop.memory import ProofMemory
from credence.oauth.dpop.proof import check
from tests.fuzz.__main__ import NAMES
from tests.fuzz.parsers import CORPUS, PARSERS, PROOF_FOR, PROOF_KEY, PROOF_TIME

INPUTS = sorted(CORPUS.glob("*/*"))

REFUSED = {
    "basic/no-colon": "a field without the colon between name and secret (RFC 7617 section 2)",
    "dpop/other-key": "a proof for another method and address (RFC 9449 section 4.3)",
    "form/broken": "a percent sign without two hexadecimal digits",
    "ixbrl/other-encoding": "a page without a fact",
    "ixbrl/plain": "an instance without the date of its balance sheet",
    "json/duplicate": "a name twice (threats P2)",
    "json/nested": "deeper than five levels (D16)",
    "xml/cdata": "a CDATA section, a comment and a processing instruction (threats P4)",
    "xml/entity": "a document type declaration (threats P4)",
}
"""Inputs that no reader takes, and why."""


def test_every_parser_has_a_corpus() -> None:
    assert {each.parent.name for each in INPUTS} == set(PARSERS) == set(NAMES)


@pytest.mark.parametrize("file", INPUTS, ids=lambda file: f"{file.parent.name}/{file.name}")
def test_an_input_of_the_corpus_is_read_unless_it_breaks_a_rule(file: Path) -> None:
    was_read = PARSERS[file.parent.name](file.read_bytes())
    assert was_read == (f"{file.parent.name}/{file.name}" not in REFUSED)


def test_the_proof_of_the_corpus_is_genuine() -> None:
    text = (CORPUS / "dpop" / "genuine").read_text()
    assert check(ProofMemory(), PROOF_KEY, text, PROOF_FOR, PROOF_TIME).algorithm == "ES256"
