"""A report says what earlier runs found, what moved since, and where the company stands (report schema §8, credit §9)."""

import datetime as dt
from typing import Any

import msgspec

from credence.companies.facts.company import Company, Withdrawn
from credence.companies.facts.events import Notice
from credence.companies.facts.scores import PastScore, Scores, Spread
from credence.scoring.model import current_model
from tests.report.hand_made import ENTRY, company, held, report_on
from tests.report.schema import faults

HASH = current_model().hash

OVERDUE = company(
    register=msgspec.structs.replace(
        ENTRY, accounts=msgspec.structs.replace(ENTRY.accounts, next_due=dt.date(2026, 4, 11))
    )
)
"""Judged for 1 May 2026, so its accounts are 20 days overdue: -4 points (register-points)."""


def lines_of(report: dict[str, Any]) -> dict[str, int]:
    return {line["Code"]: line["Points"] for line in report["Assessment"]["Score"]["Lines"]}


def past(score: int, lines: dict[str, int], **changes: Any) -> PastScore:
    plain = PastScore(
        run=dt.date(2026, 4, 2),
        day=dt.date(2026, 4, 1),
        version="2026.11",
        hash=HASH,
        score=score,
        limit=1000,
        lines=tuple(lines.items()),
        overridden=False,
    )
    return msgspec.structs.replace(plain, **changes)


SPREADS = {
    ("", "score"): Spread((10.0, 90.0), (30, 40)),
    ("J", "score"): Spread((10.0, 20.0, 90.0), (12, 18, 20)),
}


def with_past(subject: Company, *found: PastScore) -> dict[str, Any]:
    scores = Scores(found, dt.date(2026, 5, 2), SPREADS)
    report = report_on(msgspec.structs.replace(subject, scores=scores))
    assert list(faults(report, "LtdCompanyData")) == []
    return report


def test_points_that_moved_are_told_with_why_and_add_up() -> None:
    now = report_on(OVERDUE)
    lines = lines_of(now)
    score = now["Assessment"]["Score"]["Score"]
    # Before: not overdue, +1; one more rule that no longer applies held the score down by 3.
    before = lines | {"accounts-overdue": 1, "ceiling.strike-off": -3}
    report = with_past(OVERDUE, past(score + 5 - 3, before))
    change = report["Assessment"]["ScoreChange"]
    assert (change["Since"], change["Before"], change["After"]) == ("2026-04-02", score + 2, score)
    assert change["Lines"] == [
        {
            "Code": "accounts-overdue",
            "Words": "Accounts overdue",
            "Why": "The accounts were 20 days overdue on 1 May 2026.",
            "Before": 1,
            "After": -4,
        },
        {"Code": "ceiling.strike-off", "Words": "Legal state", "Why": "It no longer applies.", "Before": -3},
    ]
    moved = sum(each.get("After", 0) - each.get("Before", 0) for each in change["Lines"])
    assert moved == change["After"] - change["Before"]
    assert "Remark" not in change


def test_a_score_by_another_model_is_said_to_be_that() -> None:
    lines = lines_of(report_on(OVERDUE))
    report = with_past(OVERDUE, past(50, lines | {"base": 60}, version="2025.01", hash="f" * 64))
    assert "2025.01 (ffffffffffff)" in report["Assessment"]["ScoreChange"]["Remark"]


def test_the_newest_score_of_a_run_is_no_history_while_it_is_the_present_one() -> None:
    now = report_on(OVERDUE)
    delphi, lines = now["CommercialDelphi"], lines_of(now)
    same = past(int(delphi["CommDelphiScore"]), lines, limit=int(delphi["CreditLimit"]))
    history = with_past(OVERDUE, same)["CommercialDelphiHistory"]["CompanyHistory"]
    assert history["ScoreHistoryCount"] == 0
    assert "ScoreHistory" not in history
    assert history["CommDelphiScore"] == delphi["CommDelphiScore"]


