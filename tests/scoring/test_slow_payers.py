"""`SLOW-PAYER`: what the statutory reports on paying suppliers cost (docs/judgement.md)."""

import datetime as dt

import msgspec
import pytest

from credence.companies.facts.company import Company, Provenance, Sourced
from credence.companies.facts.events import PaymentPractice
from credence.scoring.reservations.table import Reservation
from credence.scoring.score import Score, score_company
from tests.scoring.companies import DAY, SOUND, accounts, company, figures

END = dt.date(2026, 6, 30)
"""The end of the newest half-year reported; 5,600 is the limit without a reservation."""


def report(end: dt.date = END, **said: float) -> PaymentPractice:
    return PaymentPractice(f"report of {end}", end - dt.timedelta(days=181), end, end + dt.timedelta(days=20), **said)


def paying(*reports: PaymentPractice) -> Company:
    """A sound company with these reports."""
    held = Sourced(reports, Provenance("made up"))
    return msgspec.structs.replace(company(accounts(figures(**SOUND))), payment_practices=held)


def judged(*reports: PaymentPractice) -> tuple[Reservation | None, Score]:
    score = score_company(paying(*reports), DAY).score
    assert score is not None
    return next((each for each in score.reservations if each.code == "SLOW-PAYER"), None), score


@pytest.mark.parametrize(
    ("days", "left", "band", "terms"),
    [
        (60, 5_600, "A", "30 days"),
        (60.5, 2_200, "B", "14 days"),
        (120, 2_200, "B", "14 days"),
        (121, 700, "C", "Part prepaid"),
        (141, 700, "C", "Part prepaid"),
    ],
)
def test_who_pays_after_the_longest_term_of_the_law_gets_less_and_shorter_credit(
    days: float, left: int, band: str, terms: str
) -> None:
    """7,000 x 0.8 for an unknown turnover, x 0.8 or 0.5 of the band, x 0.5 or 0.25; 60 days are those of the Act of 1998."""
    found, score = judged(report(average_days=days))
    assert (found is not None) is (days > 60)
    assert (score.limit.amount, score.band.band, score.payment_terms) == (left, band, terms)


def test_the_reservation_says_how_late_and_of_when() -> None:
    found, _ = judged(report(average_days=141, not_within_terms=92))
    assert found is not None
    assert (found.words, found.day, found.alert) == ("it pays its suppliers after 141 days", END, True)
    assert found.sentence.startswith(
        "In the reporting period to 30 June 2026 it paid invoices after 141 days on average, "
        "92% of them beyond agreed terms;"
    )


@pytest.mark.parametrize(("late", "left"), [(50, 5_600), (51, 2_200)])
def test_who_breaks_most_of_its_terms_is_a_slow_payer_within_the_law_s_days(late: float, left: int) -> None:
    found, score = judged(report(average_days=40, not_within_terms=late))
    assert score.limit.amount == left
    assert found is None or found.words == "it pays 51% of invoices beyond agreed terms"


@pytest.mark.parametrize(("terms", "left"), [(45, 5_600), (44, 4_400)])
def test_who_pays_later_than_its_own_longest_terms_is_a_slow_payer(terms: float, left: int) -> None:
    """5,600 x 0.8 = 4,480."""
    found, score = judged(report(average_days=45, longest_terms=terms))
    assert score.limit.amount == left
    assert found is None or found.words == "it pays after 45 days, later than its longest terms of 44 days"


@pytest.mark.parametrize(("before", "end", "slower"), [(30, 365, False), (29, 365, True), (29, 181, False)])
def test_who_pays_more_than_ten_days_later_than_a_year_before_is_a_slow_payer(
    before: float, end: int, slower: bool
) -> None:
    """The half-year before is no year before."""
    earlier = report(END - dt.timedelta(days=end), average_days=before)
    found, _ = judged(earlier, report(average_days=40))
    assert (found is not None) is slower
    assert found is None or found.words == "it pays after 40 days, against 29 a year before"


@pytest.mark.parametrize(("months", "counts"), [(23.9, True), (24.1, False)])
def test_a_report_of_more_than_two_years_ago_does_not_count(months: float, counts: bool) -> None:
    end = DAY - dt.timedelta(days=round(months * 30.4375))
    assert (judged(report(end, average_days=141))[0] is not None) is counts


def test_the_newest_report_counts_and_none_of_the_future() -> None:
    improved = judged(report(END - dt.timedelta(days=181), average_days=141), report(average_days=30))
    ahead = judged(report(average_days=30), report(dt.date(2026, 12, 31), average_days=141))
    assert (improved[0], ahead[0]) == (None, None)
