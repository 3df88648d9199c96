"""What became of a company within the horizon: an insolvency by its kind and day, another end, survival, or not known.

An event with a day counts first: a notice or a case, by the legal rules of the score. Then the later snapshot. A company
that is not in it has left, and a notice, a case or a file of outcomes must say why; if nothing does, its outcome is
unresolved. The register shows a solvent liquidation as it shows an insolvent one: if nothing else says which, its kind is
unknown.
"""

import csv
import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Literal

import msgspec

from credence.backtest.plan import Plan
from credence.companies import codes
from credence.companies.facts.events import PETITIONED, PLANNED, SOLVENT, InsolvencyCase, Notice
from credence.companies.facts.register import RegisterEntry
from credence.companies.gazette import CREDITORS, is_named, kind_of
from credence.companies.number import normalise_or_none
from credence.datasets.sources.source import LoadError
from credence.scoring.legal import LegalRules

Class = Literal["failed", "survived", "other", "unresolved"]
"""`other` is an end that competes with failure: the company was gone before it could fail, and no creditor lost by it."""

SURVIVED, UNRESOLVED, UNKNOWN_LIQUIDATION = (
    "survived",
    "not known",
    "liquidation of unknown kind",
)
COMPULSORY, VOLUNTARY = "compulsory liquidation", "creditors' voluntary liquidation"
"""A notice that is a failure by the rule of liquidations is of a compulsory one."""
DISSOLVED, SOLVENT_END, CONVERTED = "dissolved without insolvency", "solvent liquidation", "converted"

KINDS: Mapping[str, Class] = {
    COMPULSORY: "failed",
    VOLUNTARY: "failed",
    "administration": "failed",
    "receivership": "failed",
    "voluntary arrangement": "failed",
    "insolvency": "failed",
    UNKNOWN_LIQUIDATION: "failed",
    DISSOLVED: "other",
    SOLVENT_END: "other",
    CONVERTED: "other",
    SURVIVED: "survived",
    UNRESOLVED: "unresolved",
}
"""Kind of outcome -> what it counts as."""

REPORTED = {
    "insolvency": "insolvency",
    "members-voluntary-liquidation": SOLVENT_END,
    "strike-off": DISSOLVED,
    "converted": CONVERTED,
    "unknown": UNRESOLVED,
}
"""The outcomes that a file may name -> kind."""

_OF_RULE = {
    "failed.administration": "administration",
    "failed.receivership": "receivership",
    "failed.arrangement": "voluntary arrangement",
}
_OF_CASE = {
    "compulsory-liquidation": COMPULSORY,
    "creditors-voluntary-liquidation": VOLUNTARY,
    SOLVENT: SOLVENT_END,
}
_WINDING_UP = frozenset({"2441", "2443"})
"""Notices of a resolution to wind up and of the appointment of liquidators, which do not say whether it is solvent."""
_CORPORATE = "24"


class Outcome(msgspec.Struct, frozen=True):
    """What became of a company."""

    kind: str
    day: dt.date | None = None
    """The day of the notice, step or dissolution; None if only the later register shows it."""


Reported = Mapping[str, Outcome]
"""Company number -> the outcome that a file names."""


