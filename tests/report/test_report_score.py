"""The score in a report: all points, as text where the wire wants text, or why there is none (credit §7, §10, D21)."""

import datetime as dt
from pathlib import Path
from typing import Any

import msgspec
import pytest

from credence.companies.facts.company import Company, Provenance, Sourced
from credence.companies.facts.events import CaseDate, InsolvencyCase, Notice
from credence.companies.facts.register import AccountsFiling, Activity, Charges, FormerName
from credence.report.build.group import Group
from credence.report.build.report import build, encode
from credence.report.schema import xml
from credence.sandbox.demonstration_accounts import read_demonstration
from tests import sweeps
from tests.report.hand_made import ENTRY, NOTHING, TODAY, WHOLE, company, filing, held, period, report_on
from tests.report.schema import faults
from tests.report.test_credit_report import entries_of

SNAPSHOT = Provenance("A snapshot", dt.date(2020, 5, 1))

SOUND = period(
    dt.date(2025, 12, 31),
    dt.date(2025, 1, 1),
    fixed_assets=40_000,
    current_assets=60_000,
    stocks=10_000,
    debtors=30_000,
    cash=20_000,
    creditors_within_year=20_000,
    creditors_after_year=10_000,
    net_current_assets=40_000,
    total_assets=100_000,
    total_liabilities=30_000,
    net_assets=70_000,
    tangible_net_assets=70_000,
    share_capital=100,
    retained_earnings=69_900,
)
BEFORE = period(dt.date(2024, 12, 31), dt.date(2024, 1, 1), net_assets=60_000)


def sound(**changes: Any) -> Company:
    """A company that pays its way; changes are of its register entry."""
    return company(register=msgspec.structs.replace(ENTRY, **changes), accounts=(filing(SOUND, BEFORE),))


def of(subject: Company) -> tuple[dict[str, str], dict[str, Any]]:
    report = report_on(subject)
    return report["CommercialDelphi"], report["Assessment"]["Score"]


def check(report: dict[str, Any]) -> None:
    """Hold a report to what must be so of every company."""
    detail, reason = report["Assessment"].get("Score"), report["Assessment"].get("NotScored")
    delphi, absent = report.get("CommercialDelphi"), {each["Member"] for each in report["Assessment"]["NotHeld"]}
    assert (detail is None) is (reason is not None) is (delphi is None) is ("CommercialDelphi" in absent)
    for model in report["Assessment"].get("PublishedModels", ()):
        assert ("Value" in model) is ("NotComputable" not in model)
    if detail is None or delphi is None:
        return
    assert sum(line["Points"] for line in detail["Lines"]) == detail["Score"]
    assert 0 <= detail["Lowest"] <= detail["Score"] <= detail["Highest"] <= 100
    assert all(isinstance(value, str) for value in delphi.values())
    assert delphi["CommDelphiScore"] == str(detail["Score"])
    assert ("CreditLimit" in delphi) is ("Amount" in detail["Limit"]) is ("CommercialDelphi.CreditLimit" not in absent)
    scored = {line["Code"]: line for line in detail["Lines"]}
    unknown = {each["Code"] for each in detail.get("Unknown", ())}
    assert not unknown & scored.keys()  # what is not known is no line, not one of nothing
    for each in detail.get("Reasons", ()):
        line = scored[each["Code"]]
        assert (each["Points"], each["Sentence"]) == (line["Points"], line["Sentence"])
        assert each["Sentence"]
        assert line["Layer"] in {"ratios", "conduct", "legal", "judgement"}
    told = [delphi[name] for name in sorted(delphi) if name.startswith("CreditTextLine")]
    assert told == [each["Sentence"] for each in detail.get("Reasons", ())[:4]]


@pytest.mark.sweep
def test_the_scores_of_real_companies_are_the_sums_of_their_lines(sample_file: Path) -> None:
    """Report schema §3, credit §7.3: a company without a score has the reason."""
    bands = set()
    for each in sweeps.sample(list(entries_of(sample_file)), 200):
        assert each.register is not None
        subject = msgspec.structs.replace(each, register=Sourced(each.register.value, SNAPSHOT))
        report = msgspec.json.decode(encode(build(subject, Group(), TODAY)))
        check(report)
        bands.add(report.get("CommercialDelphi", {}).get("CommDelphiBand"))
    assert bands == {"C", "D", "E", None}  # without accounts nobody is of low risk


