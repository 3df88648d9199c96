"""A company as it could be known on a day: nothing that was filed, published or done later, and nothing of another company.

Accounts come from files that were published by the day (`plan`). Steps of an insolvency case after the day are left out,
and so is a planned step, which is entered late. Whether the cases of a company were asked for at all says something of its
future, because they are asked for where something happened: a company without a case by the day is one whose cases were
never asked for.

A number can have belonged to another company: what is dated before the incorporation of this one is not about it.
"""

import datetime as dt
from collections.abc import Sequence
from typing import Any

import msgspec

from credence.companies.facts.accounts import Accounts
from credence.companies.facts.company import Company, Provenance, Sourced
from credence.companies.facts.events import PLANNED, InsolvencyCase, Notice
from credence.companies.facts.register import RegisterEntry
from credence.datasets.credit_data import sourced_facts
from credence.datasets.fact_kinds import ACCOUNTS, INSOLVENCY, NOTICES
from credence.datasets.fact_reader import FactReader, Held


class Facts(msgspec.Struct, frozen=True):
    """The data sets of a backtest; a set that was not given is None."""

    accounts: tuple[FactReader[Accounts], Provenance] | None = None
    notices: tuple[FactReader[Notice], Provenance] | None = None
    cases: tuple[FactReader[InsolvencyCase], Provenance] | None = None


def as_known(entry: RegisterEntry, register: Provenance, facts: Facts, at: dt.date) -> Company:
    """Return the company of a register's entry as it could be known on a day."""
    parts: dict[str, Any] = {}
    born = entry.incorporated or dt.date.min
    if facts.accounts is not None:
        reader, provenance = facts.accounts
        found = reader.read(entry.number)
        filings = [each for each in found.facts or () if born <= each.balance_sheet_date <= at]
        if filings:
            parts[ACCOUNTS.field] = sourced_facts(ACCOUNTS, Held(filings), provenance)
    if facts.notices is not None:
        notices, provenance = facts.notices
        published = [each for each in notices.read(entry.number, at).facts or () if each.published >= born]
        parts[NOTICES.field] = sourced_facts(NOTICES, Held(published), provenance)
    if facts.cases is not None:
        cases, provenance = facts.cases
        begun = cases_by(cases.read(entry.number, at).facts or (), born, at)
        if begun:
            parts[INSOLVENCY.field] = sourced_facts(INSOLVENCY, Held(begun), provenance)
    return Company(number=entry.number, register=Sourced(entry, register), **parts)


def cases_by(cases: Sequence[InsolvencyCase], since: dt.date, at: dt.date) -> list[InsolvencyCase]:
    """Return the cases with a step from `since` to a day, without their other steps."""
    found = []
    for case in cases:
        steps = tuple(step for step in case.dates if since <= step.date <= at and step.type != PLANNED)
        if steps:
            found.append(msgspec.structs.replace(case, dates=steps))
    return found
