"""Reservations: what is found, ceilings of the score, and what is left of the limit (docs/judgement.md)."""

import datetime as dt
import re
from typing import Any

import msgspec
import pytest

from credence.companies.facts.accounts import Accounts, AccountsFinding, FindingKind
from credence.companies.facts.company import Company, Profile, Sourced
from credence.companies.facts.register import AccountsFiling
from credence.scoring.model import current_model
from credence.scoring.points import hold_down
from credence.scoring.reservations.table import Reservation, line_code
from credence.scoring.score import Score, ScoringResult, score_company
from credence.scoring.sentences import Line
from tests.scoring.companies import DAY, SOUND, accounts, company, figures

TABLE = current_model().reservations


def result(subject: Company, day: dt.date = DAY) -> ScoringResult:
    return score_company(subject, day)


def scored(subject: Company, day: dt.date = DAY) -> Score:
    found = result(subject, day).score
    assert found is not None
    return found


def found(subject: Company, code: str, day: dt.date = DAY) -> Reservation | None:
    return next((each for each in result(subject, day).reservations if each.code == code), None)


def codes(subject: Company, day: dt.date = DAY) -> list[str]:
    return [each.code for each in result(subject, day).reservations]


def with_figures(before: dict[str, float] | None = None, /, **changes: float | None) -> Company:
    """A company with the sound balance sheet of the tests, with these changes."""
    earlier = None if before is None else figures(**before)
    return company(accounts(figures(**{**SOUND, **changes}), earlier))


def saying(kind: FindingKind, sentence: str) -> Company:
    return company(accounts(figures(**SOUND), findings=(AccountsFinding(kind, sentence, "notes"),)))


def test_nothing_is_held_against_a_sound_company_with_fresh_facts() -> None:
    assert codes(with_figures()) == []


@pytest.mark.parametrize(
    ("days", "left"),
    [(45, 5_600), (46, 4_400), (90, 4_400), (91, 2_800), (180, 2_800), (181, 1_400), (365, 1_400), (366, 0)],
)
def test_an_old_register_lowers_the_limit_step_by_step(days: int, left: int) -> None:
    """5,600 without the reservation; 80 %, 50 %, 25 %, nothing, rounded down to two figures."""
    subject = company(accounts(figures(**SOUND)), as_of=DAY - dt.timedelta(days=days))
    assert scored(subject).limit.amount == left
    assert (found(subject, "OLD-REGISTER") is not None) is (left < 5_600)


def test_an_entry_made_of_filed_accounts_is_no_old_register() -> None:
    subject = company(accounts(figures(**SOUND)), as_of=DAY - dt.timedelta(days=400))
    assert subject.register is not None
    without_status = msgspec.structs.replace(subject.register.value, status="")
    from_accounts = msgspec.structs.replace(subject, register=Sourced(without_status, subject.register.provenance))
    assert found(from_accounts, "OLD-REGISTER") is None


def test_a_register_of_an_unknown_day_is_as_one_that_is_nearly_a_year_old() -> None:
    assert scored(company(accounts(figures(**SOUND)), as_of=None)).limit.amount == 1_400


@pytest.mark.parametrize("as_of", [dt.date(2020, 5, 1), dt.date(2026, 11, 1)])
def test_the_age_of_figures_counts_to_the_day_of_the_report_whatever_the_register_s_day(as_of: dt.date) -> None:
    """D39: accounts of January 2023 carry no limit in November 2026."""
    subject = company(accounts(figures(**SOUND), end=dt.date(2023, 1, 31)), as_of=as_of)
    old = found(subject, "OLD-ACCOUNTS")
    assert old is not None
    assert old.day == dt.date(2023, 1, 31)
    assert scored(subject).limit.amount == 0


@pytest.mark.parametrize(("months", "at_most"), [(21.9, None), (22.1, 79), (35.9, 79), (36.1, 64)])
def test_old_figures_carry_no_limit_and_neither_the_best_band_nor_in_the_end_a_good_one(
    months: float, at_most: int | None
) -> None:
    subject = company(accounts(figures(**SOUND), end=DAY - dt.timedelta(days=round(months * 30.4375))))
    old = found(subject, "OLD-ACCOUNTS")
    assert (old.at_most if old else None) == at_most
    assert (scored(subject).limit.amount == 0) is (at_most is not None)


def test_the_age_of_figures_is_not_that_of_the_filing() -> None:
    behind = accounts(figures(**SOUND), end=dt.date(2024, 6, 30), balance_sheet_date=dt.date(2026, 6, 30))
    assert codes(company(behind)) == ["OLD-ACCOUNTS", "NEWER-ACCOUNTS", "NO-LIMIT"]


