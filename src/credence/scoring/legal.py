"""What the legal state of a company does to its score (credit §7.1, layer a): failed, held down, or nothing.

A members' voluntary liquidation is solvent and no failure (credit §4.1), but no company to give credit to either:
`eligibility` leaves it unscored.
"""

import datetime as dt

import msgspec

from credence.companies.facts.company import Company
from credence.companies.facts.events import SOLVENT, InsolvencyCase

NOTICES_COUNT = dt.timedelta(days=365)
"""How long a notice of the Gazette counts; what it began is in the register by then."""


class Rule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One rule of the table: any of its words brings it about."""

    code: str
    sentence: str
    status: tuple[str, ...] = ()
    cases: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()
    at_most: int = 0
    """The highest score a company can have while the rule matches; 0 for a failure."""


class LegalRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The rules of one version."""

    version: str
    source: str
    failures: tuple[Rule, ...]
    ceilings: tuple[Rule, ...]


def failure_of(company: Company, rules: LegalRules, day: dt.date) -> Rule | None:
    """Return the rule by which the company has failed, or None."""
    if in_solvent_liquidation(company):
        return None
    return next((rule for rule in rules.failures if _matches(company, rule, day)), None)


def ceilings_of(company: Company, rules: LegalRules, day: dt.date) -> tuple[Rule, ...]:
    """Return the rules that hold the score down, the lowest first."""
    found = (rule for rule in rules.ceilings if _matches(company, rule, day))
    return tuple(sorted(found, key=lambda rule: rule.at_most))


def in_solvent_liquidation(company: Company) -> bool:
    """Tell whether the company is in a members' voluntary liquidation and in no other case."""
    under_way = {case.type for case in _under_way(company)}
    return status_of(company) in {"liquidation", ""} and under_way == {SOLVENT}


def status_of(company: Company) -> str:
    """Return the register's status in lower case; empty when the register says none."""
    return company.register.value.status.lower() if company.register else ""


def _matches(company: Company, rule: Rule, day: dt.date) -> bool:
    if status_of(company) in rule.status:
        return True
    # A case of long ago leaves a company active: the register's status, where it gives one, is what holds.
    if not status_of(company) and any(case.type in rule.cases for case in _under_way(company)):
        return True
    notices = company.notices.value if company.notices else ()
    return any(
        notice.code in rule.notices and dt.timedelta(0) <= day - notice.published <= NOTICES_COUNT for notice in notices
    )


def _under_way(company: Company) -> tuple[InsolvencyCase, ...]:
    cases = company.insolvency.value if company.insolvency else ()
    return tuple(case for case in cases if not any(_ends(step.type) for step in case.dates))


def _ends(step: str) -> bool:
    return step.startswith(("concluded", "dissolved", "administration-ended", "administration-discharged", "case-end"))
