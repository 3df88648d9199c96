"""Each rule fires at its change and at no other, and its preview counts what the loaded history knows of it (D31)."""

import datetime as dt
from typing import Any

import pytest
from msgspec.structs import replace

from credence.companies.facts.accounts import Accounts, AccountsFinding, FindingKind
from credence.companies.facts.company import Company, Provenance, Sourced
from credence.companies.facts.dispute import Dispute, DisputeStatus
from credence.companies.facts.events import CaseDate, Charge, Filing, InsolvencyCase, Notice, PaymentPractice
from credence.companies.facts.people import Officer, Owner
from credence.companies.facts.register import AccountsFiling, Activity, FormerName, Office, unregistered
from credence.companies.facts.scores import PastScore, Scores
from credence.monitoring.comparing import changes, fires
from credence.monitoring.observing import observe
from credence.monitoring.preview import history
from credence.monitoring.rules import RULES
from credence.scoring.model import current_model
from credence.store.portfolios import RuleSetting
from tests.scoring import companies as made_up

DAY = dt.date(2026, 10, 1)
PARENT, PARENTS_SCORE = "00000009", 40
OWNERSHIP = ("ownership-of-shares-75-to-100-percent",)


def sourced(value: Any) -> Any:
    return Sourced(value, Provenance("test", DAY))


def registered(**changed: Any) -> Company:
    entry = replace(unregistered("00000001", "PLACEHOLDER LIMITED"), **changed)
    return Company(number="00000001", register=sourced(entry))


def having(part: str, *facts: Any, **more: Any) -> Company:
    return Company(number="00000001", **{part: sourced(tuple(facts))}, **more)


def scored(*runs: tuple[int, int]) -> Scores:
    """Score and limit of each run, the newest first."""
    past = [
        PastScore(DAY - dt.timedelta(days=30 * place), DAY, "m", "h", score, limit, (), overridden=False)
        for place, (score, limit) in enumerate(runs)
    ]
    return Scores(tuple(past), DAY, {})


def accounts(*findings: FindingKind) -> Accounts:
    said = tuple(AccountsFinding(kind, "A sentence.", "notes") for kind in findings)
    return Accounts("00000001", "d1", DAY, DAY, "GBP", (), (), "frc", "FRS 102", findings=said)


OWNER = Owner("o1", "corporate-entity", "PARENT LIMITED", OWNERSHIP, corporate=True, registration_number=PARENT)
OWNER = replace(OWNER, country="England")
OFFICER = Officer("d1", "director", "PLACEHOLDER")
LEFT = replace(OFFICER, resigned=DAY)
DISPUTE = Dispute("/CommercialName", "It is wrong.", DisputeStatus.OPEN, DAY, DAY)
STRIKE_OFF = Filing("f1", DAY, "gazette", "GAZ1", "gazette-notice-compulsory")
CASE = InsolvencyCase("1", "compulsory-liquidation", (CaseDate("wound-up-on", DAY),))
BEFORE_DAY, AFTER_DAY = DAY - dt.timedelta(days=1), DAY + dt.timedelta(days=1)
NEXT_DUE, PAST_DUE = AccountsFiling(next_due=AFTER_DAY), AccountsFiling(next_due=BEFORE_DAY)
CHARGED = Charge("c1", "outstanding", created=DAY)
SATISFIED = Charge("c1", "fully-satisfied", created=DAY, satisfied=DAY)
RENAMED = {"name": "NEW LIMITED", "former_names": (FormerName("PLACEHOLDER LIMITED", DAY),)}

SOUND = replace(registered(status="Active"), scores=scored((60, 100)))
FAILED = replace(registered(status="Liquidation"), scores=scored((0, 0), (60, 100)))
"""Any score above the parent's, and that of a failed company, which has no limit (credit §7.1)."""
WITH_LIMIT = replace(SOUND, accounts=sourced((made_up.accounts(made_up.figures(**made_up.SOUND)),)))

