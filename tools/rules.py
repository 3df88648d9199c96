"""The rules of the project, read from its two contract texts: `docs/specification.md` and `docs/spec-decisions.md`.

What a section says is counted in the form it has: its numbered items, else the rows of its tables, else the section as
one. So `spec §5.3` is the third item of section 5, `spec §7.3` the third row of the table in section 7, and `spec §4.1`
all of section 4.1. A decision is one rule under its own number.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_HEADING = re.compile(r"#{2,3} (\d+(?:\.\d+)*)\.? (.+)")
_ITEM = re.compile(r"(\d+)\. (.+)")
_DECISION = re.compile(r"- \*\*(D\d+) (.+?)\.?\*\*")


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule. A tag means it by its `id`, or together with its neighbours by `whole`."""

    id: str
    whole: str
    """The section, when the rule is a row of its table: one value or one test often holds a whole table."""
    section: str
    """The heading it stands under."""
    text: str


@dataclass(frozen=True, slots=True)
class _Section:
    number: str
    title: str
    lines: list[str]


def read_specification(text: str) -> list[Rule]:
    """Return the rules of the specification in its order."""
    return [rule for section in _sections(text) for rule in _rules(section)]


def read_decisions(text: str) -> list[Rule]:
    """Return the decisions in the order of their numbers."""
    found = (_DECISION.match(line) for line in text.splitlines())
    rules = [Rule(match[1], match[1], "Decisions", match[2]) for match in found if match]
    return sorted(rules, key=lambda rule: int(rule.id[1:]))


def _sections(text: str) -> list[_Section]:
    sections: list[_Section] = []
    for line in text.splitlines():
        if heading := _HEADING.fullmatch(line):
            sections.append(_Section(heading[1], heading[2], []))
        elif sections and line.strip():
            sections[-1].lines.append(line)
    return sections


def _rules(section: _Section) -> Iterator[Rule]:
    whole = f"spec §{section.number}"
    heading = f"{section.number} {section.title}"
    items = [match for line in section.lines if (match := _ITEM.fullmatch(line))]
    if items:
        for item in items:
            yield Rule(f"{whole}.{item[1]}", f"{whole}.{item[1]}", heading, item[2])
        return
    rows = list(_rows(section.lines))
    for number, cells in enumerate(rows, start=1):
        yield Rule(f"{whole}.{number}", whole, heading, " · ".join(cells))
    if section.lines and not rows:
        yield Rule(whole, whole, heading, section.title)


def _rows(lines: list[str]) -> Iterator[list[str]]:
    """Yield the cells of each row below the dashes of a table."""
    within = False
    for line in lines:
        if not line.startswith("|"):
            within = False
        elif set(line) <= set("|-: "):
            within = True
        elif within:
            yield [cell.strip() for cell in line.strip("|").split("|")]