@pytest.mark.parametrize(("known", "newer"), [(dt.date(2026, 5, 1), False), (dt.date(2026, 5, 2), True)])
def test_figures_older_than_accounts_that_the_register_knows_do_not_score_as_new(known: dt.date, newer: bool) -> None:
    """Half of 7,000 x 0.8 x 0.8, with the factor of band B; up to 31 days later they are the accounts of the same year."""
    subject = company(accounts(figures(**SOUND)), accounts=AccountsFiling(last_made_up=known))
    assert (found(subject, "NEWER-ACCOUNTS") is not None) is newer
    assert scored(subject).limit.amount == (2_200 if newer else 5_600)
    assert scored(subject).band.band == ("B" if newer else "A")


CATEGORIES = [
    ("TOTAL EXEMPTION FULL", None, "NO-ACCOUNTS"),
    ("", dt.date(2026, 3, 31), "NO-ACCOUNTS"),
    ("NO ACCOUNTS FILED", None, "NONE-FILED"),
    ("", None, "NONE-FILED"),
]


@pytest.mark.parametrize(("category", "made_up", "code"), CATEGORIES)
def test_without_figures_no_risk_is_low_and_no_limit_is_suggested(
    category: str, made_up: dt.date | None, code: str
) -> None:
    subject = company(accounts=AccountsFiling(category=category, last_made_up=made_up))
    assert codes(subject) == [code]
    assert (scored(subject).band.band, scored(subject).limit.amount) == ("C", 0)


@pytest.mark.parametrize(
    ("filed", "category"),
    [(accounts(figures(**SOUND), dormant=True), ""), (accounts(figures(**SOUND)), "DORMANT"), (None, "DORMANT")],
)
def test_a_dormant_company_gets_no_limit(filed: Accounts | None, category: str) -> None:
    known = AccountsFiling(category=category, last_made_up=dt.date(2026, 3, 31))
    subject = company(filed, accounts=known)
    assert "DORMANT" in codes(subject)
    assert (scored(subject).limit.amount, scored(subject).band.band) == (0, "C")


def test_a_company_is_dormant_in_the_accounts_of_the_register_whose_figures_are_not_held() -> None:
    known = AccountsFiling(category="DORMANT", last_made_up=dt.date(2026, 9, 30))
    dormant = found(company(accounts(figures(**SOUND)), accounts=known), "DORMANT")
    assert dormant is not None
    assert dormant.sentence == "The accounts made up to 30 September 2026 were those of a dormant company."


def test_a_company_that_has_filed_trading_accounts_since_is_not_dormant() -> None:
    known = AccountsFiling(category="DORMANT", last_made_up=dt.date(2025, 3, 31))
    assert "DORMANT" not in codes(company(accounts(figures(**SOUND)), accounts=known))


OWES: dict[str, float | None] = {"net_assets": -20_000, "tangible_net_assets": -20_000}
OWES_MORE: dict[str, float | None] = {"net_assets": -34_000, "tangible_net_assets": -34_000}


@pytest.mark.parametrize(
    ("changes", "at_most"),
    [
        (OWES, 45),
        (OWES_MORE, 34),
        (OWES | {"profit_before_tax": -1}, 43),
        (OWES_MORE | {"profit_before_tax": -1}, 33),
        (OWES | {"profit_before_tax": 1}, 55),
        (OWES_MORE | {"profit_before_tax": 1}, 41),
        (OWES | {"profit": -1}, 43),
        (OWES | {"total_assets": None}, 34),
    ],
)
def test_net_liabilities_hold_the_score_by_their_depth_and_the_result(
    changes: dict[str, float | None], at_most: int
) -> None:
    """Model card, ceilings: above and up to 0.33 of total assets of 100,000."""
    owing = found(with_figures(**changes), "NET-LIABILITIES")
    assert owing is not None
    assert (owing.at_most, owing.amount) == (at_most, -(changes["net_assets"] or 0))
    assert scored(with_figures(**changes)).score <= at_most
    assert scored(with_figures(**changes)).limit.amount == 0


def test_a_ceiling_is_a_line_with_its_sentence_and_the_lines_add_up() -> None:
    outcome = scored(with_figures(**OWES))
    line = next(each for each in outcome.lines if each.code == line_code("NET-LIABILITIES"))
    assert (line.layer, line.day, line.points < 0) == ("judgement", dt.date(2026, 3, 31), True)
    assert line.sentence == (
        "On 31 March 2026 the company's liabilities exceeded its assets by £20,000. This limits the score to 45."
    )
    assert sum(each.points for each in outcome.lines) == outcome.score == 45
    assert outcome.high == 45
    assert outcome.reasons[0] == line


@pytest.mark.parametrize(("points", "lines"), [(64, 0), (65, 1)])
def test_a_ceiling_that_takes_no_points_is_no_line(points: int, lines: int) -> None:
    made: list[Line] = []
    dormant = Reservation("DORMANT", "Dormant", "it was dormant", "It was dormant.", at_most=64)
    assert hold_down(made, (dormant,), points) == 64
    assert len(made) == lines


