"""The effect of a company's legal state on its score: a failure, a ceiling, or none (credit §7.1, layer a).

The register's status lags: a company is "Active" for weeks after a court has wound it up. An open insolvency case and a
Gazette notice therefore count under any status from the day they are known. Of a notice or a case of long ago that a newer
register does not confirm, the status decides.

A members' voluntary liquidation is solvent and not a failure (credit §4.1). `eligibility` leaves the company unscored,
because it takes no more credit.
"""

import datetime as dt
from collections.abc import Iterable, Iterator
from functools import cached_property

import msgspec

from credence.companies import codes
from credence.companies.facts.company import Company
from credence.companies.facts.events import PETITIONED, PLANNED, SOLVENT, CaseDate, InsolvencyCase, Notice
from credence.companies.gazette import (
    DISMISSAL,
    MORATORIUM,
    MORATORIUM_END,
    is_dismissed,
    is_named,
    kind_of,
    without_dismissed,
)
from credence.scoring.basis.day import Days

NOTICES_COUNT = dt.timedelta(days=365)
"""A Gazette notice counts for this time (D39)."""

CASES_COUNT = dt.timedelta(days=730)
"""An open case counts for this time from its newest step."""

REGISTER_LAG = dt.timedelta(days=90)
"""A register's snapshot may lack the consequence of an event that is less than this older: such an event counts, however
long ago it is, because nothing that is held can say what became of it."""

_ENDS = (
    "administration-discharged",
    "administration-ended",
    "case-end",
    "concluded",
    "dissolved",
    "moratorium-ended",
    "voluntary-arrangement-ended",
)
"""Prefixes of the types of steps that end a case."""


class LegalRule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One rule of the table. It applies when any of its statuses, cases or notices matches."""

    code: str
    sentence: str
    """The sentence of the reason, with the placeholders `{day}` and, for a ceiling, `{at_most}`."""
    status: tuple[str, ...] = ()
    cases: tuple[str, ...] = ()
    petitioned: bool = False
    """Whether the rule applies to an insolvency case with no step but the petition."""
    notices: tuple[str, ...] = ()
    """Codes of notices, and kinds of `companies.gazette`."""
    at_most: int = 0
    """The highest score while the rule applies; 0 for a failure."""


class LegalRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    """The rules of one version."""

    version: str
    source: str
    failures: tuple[LegalRule, ...]
    ceilings: tuple[LegalRule, ...]

    @cached_property
    def notices(self) -> tuple[str, ...]:
        """The codes and kinds of the notices that the rules consider."""
        return tuple({each for rule in (*self.failures, *self.ceilings) for each in rule.notices})

    @cached_property
    def by_status(self) -> dict[str, tuple[tuple[LegalRule, ...], tuple[LegalRule, ...]]]:
        """Status -> the failures and the ceilings that it alone implies, lowest ceiling first; other statuses are absent."""
        statuses = {status for rule in (*self.failures, *self.ceilings) for status in rule.status}
        return {status: (_of_status(self.failures, status), _of_status(self.ceilings, status)) for status in statuses}


def failure_of(company: Company, rules: LegalRules, days: Days) -> LegalRule | None:
    """Return the failure rule that applies, or None."""
    if in_solvent_liquidation(company, days):
        return None
    if _has_no_cases_or_notices(company):
        failures, _ = rules.by_status.get(status_of(company), ((), ()))
        return failures[0] if failures else None
    return next((rule for rule in rules.failures if _matches(company, rule, days)), None)


def ceilings_of(company: Company, rules: LegalRules, days: Days) -> tuple[LegalRule, ...]:
    """Return the ceiling rules that apply, lowest ceiling first."""
    if _has_no_cases_or_notices(company):
        return rules.by_status.get(status_of(company), ((), ()))[1]
    return _lowest_first(rule for rule in rules.ceilings if _matches(company, rule, days))


def day_of_rule(company: Company, rule: LegalRule, days: Days) -> dt.date:
    """Return the day of the newest notice or step to which a rule applies; without one, the register's day."""
    noticed = (each.published for each in notices_in_force(company, days) if is_named(each, rule.notices))
    cases = (case for case in running_cases(company, days) if _matches_case(case, rule, days))
    return max((*noticed, *(step.date for case in cases for step in past_steps(case, days))), default=days.register)


