"""Tags: the comments and docstrings that name a rule of the specification or a decision, `spec §7.3` or `D7`.

One `spec` may stand before several sections, as in `spec §4.3, §5.9 and §7`. A section of another document, such as an
RFC, is not a tag.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tools.remarks import is_source, remarks

_NUMBER = r"§\d+(?:\.\d+)*"
_SPECIFICATION = re.compile(rf"\bspec ({_NUMBER}(?:(?:,| and|, and) {_NUMBER})*)")
_DECISION = re.compile(r"\bD\d{1,3}\b")


@dataclass(frozen=True, slots=True, order=True)
class Tag:
    """A rule that a file names; `path` is relative to the project, `symbol` is a function, class or value, or ""."""

    rule: str
    path: str
    symbol: str


def find_tags(root: Path, folder: str) -> list[Tag]:
    """Return the tags of every source file below a folder, each once, in order."""
    found: set[Tag] = set()
    for file in (root / folder).rglob("*"):
        if is_source(file):
            path = file.relative_to(root).as_posix()
            found |= {Tag(rule, path, remark.symbol) for remark in remarks(file) for rule in tags_in(remark.text)}
    return sorted(found)


def tags_in(remark: str) -> Iterator[str]:
    """Yield the rules that a comment or docstring names."""
    joined = " ".join(remark.split())
    for match in _SPECIFICATION.finditer(joined):
        for number in re.findall(_NUMBER, match[1]):
            yield f"spec {number}"
    yield from _DECISION.findall(joined)