class Judge:
    """Finds the outcome of each company."""

    def __init__(self, plan: Plan, rules: LegalRules, reported: Reported) -> None:
        self._plan, self._at, self._until, self._reported = plan, plan.at, plan.until, reported
        self._rules = {status: failures[0].code for status, (failures, _) in rules.by_status.items() if failures}
        self._failures = rules.failures
        self._cases = {type_: rule.code for rule in rules.failures for type_ in rule.cases}

    def outcome(
        self,
        entry: RegisterEntry,
        later: RegisterEntry | None,
        notices: Sequence[Notice],
        cases: Sequence[InsolvencyCase],
    ) -> Outcome:
        """Return the outcome of the company of an entry; `later` has its number in the later register."""
        ends = dt.date.max
        if later is not None and _is_another(entry, later):
            ends, later = later.incorporated or ends, None
        notices = [each for each in notices if self._at < each.published < ends]
        events = sorted([*self._noticed(notices), *self._stepped(cases, ends)], key=lambda each: each[0])
        reported = self._reported.get(entry.number)
        if reported is not None and (reported.day is None or self._at < reported.day <= self._until):
            return reported
        within = [event for event in events if event[0] <= self._until]
        # A solvent liquidation that turns out to be insolvent is a failure.
        for day, kind in [each for each in within if KINDS[each[1]] == "failed"] or within:
            return Outcome(kind, day)
        if later is not None:
            return self._present(later, notices, had_event=bool(events))
        return self._left(notices, had_event=bool(events))

    def _present(self, later: RegisterEntry, notices: Sequence[Notice], *, had_event: bool) -> Outcome:
        status = later.status.lower()
        if had_event or (later.dissolved and later.dissolved > self._until):
            return Outcome(SURVIVED)  # what the later register shows came after the horizon
        if status in codes.DISSOLVED_STATUSES:
            return Outcome(DISSOLVED if status == "dissolved" else CONVERTED, later.dissolved)
        if status in self._rules:
            kind = _OF_RULE.get(self._rules[status])
            return Outcome(kind) if kind else self._wound_up(notices) or Outcome(UNKNOWN_LIQUIDATION)
        if status not in codes.KNOWN_STATUSES:
            return Outcome(UNRESOLVED)
        return self._wound_up(notices) or Outcome(SURVIVED)

    def _left(self, notices: Sequence[Notice], *, had_event: bool) -> Outcome:
        if had_event:
            return Outcome(SURVIVED)  # it failed after the horizon, and was gone by the later register
        if found := self._wound_up(notices):
            return found
        noticed = any(each.code.startswith(_CORPORATE) for each in notices)
        return Outcome(DISSOLVED if self._plan.notices_are_complete and not noticed else UNRESOLVED)

    def _wound_up(self, notices: Sequence[Notice]) -> Outcome | None:
        """Return the liquidation that notices show: with a meeting or a decision of creditors it is theirs."""
        within = [each for each in notices if each.published <= self._until]
        days = [each.published for each in within if each.code in _WINDING_UP]
        if not days:
            return None
        creditors = any(kind_of(each) == CREDITORS for each in within)
        return Outcome(VOLUNTARY if creditors else UNKNOWN_LIQUIDATION, min(days))

    def _noticed(self, notices: Sequence[Notice]) -> Iterable[tuple[dt.date, str]]:
        for each in notices:
            rule = next((rule for rule in self._failures if is_named(each, rule.notices)), None)
            if rule is not None:
                yield each.published, _OF_RULE.get(rule.code, COMPULSORY)

    def _stepped(self, cases: Sequence[InsolvencyCase], ends: dt.date) -> Iterable[tuple[dt.date, str]]:
        for case in cases:
            steps = [step.date for step in case.dates if step.type not in (PLANNED, PETITIONED)]
            known = case.type == SOLVENT or case.type in self._cases
            if known and steps and self._at < min(steps) < ends:
                yield min(steps), _OF_CASE.get(case.type) or _OF_RULE[self._cases[case.type]]


def _is_another(entry: RegisterEntry, later: RegisterEntry) -> bool:
    """Return whether the number belongs to another company in the later register."""
    return bool(entry.incorporated and later.incorporated and entry.incorporated != later.incorporated)


def read_outcomes(files: Iterable[Path]) -> dict[str, Outcome]:
    """Read CSV files with the columns `number` and `outcome`, and `day` if wanted (2026-03-31).

    Raises LoadError for other files, a malformed number or day, and an outcome that is not in REPORTED.
    """
    found: dict[str, Outcome] = {}
    for file in files:
        with file.open(encoding="utf-8-sig", newline="") as stream:
            reader = csv.DictReader(stream)
            if not {"number", "outcome"} <= set(reader.fieldnames or ()):
                raise LoadError(f"{file.name} has no columns number and outcome.")
            for row in reader:
                where = f"{file.name}, line {reader.line_num}"
                number, named = normalise_or_none((row["number"] or "").strip()), (row["outcome"] or "").strip()
                if number is None:
                    raise LoadError(f"{where}: the company number is malformed.")
                if named not in REPORTED:
                    raise LoadError(f"{where}: the outcome must be one of {', '.join(sorted(REPORTED))}.")
                found[number] = Outcome(REPORTED[named], _day((row.get("day") or "").strip(), where))
    return found


def _day(text: str, where: str) -> dt.date | None:
    try:
        return dt.date.fromisoformat(text) if text else None
    except ValueError:
        raise LoadError(f"{where}: the day must be written as 2026-03-31.") from None
