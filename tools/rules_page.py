"""`docs/rules.md`: each rule of the contract with its code and its tests, and what is wrong with that map."""

import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from tools.rules import Rule, read_decisions, read_specification
from tools.tags import Tag, find_tags

WITHOUT_CODE = "docs/rules-without-code.toml"
_LONGEST_TEXT = 110

_HEAD = """\
# Rules: where each one is kept

Each rule of [the specification](specification.md) and each [decision](spec-decisions.md) with the code that enacts it and
the tests that would fail without it. Made by `python -m tools.generate` from tags in comments and docstrings; a rule
without code or test, or a tag that names no rule, fails the build.

- **Counting.** A section counts in the form it has: its numbered items (`spec §5.3` is the third item of section 5), else
  the rows of its tables (`spec §7.3` is the third row of the table in section 7, `spec §2.2.1` the first of 2.2), else the
  section as one (`spec §4.1`). A decision counts as one, `D7`.
- **Covering.** A tag of a section with a table covers all its rows. Numbered items are named one by one.
- **Tests** are counted in files named `test_*.py`. A tag in the docstring of a file speaks for the whole file.
- Rules that can have no code stand in [rules-without-code.toml](rules-without-code.toml) with the reason.
"""


@dataclass(frozen=True, slots=True)
class RuleMap:
    """The rules of a project, its tags, and why some rules have no code."""

    rules: Sequence[Rule]
    code: Sequence[Tag]
    tests: Sequence[Tag]
    """Of every file under tests/, also of those that hold no test."""
    without_code: dict[str, str]


def read_rule_map(root: Path) -> RuleMap:
    """Read contract, tags and exceptions of the project at `root`."""
    docs = root / "docs"
    rules = read_specification((docs / "specification.md").read_text(encoding="utf-8"))
    rules += read_decisions((docs / "spec-decisions.md").read_text(encoding="utf-8"))
    without_code = tomllib.loads((root / WITHOUT_CODE).read_text(encoding="utf-8"))
    return RuleMap(rules, find_tags(root, "src"), find_tags(root, "tests"), without_code)


def problems(rule_map: RuleMap) -> list[str]:
    """Return one line for each rule without code or test, each tag without a rule, and each needless exception."""
    known = {name for rule in rule_map.rules for name in (rule.id, rule.whole)}
    found = []
    for rule in rule_map.rules:
        code, tests = _of(rule, rule_map.code), _of(rule, _real_tests(rule_map))
        if rule.id in rule_map.without_code:
            found += [f"{rule.id} has code, yet {WITHOUT_CODE} lists it"] if code else []
            continue
        found += [] if code else [f"{rule.id} has no code: {_short(rule.text)}"]
        found += [] if tests else [f"{rule.id} has no test: {_short(rule.text)}"]
    for tag in (*rule_map.code, *rule_map.tests):
        if tag.rule not in known:
            found.append(f"{_place(tag)} names {tag.rule}, which is no rule")
    found += [f"{WITHOUT_CODE} names {name}, which is no rule" for name in rule_map.without_code if name not in known]
    return found


def render(rule_map: RuleMap) -> str:
    """Return the page."""
    parts = [_HEAD]
    for section, rules in groupby(rule_map.rules, key=lambda rule: rule.section):
        listed = list(rules)
        parts += [f"## {section}\n", *_whole(listed[0], rule_map)]
        parts += ["| Rule | What it says | Code | Tests |\n|---|---|---|---|"]
        parts += [*(_row(rule, rule_map) for rule in listed), ""]
    return "\n".join(parts)


def _whole(first: Rule, rule_map: RuleMap) -> list[str]:
    """Return what is said of a table as a whole, once, instead of in each of its rows."""
    if first.whole == first.id:
        return []
    code, tests = (_places(_named(first.whole, tags)) for tags in (rule_map.code, _real_tests(rule_map)))
    lines = [
        f"- {kind} of all rows ({first.whole}): {places}"
        for kind, places in (("Code", code), ("Tests", tests))
        if places
    ]
    return [*lines, ""] if lines else []


def _row(rule: Rule, rule_map: RuleMap) -> str:
    reason = rule_map.without_code.get(rule.id)
    if reason is not None:
        return f"| {rule.id} | {_cell(rule.text)} | *none: {reason}* | |"
    return (
        f"| {rule.id} | {_cell(rule.text)} | {_column(rule, rule_map.code)} | {_column(rule, _real_tests(rule_map))} |"
    )


def _column(rule: Rule, tags: Sequence[Tag]) -> str:
    own = _places(_named(rule.id, tags), "<br>")
    return own or ("*as all rows*" if _named(rule.whole, tags) else "**missing**")


def _of(rule: Rule, tags: Iterable[Tag]) -> list[Tag]:
    return [tag for tag in tags if tag.rule in (rule.id, rule.whole)]


def _named(name: str, tags: Iterable[Tag]) -> list[Tag]:
    return [tag for tag in tags if tag.rule == name]


def _real_tests(rule_map: RuleMap) -> list[Tag]:
    return [tag for tag in rule_map.tests if Path(tag.path).name.startswith("test_")]


def _places(tags: Iterable[Tag], between: str = ", ") -> str:
    shown = {_place(tag).removeprefix("src/credence/").removeprefix("tests/"): tag.path for tag in tags}
    return between.join(f"[{name}](../{path})" for name, path in shown.items())


def _place(tag: Tag) -> str:
    return f"{tag.path}::{tag.symbol}" if tag.symbol else tag.path


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST_TEXT else text[:_LONGEST_TEXT].rsplit(" ", 1)[0] + " …"


def _cell(text: str) -> str:
    return _short(text).replace("<", "&lt;")
