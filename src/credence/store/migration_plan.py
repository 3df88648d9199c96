"""What a file of the schema does, step by step, and whom each step holds up (threats F5)."""

import re
from collections.abc import Iterator

import msgspec

_tokens = re.compile(r"--[^\n]*|'(?:[^']|'')*'|\$\$.*?\$\$|;|[^;'$-]+|.", re.DOTALL).finditer
"""Comments, literals and bodies of functions are each one."""

_NAME = r'(?:IF (?:NOT )?EXISTS )?(?:ONLY )?"?(\w+)"?'
_MAKES = re.compile(rf"CREATE TABLE {_NAME}", re.IGNORECASE).match
_HOLDS = (
    (re.compile(rf"(?:ALTER|DROP) TABLE {_NAME}", re.IGNORECASE).match, "all use of"),
    (re.compile(rf"CREATE (?:UNIQUE )?INDEX .*?\bON {_NAME}", re.IGNORECASE).match, "writes to"),
    (re.compile(rf"LOCK TABLE {_NAME}", re.IGNORECASE).match, "all use of"),
    (re.compile(rf"(?:UPDATE|DELETE FROM) {_NAME}", re.IGNORECASE).match, "writes to rows of"),
)
"""What a statement holds up in a table that is there, in PostgreSQL."""

LONGEST_STEP = 72
"""Characters of a statement that are shown."""


class Step(msgspec.Struct, frozen=True):
    """One statement."""

    statement: str
    """Its beginning, on one line."""
    holds_up: str
    """Who waits until the file is done; empty: nobody."""


def steps(dialect: str, script: str, *, is_new: bool) -> list[Step]:
    """Return what a file does; nobody is held up in a store that `is_new`."""
    found, made = [], set[str]()
    for statement in _statements(script):
        if creation := _MAKES(statement):
            made.add(creation[1].lower())
        if is_new:
            held = ""
        elif dialect == "sqlite":
            held = "writes"  # the whole file has one lock
        else:
            held = _held(statement, made)
        short = statement if len(statement) <= LONGEST_STEP else statement[: LONGEST_STEP - 1] + "…"
        found.append(Step(short, held))
    return found


def _held(statement: str, made: set[str]) -> str:
    for match, what in _HOLDS:
        if (found := match(statement)) and found[1].lower() not in made:
            return f"{what} {found[1]}"
    return ""


def _statements(script: str) -> Iterator[str]:
    """Yield the statements, each on one line, without comments."""
    statement = ""
    for token in _tokens(script):
        if token[0] == ";":
            yield " ".join(statement.split())
            statement = ""
        elif not token[0].startswith("--"):
            statement += token[0]
    if statement.strip():
        yield " ".join(statement.split())
