"""What the legal state of a company does to its score (credit §7.1, layer a): failed, held down, or nothing.

The register's status lags behind: a company reads "Active" for weeks after a court has wound it up. A running insolvency
case and a notice of the Gazette therefore count whatever the status is, from the day they are known. A case of long ago
that nobody closed does not: where the register still says "Active" years later, the status holds.

A members' voluntary liquidation is solvent and no failure (credit §4.1), but no company to give credit to either:
`eligibility` leaves it unscored.
"""

import datetime as dt
from collections.abc import Iterator

import msgspec

from credence.companies import codes
from credence.companies.facts.company import Company
from credence.companies.facts.events import PLANNED, SOLVENT, CaseDate, InsolvencyCase, Notice
from credence.scoring.day import Days

NOTICES_COUNT = dt.timedelta(days=365)
"""How much older than the register a notice of the Gazette may be; what it began is in the register by then."""

CASES_COUNT = dt.timedelta(days=730)
"""How much older than the register the newest step of an open case may be."""

_PETITIONED = "petitioned-on"
_ENDS = (
    "administration-discharged",
    "administration-ended",
    "case-end",
    "concluded",
    "dissolved",
    "moratorium-ended",
    "voluntary-arrangement-ended",
)
"""Beginnings of the steps that end a case."""


class Rule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One rule of the table: any of its words brings it about."""

    code: str
    sentence: str
    status: tuple[str, ...] = ()
    cases: tuple[str, ...] = ()
    petitioned: bool = False
    """Whether an insolvency case brings it about of which nothing is known but the petition."""
    notices: tuple[str, ...] = ()
    at_most: int = 0
    """The highest score a company can have while the rule matches; 0 for a failure."""


class LegalRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The rules of one version."""

    version: str
    source: str
    failures: tuple[Rule, ...]
    ceilings: tuple[Rule, ...]


def failure_of(company: Company, rules: LegalRules, days: Days) -> Rule | None:
    """Return the rule by which the company has failed, or None."""
    if in_solvent_liquidation(company, days):
        return None
    return next((rule for rule in rules.failures if _matches(company, rule, days)), None)


def ceilings_of(company: Company, rules: LegalRules, days: Days) -> tuple[Rule, ...]:
    """Return the rules that hold the score down, the lowest first."""
    found = (rule for rule in rules.ceilings if _matches(company, rule, days))
    return tuple(sorted(found, key=lambda rule: rule.at_most))


def in_solvent_liquidation(company: Company, days: Days) -> bool:
    """Return whether the company is in a members' voluntary liquidation and in no other case."""
    status = status_of(company)
    if status == "liquidation":  # the status says that a case runs, however old the case is
        cases = tuple(_open_cases(company, days))
    elif status in codes.INSOLVENT_STATUSES:
        return False
    else:
        cases = tuple(_running_cases(company, days))
    return {case.type for case in cases} == {SOLVENT}


def status_of(company: Company) -> str:
    """Return the register's status in lower case; empty when the register says none."""
    return company.register.value.status.lower() if company.register else ""


def newest_event(company: Company, rules: LegalRules, days: Days) -> dt.date | None:
    """Return the day of the newest notice or step of a case that the rules were tried on; None without any."""
    codes_of_rules = {code for rule in (*rules.failures, *rules.ceilings) for code in rule.notices}
    published = (each.published for each in _notices(company, days) if each.code in codes_of_rules)
    cases = company.insolvency.value if company.insolvency else ()
    return max((*published, *(step.date for case in cases for step in _taken(case, days))), default=None)


def _matches(company: Company, rule: Rule, days: Days) -> bool:
    return (
        status_of(company) in rule.status
        or any(_matches_case(case, rule, days) for case in _running_cases(company, days))
        or any(notice.code in rule.notices for notice in _notices(company, days))
    )


def _matches_case(case: InsolvencyCase, rule: Rule, days: Days) -> bool:
    # A petition is a claim, not an outcome (credit §4.3): a case that has come no further is no failure.
    if {step.type for step in _taken(case, days)} == {_PETITIONED}:
        return rule.petitioned
    return case.type in rule.cases


def _notices(company: Company, days: Days) -> Iterator[Notice]:
    """Yield the notices that count: published by the day of judgement and not long before the register's day."""
    for notice in company.notices.value if company.notices else ():
        if notice.published <= days.judgement and days.register - notice.published <= NOTICES_COUNT:
            yield notice


def _running_cases(company: Company, days: Days) -> Iterator[InsolvencyCase]:
    """Yield the open cases that count whatever the status is: without a day, or with a step that is new enough."""
    for case in _open_cases(company, days):
        newest = max((step.date for step in _taken(case, days)), default=None)
        if newest is None or days.register - newest <= CASES_COUNT:
            yield case


def _open_cases(company: Company, days: Days) -> Iterator[InsolvencyCase]:
    """Yield the cases that had begun by the day of judgement and had not ended; one without a day has begun."""
    for case in company.insolvency.value if company.insolvency else ():
        taken = _taken(case, days)
        begun = taken or all(step.type == PLANNED for step in case.dates)
        if begun and not any(step.type.startswith(_ENDS) for step in taken):
            yield case


def _taken(case: InsolvencyCase, days: Days) -> tuple[CaseDate, ...]:
    """Return the steps of a case that had happened by the day of judgement."""
    return tuple(step for step in case.dates if step.date <= days.judgement and step.type != PLANNED)
