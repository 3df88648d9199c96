"""A threat is cited as `threats A12`, and docs/threats.md lists every threat that is cited."""

import re
from functools import cache
from pathlib import Path

import pytest

from tools.remarks import own_files, remarks

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "threats.md"

_ID = r"[AEFIKLPT]\d{1,2}"
_CITED = rf"(?:{_ID}\b|R0|§\d[\d.]*)"
_CITATION = re.compile(rf"\b[Tt]hreats {_CITED}(?:(?:, and |, | and | or | to |-){_CITED})*")
_WORD = re.compile(rf"(?<![\w.=/-]){_ID}(?![\w/-])")

LISTED = frozenset(re.findall(rf"^\| ({_ID}) \|", PAGE.read_text(), re.MULTILINE))


@cache
def documentation() -> tuple[tuple[str, str], ...]:
    """Return the comments and docstrings of the source and the paragraphs of the pages, each with its place."""
    found: list[tuple[str, str]] = []
    for file in own_files(ROOT):
        if file == PAGE or not _WORD.search(file.read_text()):
            continue
        place = str(file.relative_to(ROOT))
        if file.suffix == ".md":
            prose = re.sub(r"```.*?```|`[^`\n]*`", "", file.read_text(), flags=re.DOTALL)
            found += ((place, paragraph) for paragraph in prose.split("\n\n"))
        else:
            found += ((f"{place}:{remark.line}", remark.text) for remark in remarks(file))
    return tuple(found)


def bare_citations(text: str) -> list[str]:
    """Return the threats that a text names without the word `threats` before them."""
    rest = _CITATION.sub("", " ".join(text.split()))
    return [word for word in _WORD.findall(rest) if word in LISTED]


def unlisted_citations(text: str) -> list[str]:
    """Return the threats that a text cites and docs/threats.md does not list."""
    citations = _CITATION.findall(" ".join(text.split()))
    return [cited for citation in citations for cited in re.findall(_ID, citation) if cited not in LISTED]


def test_the_page_of_threats_is_read() -> None:
    assert {"A12", "E5", "F10", "I12", "K8", "L9", "P17", "T16"} <= LISTED


def test_every_threat_is_cited_with_the_word_threats() -> None:
    assert [(place, bare) for place, text in documentation() if (bare := bare_citations(text))] == []


def test_every_threat_that_is_cited_is_listed() -> None:
    assert [(place, unknown) for place, text in documentation() if (unknown := unlisted_citations(text))] == []


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        ("Refuses it (D7, threats A12, L1 and §6).", []),
        ("Refuses it (threats K1 to K8; threats T1-T10).", []),
        ("Broken over a line (threats\n    A12).", []),
        ("An ES256 key, SHA A12x, /A12, a grade A.", []),
        ("Refuses it (A12).", ["A12"]),
        ("Refuses it (threats A12, D7, L1).", ["L1"]),
        ("L2, L3: the rest.", ["L2", "L3"]),
    ],
)
def test_a_bare_citation_is_found(text: str, bare: list[str]) -> None:
    assert bare_citations(text) == bare


def test_a_citation_of_an_unknown_threat_is_found() -> None:
    assert unlisted_citations("Refuses it (threats A12, A99 and L77, §6).") == ["A99", "L77"]
