"""Decisions by policies, made only for companies of portfolios with a rule about a policy."""

import datetime as dt
from collections.abc import Iterable, Mapping
from contextlib import suppress

from credence.companies.facts.company import Company
from credence.datasets.credit_data import CreditData
from credence.monitoring.observing import Observation
from credence.policy.decision import decide
from credence.policy.installed import InstalledPolicies
from credence.refusals.refusal import Refused
from credence.report.build.group import Group, group_of
from credence.report.build.report import NEED_GROUP, build
from credence.store.portfolios import Portfolio, policies_of

Wanted = Mapping[str, frozenset[str]]
"""Company -> the names of the policies that decide on it."""


def wanted_of(pairs: Iterable[tuple[str, str]], portfolios: Mapping[str, Portfolio]) -> Wanted:
    """Return the policies for each company. `pairs` are company and portfolio, as from `Observations.watchers`."""
    found: dict[str, frozenset[str]] = {}
    for company, portfolio in pairs:
        names = policies_of(portfolios.get(portfolio))
        if names:
            found[company] = found.get(company, frozenset()) | names
    return found


def decisions(
    company: Company, policies: InstalledPolicies, names: Iterable[str], data: CreditData, today: dt.date
) -> Observation:
    """Return policy -> outcome and hash of the policy, without policies that are not installed or cannot be read."""
    found: Observation = {}
    for name in sorted(names):
        with suppress(Refused):
            policy = policies.find(name)
            group = group_of(company, data) if policy.members & NEED_GROUP else Group()
            outcome = decide(build(company, group, today, policy.members), policy, today).Outcome
            found[name] = [outcome, policy.hash]
    return found


def completed(old: Observation, new: Observation) -> Observation:
    """Return an observation with the decisions that it lacked; all other values are unchanged."""
    return {**old, "decisions": {**new.get("decisions", {}), **old.get("decisions", {})}}


def decides(portfolios: Iterable[Portfolio]) -> bool:
    """Return whether a portfolio has a rule about a policy."""
    return any(map(policies_of, portfolios))
