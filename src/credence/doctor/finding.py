"""The result of one check: outcome, observation and remedies."""

from dataclasses import dataclass
from enum import StrEnum


class CheckOutcome(StrEnum):
    """A failure breaks clients or admits an attacker; a warning does not yet, or cannot be decided from outside."""

    OK = "ok"
    WARNING = "warning"
    FAILURE = "failure"


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of one check."""

    check: str
    outcome: CheckOutcome
    seen: str
    to_do: tuple[str, ...] = ()
    """Remedies, one per line; a line for a proxy's configuration begins with the proxy's name."""


def ok(check: str, seen: str) -> Finding:
    """Return a check that passed."""
    return Finding(check, CheckOutcome.OK, seen)


def warning(check: str, seen: str, *to_do: str) -> Finding:
    """Return a warning with its remedies."""
    return Finding(check, CheckOutcome.WARNING, seen, to_do)


def failure(check: str, seen: str, *to_do: str) -> Finding:
    """Return a failure with its remedies."""
    return Finding(check, CheckOutcome.FAILURE, seen, to_do)
