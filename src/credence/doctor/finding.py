"""What a check found: how it stands, what was seen, and what to do about it."""

from dataclasses import dataclass
from enum import StrEnum


class Outcome(StrEnum):
    """A failure breaks callers or lets somebody through; a warning does not yet, or could not be settled from here."""

    OK = "ok"
    WARNING = "warning"
    FAILURE = "failure"


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of one check."""

    check: str
    outcome: Outcome
    seen: str
    to_do: tuple[str, ...] = ()
    """One remedy a line; a proxy's line to add begins with the proxy's name."""


def fine(check: str, seen: str) -> Finding:
    """Return that nothing is to be done."""
    return Finding(check, Outcome.OK, seen)


def doubtful(check: str, seen: str, *to_do: str) -> Finding:
    """Return a warning."""
    return Finding(check, Outcome.WARNING, seen, to_do)


def wrong(check: str, seen: str, *to_do: str) -> Finding:
    """Return a failure."""
    return Finding(check, Outcome.FAILURE, seen, to_do)