@pytest.mark.parametrize(
    ("kind", "code", "at_most", "left"),
    [
        (FindingKind.GOING_CONCERN, "GOING-CONCERN", 29, 0),
        (FindingKind.ADVERSE, "OPINION", 29, 0),
        (FindingKind.DISCLAIMER, "OPINION", 29, 0),
        (FindingKind.QUALIFIED, "OPINION", None, 2_800),
        (FindingKind.OWNER_SUPPORT, "OWNER-SUPPORT", None, 2_800),
    ],
)
def test_doubt_in_the_accounts_has_a_price(kind: FindingKind, code: str, at_most: int | None, left: int) -> None:
    """5,600, or half of it; the sentence is that of the accounts."""
    said = "These conditions {indicate} a doubt."
    subject = saying(kind, said)
    doubt = found(subject, code)
    assert doubt is not None
    assert (doubt.at_most, doubt.sentence) == (at_most, f"The accounts made up to 31 March 2026 say: {said}")
    assert scored(subject).limit.amount == left
    assert at_most is None or scored(subject).score == at_most


def test_an_emphasis_or_an_exemption_from_audit_is_no_reservation() -> None:
    assert codes(saying(FindingKind.EMPHASIS, "We draw attention.")) == []
    assert codes(saying(FindingKind.AUDIT_EXEMPT, "Exempt.")) == []


def test_figures_whose_currency_is_in_doubt_support_no_limit() -> None:
    subject = company(accounts(figures(**SOUND), currency="USD", tagged_currency="GBP"))
    doubt = found(subject, "CURRENCY")
    assert doubt is not None
    assert doubt.words == "its accounts are in USD, although tagged as GBP"
    assert scored(subject).limit.amount == 0


def test_figures_in_another_currency_leave_the_limit_unknown() -> None:
    subject = company(accounts(figures(**SOUND), currency="EUR"))
    assert (codes(subject), scored(subject).limit.amount) == (["CURRENCY"], None)


def test_published_models_in_distress_are_a_reservation_in_every_band() -> None:
    weak = with_figures(
        net_current_assets=-50_000, retained_earnings=-90_000, net_assets=-60_000, profit_before_tax=-40_000, turnover=9_000,
        operating_profit=-40_000, profit=-40_000, total_liabilities=160_000, creditors_within_year=150_000,
    )  # fmt: skip
    models = found(weak, "MODELS")
    assert models is not None
    assert scored(weak).band.band in {"D", "E"}
    assert models.words.endswith("published models indicate distress")
    assert re.match("[2-9] of [2-9] published models with a zone indicated distress: ", models.sentence)


def test_published_models_change_neither_score_nor_limit() -> None:
    """A score does not wait for them: they are evaluated for the report."""
    (row,) = TABLE.by_code["MODELS"]
    assert (row.at_most, row.limit, row.terms) == (None, 1, "")


def test_the_best_band_never_stands_beside_a_limit_of_nothing() -> None:
    outcome = scored(with_figures(net_assets=0, equity=0, net_current_assets=0))
    best = scored(company(accounts(figures(**{**SOUND, "net_current_assets": 0}))))
    assert (best.limit.amount, best.score, best.reservations[-1].code) == (0, 79, "NO-LIMIT")
    assert "A" not in {outcome.band.band, best.band.band}


def test_the_remarks_of_the_register_are_reservations() -> None:
    remarks = Sourced((Profile(True, True, False),), company().register.provenance)  # type: ignore[union-attr]  # it has one
    subject = msgspec.structs.replace(with_figures(), profile=remarks)
    assert codes(subject) == ["INSOLVENCY-HISTORY", "OFFICE"]
    assert scored(subject).limit.amount == 5_600


def test_figures_that_fail_a_check_support_no_limit() -> None:
    filed = accounts(figures(**SOUND))
    broken = msgspec.structs.replace(filed.periods[0], contradictions=("equity",))
    subject = company(msgspec.structs.replace(filed, periods=(broken,)))
    unbalanced = found(subject, "UNBALANCED")
    assert unbalanced is not None
    assert "net assets are the shareholders' funds" in unbalanced.sentence
    assert scored(subject).limit.amount == 0


def test_a_company_that_no_longer_exists_has_no_reservations() -> None:
    assert result(company(status="Dissolved")).reservations == ()


@pytest.mark.parametrize("row", TABLE.rows, ids=lambda row: f"{row.code}, {row.find}")
def test_every_effect_has_its_reason_and_every_code_its_words(row: Any) -> None:
    first = TABLE.by_code[row.code][0]
    assert first.header
    assert first.meaning
    assert first.words
    if row.at_most is not None or row.limit < 1:
        assert row.source.startswith(("fitted: ", "expert-set: "))


def test_the_rows_of_a_code_follow_each_other() -> None:
    """A row of a code elsewhere would never be read."""
    rows = (TABLE.rows[0], TABLE.rows[1], TABLE.rows[0])
    with pytest.raises(ValueError, match="do not follow each other"):
        _ = msgspec.structs.replace(TABLE, rows=rows).by_code