def test_every_company_with_accounts_has_a_score_that_its_lines_add_up_to() -> None:
    """The accounts have no register entries of their own, so each is lent an active one."""
    computed = 0
    for record in read_demonstration():
        for register in (None, Sourced(msgspec.structs.replace(ENTRY, number=record.company), SNAPSHOT)):
            subject = Company(number=record.company, register=register, accounts=held((record.fact,)))
            report = msgspec.json.decode(encode(build(subject, Group(), TODAY)))
            check(report)
            assert set(faults(report, "LtdCompanyData")) == set()
            computed += any("Value" in each for each in report["Assessment"].get("PublishedModels", ()))
    assert computed > 200  # Z'' or its partial indicator, of two reports on each of 421


def test_band_limit_and_odds_follow_from_the_score() -> None:
    """docs/scoring.md works it out: 64 + 18 + 12 + 3 + 2 - 2 - 2 + 6 = 101; 10 % of 70,000; odds 199 x 2^(40/8)."""
    delphi, detail = of(sound())
    assert (detail["Score"], delphi["CommDelphiBand"], delphi["CommDelphiBandText"]) == (100, "A", "Very low risk")
    assert delphi["CreditLimit"] == delphi["CreditRating"] == "5600"
    assert delphi["StabilityOdds"] == "6368:1"
    assert detail["Limit"]["Terms"] == [
        {"Words": "10% of tangible net assets", "Amount": 7_000},
        {"Words": "20% of working capital", "Amount": 8_000},
        {"Words": "One month of turnover"},
    ]


def test_no_override_without_a_rule_on_the_legal_state() -> None:
    delphi, _ = of(sound())
    assert {value for name, value in delphi.items() if name.endswith("Indicator")} == {"N"}
    assert delphi["ConclusionText"].startswith("Very low risk: score 100 of 100; probability")


def test_a_legal_rule_overrides_and_leads_the_reasons() -> None:
    """Report schema §9."""
    delphi, detail = of(sound(status="Active - Proposal to Strike off"))
    assert {value for name, value in delphi.items() if name.endswith("Indicator")} == {"Y"}
    assert (delphi["CommDelphiScore"], delphi["CommDelphiBand"]) == ("49", "D")
    assert delphi["CreditTextLine1"] == "The proposal on 1 May 2026 to strike the company off limits the score to 49."
    assert detail["Lines"][-1]["Points"] == 49 - 101


def test_a_failed_company_has_score_0_and_neither_odds_nor_probability() -> None:
    delphi, detail = of(sound(status="Liquidation"))
    assert (delphi["CommDelphiScore"], delphi["CreditLimit"], detail["Failed"]) == ("0", "0", True)
    assert "StabilityOdds" not in delphi
    assert "ProbabilityOfFailure" not in detail
    assert delphi["ConclusionText"].startswith("The company has failed")


def test_a_petition_is_a_reason_even_if_the_points_alone_are_as_low() -> None:
    """credit §10: none that mattered is left out."""
    poor = period(
        dt.date(2025, 12, 31), total_assets=10_000, net_assets=-50_000, current_assets=100, creditors_within_year=60_000
    )
    subject = company(
        register=msgspec.structs.replace(
            ENTRY,
            status="Active",
            activities=(Activity("56101", "Licensed restaurants"),),
            incorporated=dt.date(2024, 1, 1),
            accounts=AccountsFiling(next_due=dt.date(2025, 1, 1)),
            confirmation_next_due=dt.date(2025, 1, 1),
            charges=Charges(5, 5, 0, 0),
            former_names=(FormerName("BEFORE LTD", dt.date(2026, 1, 1)), FormerName("FIRST LTD", dt.date(2025, 6, 1))),
        ),
        accounts=(filing(poor),),
        notices=(Notice("n", "2450", dt.date(2026, 4, 1)),),
    )
    delphi, detail = of(subject)
    assert detail["Reasons"][0] == {
        "Code": "ceiling.petition",
        "Sentence": "A petition of 1 April 2026 to wind the company up limits the score to 29.",
        "Points": 0,
    }
    assert delphi["OverrideIndicator"] == "Y"