CASES: dict[str, tuple[Company, Company, str, int]] = {
    "band": (SOUND, FAILED, "fell", 1),
    "score": (SOUND, FAILED, "fell", 1),
    "limit": (WITH_LIMIT, replace(WITH_LIMIT, register=FAILED.register, scores=FAILED.scores), "fell", 1),
    "status": (registered(status="Active"), registered(status="Liquidation"), "liquidation", 0),
    "strike-off": (having("filings"), having("filings", STRIKE_OFF), "proposed", 1),
    "notice": (having("notices"), having("notices", Notice("n1", "2450", DAY)), "2450", 1),
    "insolvency": (having("insolvency"), having("insolvency", CASE), "compulsory-liquidation", 1),
    "accounts-filed": (having("accounts"), having("accounts", accounts()), "filed", 1),
    "accounts-overdue": (registered(accounts=NEXT_DUE), registered(accounts=PAST_DUE), "began", 0),
    "accounts-category": (
        registered(accounts=AccountsFiling(category="FULL")),
        registered(accounts=AccountsFiling(category="SMALL")),
        "changed",
        0,
    ),
    "accounts-text": (
        having("accounts"),
        having("accounts", accounts(FindingKind.GOING_CONCERN)),
        "going-concern",
        1,
    ),
    "confirmation-overdue": (
        registered(confirmation_next_due=AFTER_DAY),
        registered(confirmation_next_due=BEFORE_DAY),
        "began",
        0,
    ),
    "charge": (having("charges", CHARGED), having("charges", SATISFIED), "satisfied", 1),
    "officer": (having("officers", OFFICER), having("officers", LEFT), "left", 1),
    "owner": (having("owners"), having("owners", OWNER), "appointed", 1),
    "name": (registered(), registered(**RENAMED), "changed", 1),
    "address": (registered(), registered(office=Office(line_1="1 ROAD")), "changed", 0),
    "activity": (registered(), registered(activities=(Activity("62012", "Software"),)), "changed", 0),
    "payment-practice": (
        having("payment_practices", PaymentPractice("p1", DAY, DAY, DAY, 30.0)),
        having("payment_practices", PaymentPractice("p2", DAY, DAY, DAY, 45.0)),
        "rose",
        0,
    ),
    "group": (
        replace(FAILED, owners=sourced((OWNER,))),
        replace(SOUND, owners=sourced((OWNER,))),
        "weaker",
        0,
    ),
    "reservation": (
        replace(registered(), accounts=sourced((accounts(),))),
        replace(registered(), accounts=sourced((accounts(FindingKind.GOING_CONCERN),))),
        "GOING-CONCERN",
        0,
    ),
    "dispute": (Company(number="00000001"), Company(number="00000001", disputes=(DISPUTE,)), "open", 1),
}
"""Rule -> the company before and after, the kind of the change, and the events of its preview after it."""

ELSEWHERE = {"decision", "digest"}
"""The rules that no observed fact fires: `test_decisions.py` and `tests/web/test_alerts.py` are about them."""


def observed(company: Company) -> dict[str, Any]:
    return observe(company, ("register",), DAY, lambda number: PARENTS_SCORE if number == PARENT else None)


def test_every_rule_has_its_case() -> None:
    assert CASES.keys() | ELSEWHERE == RULES.keys()


@pytest.mark.parametrize("rule", CASES)
def test_a_rule_fires_at_its_change_and_not_without_one(rule: str) -> None:
    before, after, kind, _ = CASES[rule]
    found = [each for each in changes(observed(before), observed(after), {}) if fires(each, RuleSetting(rule))]
    assert [each.kind for each in found] == [kind]
    assert changes(observed(after), observed(after), {}) == []


@pytest.mark.parametrize("rule", CASES)
def test_a_preview_counts_what_the_loaded_history_knows(rule: str) -> None:
    *_, after, _, count = CASES[rule]
    found = [each for each in history(after, current_model().terms, DAY) if fires(each, RuleSetting(rule))]
    assert len(found) == count
