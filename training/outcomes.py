"""The outcome of each company within a year (credit §8.3): failed, survived or censored.

A company failed when its status in the later snapshot is a failure by the legal rules, or when a file of outcomes says
so. A company that left the register for another or an unknown reason is censored: it counts as neither good nor bad.
"""

import csv
import datetime as dt
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum, auto
from pathlib import Path

import msgspec

from credence.companies.facts.events import Notice
from credence.companies.number import normalise
from credence.datasets.loading.register_writing import NumberSet
from credence.datasets.sources import gazette
from credence.datasets.sources.register.snapshot import COLUMNS, chunks, table
from credence.datasets.sources.source import LoadError, Record
from credence.refusals.refusal import Refused
from credence.scoring.legal import LegalRules

INSOLVENCY = "insolvency"
"""The event that the score predicts."""

CENSORING_OUTCOMES = frozenset({"members-voluntary-liquidation", "strike-off", "converted", "unknown"})
"""The other outcomes that a file may name."""

_NUMBER, _STATUS = COLUMNS.index("CompanyNumber"), COLUMNS.index("CompanyStatus")


class Outcome(Enum):
    """The outcome of a company."""

    FAILED = auto()
    SURVIVED = auto()
    CENSORED = auto()


class LaterRegister:
    """The companies of the later snapshot, and those whose status there is a failure."""

    def __init__(self, files: Sequence[Path], rules: LegalRules) -> None:
        """Read the files. Raises LoadError for a file that is not a register snapshot."""
        failing = {status for rule in rules.failures for status in rule.status}
        self._present = NumberSet()
        self._failed: set[str] = set()
        for chunk in chunks(files):
            columns = table(chunk).columns
            for text, status in zip(columns[_NUMBER], columns[_STATUS], strict=True):
                if number := _normalised(text):
                    self._present.add(number)
                    if status.strip().lower() in failing:
                        self._failed.add(number)

    def outcome(self, number: str) -> Outcome:
        """Return the outcome by the register alone. Call it once for each company: a second call counts as present."""
        if number in self._failed:
            return Outcome.FAILED
        return Outcome.CENSORED if self._present.add(number) else Outcome.SURVIVED


class ReportedOutcomes(msgspec.Struct, frozen=True):
    """The outcomes that files give, by company number."""

    failed: frozenset[str]
    censored: frozenset[str]

    def outcome(self, number: str, by_register: Outcome, *, only_reported: bool) -> Outcome:
        """Return the outcome. A file overrides the register, which shows both kinds of liquidation alike.

        `only_reported` censors failures by the register; use it when the outcome is another event.
        """
        if number in self.failed:
            return Outcome.FAILED
        if number in self.censored or (only_reported and by_register is Outcome.FAILED):
            return Outcome.CENSORED
        return by_register


def read_outcomes(
    files: Iterable[Path], event: str, rules: LegalRules, since: dt.date, until: dt.date
) -> ReportedOutcomes:
    """Read CSV files of `number,outcome`, and pages of Gazette notices as JSON; notices from `since` to `until` count.

    Raises LoadError for any other file, an unknown outcome and a malformed company number.
    """
    failed: set[str] = set()
    censored: set[str] = set()
    for file in files:
        if file.suffix.lower() == ".json":
            failed.update(_failed_by_notices(file, rules, since, until))
        else:
            _read_csv(file, event, failed, censored)
    return ReportedOutcomes(frozenset(failed), frozenset(censored - failed))


def _failed_by_notices(file: Path, rules: LegalRules, since: dt.date, until: dt.date) -> Iterator[str]:
    codes = {code for rule in rules.failures for code in rule.notices}
    for each in gazette.read([file]):
        if not isinstance(each, Record) or not isinstance(each.fact, Notice):
            continue
        if each.fact.code in codes and since < each.fact.published <= until:
            yield each.company


def _read_csv(file: Path, event: str, failed: set[str], censored: set[str]) -> None:
    with file.open(encoding="utf-8-sig", newline="") as stream:
        reader = csv.DictReader(stream)
        if not {"number", "outcome"} <= set(reader.fieldnames or ()):
            raise LoadError(f"{file.name} has no columns number and outcome.")
        for row in reader:
            number, outcome = _normalised(row["number"] or ""), (row["outcome"] or "").strip()
            if number is None:
                raise LoadError(f"{file.name}, line {reader.line_num}: the company number is malformed.")
            if outcome not in CENSORING_OUTCOMES | {event, INSOLVENCY}:
                known = ", ".join(sorted(CENSORING_OUTCOMES | {event}))
                raise LoadError(f"{file.name}, line {reader.line_num}: the outcome must be one of {known}.")
            (failed if outcome == event else censored).add(number)


def _normalised(text: str) -> str | None:
    try:
        return normalise(text.strip())
    except Refused:
        return None
