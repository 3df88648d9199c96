"""`docs/patterns.md`: what the pattern screen refuses and why, and how it fares on attacks and on innocent values (D17)."""

import csv
import io
import tomllib
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from credence.refusals.refusal import Refused
from credence.screening.patterns import AttackPattern, load_rules, screen

SAMPLE = Path("src/credence/sandbox/data/register-sample-2020-05-01.zip")

_PAGE = """\
# Patterns

Made from `screening/patterns.toml` and the corpora in `tests/guard` by `python -m tools.generate`.

Values are screened after decoding: of the path, the query, client_id and grant_type, and every member of a body but secrets.
RE2 runs all patterns at once in time linear in the value. The screen is a second line: values are bound, escaped and opaque
without it.

## How it fares

The attacks are other values than the examples of the rules, yet the rules have learnt from them: of the newest 94, the
rules as they stood before refused 89, and were widened for four of the rest.

| attacks | refused | passed |
|---|---|---|
{attacks}

| innocent values | refused | values |
|---|---|---|
{innocent}

## The rules

| rule | kind | why | refuses, for one | spares, for one |
|---|---|---|---|---|
{rules}
"""


def render(root: Path) -> str:
    """Return the page."""
    attacks = _corpus(root / "tests" / "screening" / "attacks.toml")
    innocent = _corpus(root / "tests" / "screening" / "innocent.toml")
    innocent["names, addresses and activities of 4,537 companies of the register"] = list(_register(root / SAMPLE))
    return _PAGE.format(
        attacks="\n".join(_attacks_row(kind, values) for kind, values in attacks.items()),
        innocent="\n".join(f"| {kind} | {_refused(values)} | {len(values):,} |" for kind, values in innocent.items()),
        rules="\n".join(_rule_row(rule) for rule in load_rules()),
    )


def _corpus(file: Path) -> dict[str, list[str]]:
    return dict(tomllib.loads(file.read_text("utf-8")))


def _register(sample: Path) -> Iterator[str]:
    with zipfile.ZipFile(sample) as archive:
        text = archive.read(archive.namelist()[0]).decode("utf-8")
    for row in csv.DictReader(io.StringIO(text)):
        for column, value in row.items():
            if value and ("CompanyName" in column or column.startswith(("RegAddress.", "SICCode."))):
                yield value


def _attacks_row(kind: str, values: list[str]) -> str:
    passed = [value for value in values if not _is_refused(value)]
    return f"| {kind} | {len(values) - len(passed)} of {len(values)} | {', '.join(map(_code, passed)) or 'none'} |"


def _rule_row(rule: AttackPattern) -> str:
    return f"| {rule.name} | {rule.kind} | {rule.why} | {_code(rule.refuses[0])} | {_code(rule.spares[0])} |"


def _refused(values: Iterable[str]) -> int:
    return sum(map(_is_refused, values))


def _is_refused(value: str) -> bool:
    try:
        screen(value)
    except Refused:
        return True
    return False


def _code(text: str) -> str:
    """Return text as code in a cell of a table."""
    shown = text.encode("unicode_escape").decode() if not text.isprintable() else text
    fence = "``" if "`" in shown else "`"
    pad = " " if "`" in shown else ""
    return f"{fence}{pad}{shown.replace('|', chr(92) + '|')}{pad}{fence}"
