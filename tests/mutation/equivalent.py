"""Mutants that were looked at and change nothing that a caller could notice, with the reason for each."""

import re
import tomllib
from functools import cache
from pathlib import Path

from tests.mutation.mutant import Mutant

LIST = Path(__file__).with_suffix(".toml")

_STATEMENT = re.compile(r'"((?:DELETE|INSERT|PRAGMA|SELECT|UPDATE|WITH)\b[^"]*)"')
"""SQL in one literal."""

_ENCODING = re.compile(r'(?<=encoding=")[a-z0-9-]+')


def reason_of(mutant: Mutant) -> str | None:
    """Return why a mutant changes nothing, if it is in the list or follows from a language."""
    return _reasons().get((mutant.path, mutant.before, mutant.after)) or _of_language(mutant.before, mutant.after)


def _of_language(before: str, after: str) -> str | None:
    for statement in _STATEMENT.findall(before):
        values = re.findall("'[^']*'", statement)
        same = [statement.lower()] if all(value.islower() for value in values) else []
        same += [] if values else [statement.upper()]
        if after in (before.replace(statement, each) for each in same):
            return "SQL has no capital letters outside quotation marks."
    if after == _ENCODING.sub(lambda name: name[0].upper(), before):
        return "Capital letters in the name of an encoding say nothing."
    return None


@cache
def _reasons() -> dict[tuple[str, str, str], str]:
    entries = tomllib.loads(LIST.read_text()).get("mutant", [])
    return {(each["file"], each["before"], each["after"]): each["reason"] for each in entries}
