"""Every policy that ships, over the 421 filers: whom it accepts, and that nothing is held against them."""

import csv
from functools import cache
from pathlib import Path

import pytest

from credence.companies.invariants import fails_a_check
from credence.policy.decision import Decision, decide
from credence.policy.policy import Policy, read_policy
from credence.sandbox.provision import POLICY
from credence.scoring.model import current_model
from tests.judgement.filers import Filer, filers

SHIPPED = {POLICY.stem: POLICY}
LISTS = Path(__file__).parent
"""`accepted-<policy>.csv`: number and limit of each filer that a policy accepts, for a person to read."""


@cache
def policy(name: str) -> Policy:
    return read_policy(SHIPPED[name].read_bytes())


@cache
def decisions(name: str) -> tuple[tuple[Filer, Decision], ...]:
    return tuple((each, decide(each.report(), policy(name), each.today)) for each in filers())


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_policy_has_every_reservation_in_a_rule(name: str) -> None:
    pointer = "/Assessment/Headline/Reservations/*/Code"
    tests = [test for rule in policy(name).rules for test in rule.tests if test.pointer.text == pointer]
    assert {code for test in tests for code in test.operand} == current_model().reservations.by_code.keys()


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_policy_reads_the_date_of_the_accounts_and_not_the_day_of_the_score(name: str) -> None:
    members = {each.text for each in policy(name).pointers}
    assert "/Financials/Accounts/0/DateOfAccounts" in members
    assert "/Assessment/Score/Day" not in members


@pytest.mark.parametrize("name", SHIPPED)
def test_whom_a_shipped_policy_accepts_has_a_limit_and_nothing_against_it(name: str) -> None:
    """By the figures as filed, without the rules of the score."""
    for each, decision in decisions(name):
        if decision.Outcome != "accept":
            continue
        figures = each.filing.periods[0].figures
        assert decision.Limit, each.filing.company
        assert figures.net_assets is None or figures.net_assets.value > 0
        assert figures.net_current_assets is None or figures.net_current_assets.value > 0
        results = (figures.profit_before_tax, figures.profit)
        assert all(result is None or result.value >= 0 for result in results)
        assert (each.filing.currency, each.filing.tagged_currency, bool(each.filing.dormant)) == ("GBP", "", False)
        assert not fails_a_check(each.filing.periods[0].balanced, each.filing.periods[0].contradictions)


@pytest.mark.parametrize("name", SHIPPED)
def test_the_filers_that_a_shipped_policy_accepts_are_listed(name: str) -> None:
    """Of 421; the list is read by a person when a rule changes it."""
    accepted = {
        each.filing.company: decision.Limit for each, decision in decisions(name) if decision.Outcome == "accept"
    }
    with (LISTS / f"accepted-{name}.csv").open(newline="") as file:
        listed = {row["RegNumber"]: int(row["Limit"]) for row in csv.DictReader(file)}
    assert accepted == listed
