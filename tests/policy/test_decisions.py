"""What a policy makes of a report: the rule and the member that decided, unknown members, the limit, the hash."""

import datetime as dt
from typing import Any

import msgspec
import pytest

from credence.companies.facts.register import AccountsFiling
from credence.policy.decision import Decision, decide
from credence.policy.pointer import pointer, read
from credence.policy.policy import read_policy
from credence.report.build.group import Group
from credence.report.build.report import build
from credence.report.schema.report import LtdCompanyData
from credence.sandbox.invented.companies import INVENTED
from credence.sandbox.provision import POLICY
from tests.policy.test_policies import HEAD
from tests.report.hand_made import ENTRY, TODAY, company, filing, period


def a_report(**parts: Any) -> LtdCompanyData:
    """A company in band A to C with a suggested limit, incorporated on 2 June 2010."""
    year = period(
        dt.date(2025, 12, 31),
        current_assets=600_000,
        net_current_assets=400_000,
        creditors_within_year=200_000,
        net_assets=700_000,
        equity=700_000,
        total_assets=1_000_000,
        tangible_net_assets=700_000,
    )
    known: dict[str, Any] = {"register": ENTRY, "accounts": (filing(year),)}
    return build(company(**(known | parts)), Group(), TODAY)


def decided(rules: str, report: LtdCompanyData, amount: int | None = None, **head: str) -> Decision:
    more = "".join(f"{name} = {value}\n" for name, value in head.items())
    return decide(report, read_policy((HEAD + more + rules).encode()), TODAY, amount)


def rule(identifier: str, outcome: str, condition: str, **more: str) -> str:
    further = "".join(f'{name} = "{value}"\n' for name, value in more.items())
    return (
        f'[[rule]]\nid = "{identifier}"\noutcome = "{outcome}"\nreason = "Because."\n{further}'
        f"when = [{{ {condition} }}]\n"
    )


YOUNG = 'member = "/Identification/IncorporationDate", newer_than_months = 200'
CODE = 'member = "/Identification/SICInformation1992/*/Code", starts_with = ["62"]'
TURNOVER = 'member = "/Financials/Accounts/0/ProfitLoss/TurnoverSalesDetails/TurnoverSales", below = 1'


def test_the_most_severe_outcome_decides_and_points_to_its_member() -> None:
    found = decided(rule("young", "refer", YOUNG) + rule("software", "decline", CODE), a_report())
    assert found.Outcome == "decline"
    assert [(each.Rule, each.Member, each.Value) for each in found.Findings] == [
        ("software", "/Identification/SICInformation1992/0/Code", "62012"),
        ("young", "/Identification/IncorporationDate", "2010-06-02"),
    ]
    assert found.Limit is None


def test_every_pointer_of_a_finding_leads_to_its_value_in_the_report() -> None:
    """RFC 6901, on the report as it is sent."""
    report = a_report()
    found = decided(rule("young", "refer", YOUNG) + rule("software", "decline", CODE), report)
    for each in found.Findings:
        value: Any = msgspec.to_builtins(report)
        for step in each.Member.split("/")[1:]:
            value = value[int(step)] if isinstance(value, list | tuple) else value[step]
        assert str(value) == each.Value


@pytest.mark.parametrize(
    ("condition", "counts"),
    [
        ('member = "/RegNumber", is = "00000001"', True),
        ('member = "/RegNumber", is_not = "00000001"', False),
        ('member = "/RegNumber", in = ["00000001", "x"]', True),
        ('member = "/RegNumber", not_in = ["00000001", "x"]', False),
        ('member = "/Mortgages/NumMortgages", at_least = 2', True),
        ('member = "/Mortgages/NumMortgages", above = 2', False),
        ('member = "/Mortgages/NumMortgages", at_most = 2', True),
        ('member = "/Mortgages/NumMortgages", below = 2', False),
        # From 2 June 2010 to 1 June 2026 are 191 whole months.
        ('member = "/Identification/IncorporationDate", older_than_months = 192', False),
        ('member = "/Identification/IncorporationDate", older_than_months = 191', True),
        ('member = "/Identification/IncorporationDate", newer_than_months = 191', False),
        ('member = "/Identification/IncorporationDate", newer_than_months = 192', True),
        ('member = "/Identification/IncorporationDate", is = "2010-06-02"', True),
        ('member = "/Assessment/Score/Failed", is = false', True),
        ('member = "/ManagementInfo", held = false', True),
        ('member = "/ManagementInfo", held = true', False),
        ('member = "/Identification", held = true', True),
    ],
)
def test_an_operator_compares_the_member(condition: str, counts: bool) -> None:
    assert (decided(rule("it", "decline", condition), a_report()).Outcome == "decline") is counts


