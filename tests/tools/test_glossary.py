"""The glossary uses the names of the code, and each term once."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]

ROWS = re.findall(
    r"^\| ([^|]+) \| [^|]+ \| `([\w.]+)` \| [^|]+ \|$", (ROOT / "docs" / "glossary.md").read_text(), re.MULTILINE
)


def test_every_name_of_the_glossary_is_in_the_code() -> None:
    source = "\n".join(file.read_text(encoding="utf-8") for file in (ROOT / "src").rglob("*.py"))
    assert len(ROWS) > 50
    assert [name for _, name in ROWS if not re.search(rf"(?<![a-zA-Z]){re.escape(name)}(?![a-zA-Z])", source)] == []


def test_every_term_is_explained_once() -> None:
    terms = [term for term, _ in ROWS]
    assert sorted(set(terms)) == sorted(terms)
