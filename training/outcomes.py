"""What became of companies within a year: the outcome of credit §8.3.

Failed are those that the later snapshot shows in a state that the legal rules call a failure, and those of which a file
says so. Who left the register for any other reason, or for none that is known, is censored: neither good nor bad.
"""

import csv
import datetime as dt
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum, auto
from pathlib import Path

import msgspec

from credence.companies.facts.events import Notice
from credence.companies.number import normalise
from credence.datasets.sources import LoadError, gazette
from credence.datasets.sources.record import Record
from credence.datasets.sources.register.seen import Seen
from credence.datasets.sources.register.snapshot import COLUMNS, chunks, rows
from credence.refusals import Refused
from credence.scoring.legal import LegalRules

INSOLVENCY = "insolvency"
"""The event that the score is about."""

CENSORED_WORDS = frozenset({"members-voluntary-liquidation", "strike-off", "converted", "unknown"})
"""Other words that a file of outcomes may use."""

_NUMBER, _STATUS = COLUMNS.index("CompanyNumber"), COLUMNS.index("CompanyStatus")


class Outcome(Enum):
    """What became of a company."""

    FAILED = auto()
    SURVIVED = auto()
    CENSORED = auto()


class LaterRegister:
    """The later snapshot, as far as outcomes need it: who is in it, and who failed by its status."""

    def __init__(self, files: Sequence[Path], rules: LegalRules) -> None:
        """Read the files; LoadError for what is no register snapshot."""
        failing = {status for rule in rules.failures for status in rule.status}
        self._present = Seen()
        self._failed: set[str] = set()
        for chunk in chunks(files):
            for cells in rows(chunk):
                number = _normalised(cells[_NUMBER]) if cells else None
                if cells and number:
                    self._present.again(number)
                    if cells[_STATUS].strip().lower() in failing:
                        self._failed.add(number)

    def outcome(self, number: str) -> Outcome:
        """Return what the register alone says; to be asked once of each company."""
        if number in self._failed:
            return Outcome.FAILED
        return Outcome.SURVIVED if self._present.again(number) else Outcome.CENSORED


class Told(msgspec.Struct, frozen=True):
    """What files say of companies, by number."""

    failed: frozenset[str]
    censored: frozenset[str]

    def outcome(self, number: str, by_register: Outcome, *, only_told: bool) -> Outcome:
        """Return the outcome; a file knows better than the register, which shows both kinds of liquidation alike.

        `only_told` leaves failures by the register aside, where another event is the outcome.
        """
        if number in self.failed:
            return Outcome.FAILED
        if number in self.censored or (only_told and by_register is Outcome.FAILED):
            return Outcome.CENSORED
        return by_register


def read_told(files: Iterable[Path], event: str, rules: LegalRules, since: dt.date, until: dt.date) -> Told:
    """Read CSV files of `number,outcome` and pages of the Gazette as JSON, whose notices count from `since` to `until`.

    Raises LoadError for a file that is neither, an outcome that is no known word and a number of no known form.
    """
    failed: set[str] = set()
    censored: set[str] = set()
    for file in files:
        if file.suffix.lower() == ".json":
            failed.update(_failed_by_notices(file, rules, since, until))
        else:
            _read_csv(file, event, failed, censored)
    return Told(frozenset(failed), frozenset(censored - failed))


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
                raise LoadError(f"{file.name}, line {reader.line_num}: the company number is of no known form.")
            if outcome not in CENSORED_WORDS | {event, INSOLVENCY}:
                known = ", ".join(sorted(CENSORED_WORDS | {event}))
                raise LoadError(f"{file.name}, line {reader.line_num}: the outcome is none of {known}.")
            (failed if outcome == event else censored).add(number)


def _normalised(text: str) -> str | None:
    try:
        return normalise(text.strip())
    except Refused:
        return None