def test_earlier_scores_are_text_and_the_newest_comes_first() -> None:
    lines = lines_of(report_on(OVERDUE))
    older = past(44, lines, run=dt.date(2026, 3, 2), limit=None, overridden=True)
    history = with_past(OVERDUE, past(45, lines), older)["CommercialDelphiHistory"]["CompanyHistory"]
    assert history["ScoreHistoryCount"] == 2
    assert history["ScoreHistory"] == [
        {
            "CommDelphiScore": "45",
            "ScoreHistoryDate": "2026-04-02",
            "OverrideIndicator": "N",
            "CreditLimitOverrideIndicator": "N",
            "CreditRatingOverrideIndicator": "N",
            "CreditLimit": "1000",
            "CreditRating": "1000",
        },
        {
            "CommDelphiScore": "44",
            "ScoreHistoryDate": "2026-03-02",
            "OverrideIndicator": "Y",
            "CreditLimitOverrideIndicator": "Y",
            "CreditRatingOverrideIndicator": "Y",
        },
    ]


def test_the_rank_counts_companies_of_the_last_run_and_equal_scores_by_half() -> None:
    report = with_past(OVERDUE, past(45, {}))
    history = report["CommercialDelphiHistory"]
    score = int(history["CompanyHistory"]["CommDelphiScore"])
    assert 20 < score < 90
    # 18 of the 20 companies of section J, information and communication, are below; 30 of all 40.
    ranking = history["SectorRanking"]
    assert (ranking["IndCompSector"], ranking["IndNumberSector"], ranking["IndNumberLowerScore"]) == ("J", "20", "18")
    assert (ranking["IndPercentile"], ranking["AllPercentile"], ranking["AllNumberHigherScore"]) == ("90", "75", "10")
    # (12 x 10 + 6 x 20 + 2 x 90) / 20 and (30 x 10 + 10 x 90) / 40
    averages = history["SectorScore"]
    assert (averages["IndAverageDelphiScore"], averages["AllAverageDelphiScore"]) == ("21", "30")
    position = report["Assessment"]["SectorPosition"]
    assert (position["Section"], position["Companies"], position["ScorePercentile"]) == ("J", 20, 90)


def test_without_a_run_there_is_no_history_and_the_report_says_so() -> None:
    report = report_on(OVERDUE)
    assert "CommercialDelphiHistory" not in report
    assert not {"ScoreChange", "SectorPosition"} & report["Assessment"].keys()
    assert "CommercialDelphiHistory" in {each["Member"] for each in report["Assessment"]["NotHeld"]}


def test_a_score_that_recovers_after_a_petition_says_why() -> None:
    """The Gazette dismisses the petition, or withdraws its notice; the points that a ceiling took come back."""
    petition, dismissal = Notice("1", "2450", dt.date(2026, 4, 1)), Notice("2", "2461", dt.date(2026, 4, 20))
    taken_back = Withdrawn(petition, petition.published, dt.date(2026, 4, 22), "withdrawn")
    sound = company(register=ENTRY)
    lines = lines_of(report_on(sound))
    score = sum(lines.values())
    dismissed = msgspec.structs.replace(sound, notices=held((petition, dismissal)))
    withdrawn = msgspec.structs.replace(sound, notices=msgspec.structs.replace(held(()), withdrawn=(taken_back,)))
    for subject, why in (
        (dismissed, "The petition was dismissed, says a notice of 20 April 2026."),
        (withdrawn, "The notice does not count since 22 April 2026: the publisher withdrew it."),
    ):
        assert report_on(subject)["Assessment"]["Score"]["Score"] == score
        change = with_past(subject, past(29, lines | {"ceiling.petition": 29 - score}))["Assessment"]["ScoreChange"]
        assert [(each["Code"], each["Why"]) for each in change["Lines"]] == [("ceiling.petition", why)]
    shown = report_on(withdrawn)
    assert [(each["EventType"], each["EventDate"]) for each in shown["LegalNotices"]["SummaryLine"]] == [
        ("F", "2026-04-22")
    ]
    assert shown["ScoringData"]["NumDismissedPetition"] == 1
    assert report_on(dismissed)["LegalNotices"]["WindUp"]["Dismissal"] == [{"PublicationDate": "2026-04-20"}]