@pytest.mark.parametrize(
    ("subject", "code"),
    [
        (company(accounts=(filing(SOUND),)), "unscored.no-register"),
        (company(register=msgspec.structs.replace(ENTRY, status="Dissolved")), "unscored.dissolved"),
        (msgspec.structs.replace(company(register=ENTRY), number="SL000001"), "unscored.partnership"),
        (company(register=NOTHING), "unscored.no-status"),
    ],
)
def test_a_company_without_a_score_has_the_reason_and_no_delphi(subject: Company, code: str) -> None:
    """credit §7.3: "not scored" is a valid answer, always with its reason."""
    report = report_on(subject)
    check(report)
    reason = report["Assessment"]["NotScored"]
    assert reason["Code"] == code
    assert {"Member": "CommercialDelphi", "Reason": f"Not scored: {reason['Reason']}"} in report["Assessment"][
        "NotHeld"
    ]


@pytest.mark.parametrize(
    ("as_of", "day"),
    [(dt.date(2026, 5, 1), "2026-05-01"), (dt.date(2026, 7, 1), "2026-06-01"), (None, "2026-06-01")],
)
def test_the_day_of_the_score_is_the_day_of_the_register(as_of: dt.date | None, day: str) -> None:
    """The report is of 1 June 2026; what is due and the status are of the snapshot's day."""
    subject = msgspec.structs.replace(sound(), register=held(ENTRY, as_of))
    assert of(subject)[1]["Day"] == day


def test_a_notice_after_the_snapshot_changes_the_score_and_its_day() -> None:
    """The snapshot is of 1 May 2026 and says Active; the report is of 1 June."""
    order = Notice("n", "2452", dt.date(2026, 5, 20))
    delphi, detail = of(msgspec.structs.replace(sound(), notices=held((order,))))
    assert (delphi["CommDelphiScore"], detail["Day"]) == ("0", "2026-05-20")
    later = Notice("n", "2452", TODAY + dt.timedelta(days=1))
    assert of(msgspec.structs.replace(sound(), notices=held((later,))))[1]["Day"] == "2026-05-01"


def test_a_solvent_liquidation_after_the_snapshot_has_no_score_and_names_its_day() -> None:
    case = InsolvencyCase("1", "members-voluntary-liquidation", (CaseDate("wound-up-on", dt.date(2026, 5, 20)),))
    reason = report_on(msgspec.structs.replace(sound(), insolvency=held((case,))))["Assessment"]["NotScored"]
    assert (reason["Code"], reason["Day"]) == ("unscored.solvent-liquidation", "2026-05-20")


def test_accounts_in_another_currency_leave_the_limit_out() -> None:
    """Unknown is not zero."""
    subject = company(register=ENTRY, accounts=(filing(SOUND, BEFORE, currency="EUR"),))
    report = report_on(subject)
    check(report)
    assert "CreditLimit" not in report["CommercialDelphi"]
    assert {"Member": "CommercialDelphi.CreditLimit", "Reason": "The accounts are in EUR, not in pounds."} in (
        report["Assessment"]["NotHeld"]
    )


def test_an_input_that_was_left_out_has_a_note() -> None:
    notes = of(company(register=ENTRY))[1]["Notes"]
    assert notes == [{"Code": "ratios.no-accounts", "Sentence": "No accounts are on record, so no ratio is scored."}]


def test_the_model_is_named_with_version_and_hash_and_its_card_and_a_person_decides() -> None:
    """credit §10: model version in each report, human review, contest."""
    _, detail = of(WHOLE)
    assert set(detail["Model"]) == {"Name", "Version", "Hash", "Card"}
    assert len(detail["Model"]["Hash"]) == 64
    assert detail["HumanReview"].startswith("Decision support, not a decision.")
    assert "contest" in detail["Contest"]


def test_the_xml_contains_the_score() -> None:
    assert b"<CommDelphiScore>0</CommDelphiScore>" in xml.report_xml(build(WHOLE, Group(), TODAY))