def test_an_absent_member_lets_a_rule_pass_unless_the_rule_says_what_unknown_means() -> None:
    """Unknown is neither true nor false: no turnover is filed here."""
    report = a_report()
    assert decided(rule("poor", "decline", TURNOVER), report).Outcome == "refer"
    found = decided(rule("poor", "decline", TURNOVER, unknown="accept"), report)
    assert (found.Outcome, found.Findings[0].Rule) == ("accept", "poor")
    assert found.Findings[0].Value is None
    assert found.Findings[0].Member == "/Financials/Accounts/0/ProfitLoss/TurnoverSalesDetails/TurnoverSales"


def test_all_conditions_of_a_rule_must_hold() -> None:
    both = rule("both", "decline", f"{CODE} }}, {{ {YOUNG.replace('200', '1')}")
    assert decided(both, a_report()).Findings[0].Rule == "otherwise"
    assert decided(both.replace("months = 1", "months = 200"), a_report()).Outcome == "decline"


WITHOUT_FIGURES = "[limit]\nwithout_figures = 500\n"


@pytest.mark.parametrize(
    ("parts", "limit"),
    [
        ({"accounts": ()}, 500),
        ({}, None),
        ({"accounts": (), "register": msgspec.structs.replace(ENTRY, accounts=AccountsFiling(category="DORMANT"))}, 0),
        ({"accounts": (), "register": msgspec.structs.replace(ENTRY, status="Liquidation")}, 0),
    ],
)
def test_a_policy_may_grant_a_limit_to_a_company_without_figures(parts: dict[str, Any], limit: int | None) -> None:
    """Never to a dormant or a failed one; with figures, or without the setting, the suggested limit decides."""
    report = a_report(**parts)
    another = rule("another", "decline", 'member = "/RegNumber", is = "x"')
    found = decided(WITHOUT_FIGURES + another, report, otherwise='"accept"')
    plain = decided(another, report, otherwise='"accept"')
    assert found.Limit == (plain.SuggestedLimit if limit is None else limit)
    assert plain.Limit == plain.SuggestedLimit


def test_a_list_that_is_there_and_empty_is_known() -> None:
    report = a_report(register=msgspec.structs.replace(ENTRY, activities=()))
    assert decided(rule("software", "decline", CODE, unknown="decline"), report).Findings[0].Rule == "otherwise"
    assert read(report, pointer("/ManagementInfo/NumDirs")) == (("/ManagementInfo/NumDirs", None),)


def test_an_accepted_company_gets_its_share_of_the_suggested_limit() -> None:
    report = a_report()
    assert report.Assessment
    assert report.Assessment.Score
    suggested = report.Assessment.Score.Limit.Amount
    assert suggested
    half = decided("[limit]\nshare = 0.5\n" + rule("no", "decline", TURNOVER), report, otherwise='"accept"')
    assert (half.Outcome, half.SuggestedLimit, half.Limit) == ("accept", suggested, suggested // 2)
    capped = decided("[limit]\ncap = 1000\n" + rule("no", "decline", TURNOVER), report, 900, otherwise='"accept"')
    assert (capped.Outcome, capped.Limit, capped.Amount) == ("accept", 900, 900)
    above = decided("[limit]\ncap = 1000\n" + rule("no", "decline", TURNOVER), report, 1_001, otherwise='"accept"')
    assert (above.Outcome, above.Limit) == ("refer", None)
    assert (above.Findings[0].Rule, above.Findings[0].Member) == ("above-limit", "/Assessment/Score/Limit/Amount")


def test_the_hash_is_that_of_the_input_and_of_nothing_else() -> None:
    """Equal inputs have equal hashes; the company, the amount, the policy and every member that is read change it."""
    rules = rule("software", "decline", CODE)
    base = decided(rules, a_report()).InputHash
    other_name = a_report(register=msgspec.structs.replace(ENTRY, name="ANOTHER NAME LIMITED"))
    assert decided(rules, other_name).InputHash == base
    without = a_report(register=msgspec.structs.replace(ENTRY, activities=()))
    others = {
        decided(rules, without).InputHash,
        decided(rules, a_report(), 5).InputHash,
        decided(rules.replace("Because", "As"), a_report()).InputHash,
        decided(rules, msgspec.structs.replace(a_report(), RegNumber="00000002")).InputHash,
    }
    assert len(others | {base}) == 5


@pytest.mark.parametrize("number", INVENTED)
def test_a_policy_decides_on_the_members_it_names_as_on_the_whole_report(number: str) -> None:
    policy = read_policy(POLICY.read_bytes())
    assert "ManagementInfo" not in policy.members
    whole, part = (build(INVENTED[number], Group(), TODAY, *members) for members in ((), (policy.members,)))
    assert decide(part, policy, TODAY, 1_000) == decide(whole, policy, TODAY, 1_000)