def in_solvent_liquidation(company: Company, days: Days) -> bool:
    """Return whether a members' voluntary liquidation is the company's only case."""
    if company.insolvency is None or not company.insolvency.value:
        return False
    status = status_of(company)
    if status == "liquidation":  # with this status a case is open, however old it is
        cases = tuple(_open_cases(company, days))
    elif status in codes.INSOLVENT_STATUSES:
        return False
    else:
        cases = tuple(running_cases(company, days))
    return {case.type for case in cases} == {SOLVENT}


def status_of(company: Company) -> str:
    """Return the register's status in lower case; empty without one."""
    return company.register.value.status.lower() if company.register else ""


def newest_notice(company: Company, rules: LegalRules, days: Days) -> dt.date | None:
    """Return the day of the newest notice that the rules consider; None without such a notice."""
    notices = notices_in_force(company, days)
    return max((each.published for each in notices if is_named(each, rules.notices)), default=None)


def newest_case(company: Company, days: Days) -> dt.date | None:
    """Return the day of the newest step of an insolvency case; None without a step."""
    cases = company.insolvency.value if company.insolvency else ()
    return max((step.date for case in cases for step in past_steps(case, days)), default=None)


def _of_status(rules: tuple[LegalRule, ...], status: str) -> tuple[LegalRule, ...]:
    return _lowest_first(rule for rule in rules if status in rule.status)


def _lowest_first(rules: Iterable[LegalRule]) -> tuple[LegalRule, ...]:
    return tuple(sorted(rules, key=lambda rule: rule.at_most))


def _has_no_cases_or_notices(company: Company) -> bool:
    """Return whether only the status can match a rule, as for nearly every company."""
    cases, notices = company.insolvency, company.notices
    return not (cases and cases.value) and not (notices and notices.value)


def _matches(company: Company, rule: LegalRule, days: Days) -> bool:
    if status_of(company) in rule.status:
        return True
    if company.insolvency and any(_matches_case(case, rule, days) for case in running_cases(company, days)):
        return True
    return bool(company.notices) and any(is_named(notice, rule.notices) for notice in notices_in_force(company, days))


def _matches_case(case: InsolvencyCase, rule: LegalRule, days: Days) -> bool:
    # A petition is a claim, not an outcome (credit §4.3): a case with no further step is not a failure.
    if _is_petition(past_steps(case, days)):
        return rule.petitioned
    return case.type in rule.cases


def _is_petition(steps: tuple[CaseDate, ...]) -> bool:
    return {step.type for step in steps} == {PETITIONED}


def notices_in_force(company: Company, days: Days) -> Iterator[Notice]:
    """Yield the notices published by the day of judgement and within NOTICES_COUNT of it, or that no register overtakes.

    A petition that was dismissed and a moratorium that has ended are not in force.
    """
    notices = company.notices.value if company.notices else ()
    if len(notices) > 1 and any(each.code == DISMISSAL for each in notices):
        notices = without_dismissed(notices, days.judgement)
    ended = max((each.published for each in notices if kind_of(each) == MORATORIUM_END), default=dt.date.min)
    for notice in notices:
        if notice.published <= ended and kind_of(notice) == MORATORIUM:
            continue
        if notice.published <= days.judgement and _counts(notice.published, NOTICES_COUNT, days):
            yield notice


def running_cases(company: Company, days: Days) -> Iterator[InsolvencyCase]:
    """Yield the open cases that count under any status: undated, or with a step within CASES_COUNT."""
    for case in _open_cases(company, days):
        newest = max((step.date for step in past_steps(case, days)), default=None)
        if newest is None or _counts(newest, CASES_COUNT, days):
            yield case


def _counts(day: dt.date, time: dt.timedelta, days: Days) -> bool:
    return days.judgement - day <= time or days.register - day < REGISTER_LAG


def _open_cases(company: Company, days: Days) -> Iterator[InsolvencyCase]:
    """Yield the cases that have begun by the day of judgement and have not ended; an undated case has begun.

    A petition alone ends with its dismissal.
    """
    notices = company.notices.value if company.notices else ()
    for case in company.insolvency.value if company.insolvency else ():
        taken = past_steps(case, days)
        begun = taken or all(step.type == PLANNED for step in case.dates)
        if not begun or any(step.type.startswith(_ENDS) for step in taken):
            continue
        if _is_petition(taken) and is_dismissed(taken, notices, days.judgement):
            continue
        yield case


def past_steps(case: InsolvencyCase, days: Days) -> tuple[CaseDate, ...]:
    """Return the steps of a case up to the day of judgement."""
    return tuple(step for step in case.dates if step.date <= days.judgement and step.type != PLANNED)
