"""Mutants that were looked at and change nothing that a caller could notice, with the reason for each."""

import tomllib
from functools import cache
from pathlib import Path

from tests.mutation.mutant import Mutant

LIST = Path(__file__).with_suffix(".toml")


def reason_of(mutant: Mutant) -> str | None:
    """Return why a mutant changes nothing, if it is in the list."""
    return _reasons().get((mutant.path, mutant.before, mutant.after))


@cache
def _reasons() -> dict[tuple[str, str, str], str]:
    entries = tomllib.loads(LIST.read_text()).get("mutant", [])
    return {(each["file"], each["before"], each["after"]): each["reason"] for each in entries}
