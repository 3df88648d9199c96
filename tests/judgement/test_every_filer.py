"""Every filer of the sample has the reservations that its accounts call for (docs/judgement.md)."""

import datetime as dt
from functools import cache

from credence.companies.facts.accounts import FindingKind
from credence.scoring.basis.ratios import net_assets
from credence.scoring.reservations.of_figures import result_of
from credence.scoring.score import ScoringResult, score_company
from tests.judgement.filers import Filer, filers

MONTHS_OF_FRESH_FIGURES = 22
DAYS_A_MONTH = 30.4375
THREE_YEARS = dt.timedelta(days=3 * 365)


@cache
def judged() -> tuple[tuple[Filer, ScoringResult, frozenset[str]], ...]:
    """Each of the 421 filers with what is held against it."""
    results = [(each, score_company(each.company, each.today)) for each in filers()]
    return tuple((each, result, frozenset(one.code for one in result.reservations)) for each, result in results)


def test_net_liabilities_are_named() -> None:
    missing = [each.filing.company for each, _, codes in judged() if _owes(each) and "NET-LIABILITIES" not in codes]
    assert (len(judged()), missing) == (421, [])


def _owes(each: Filer) -> bool:
    accounts = each.company.accounts_with_figures
    net = net_assets(accounts.periods[0].figures) if accounts else None
    return net is not None and net < 0


def test_losses_in_two_years_are_named() -> None:
    assert [each.filing.company for each, _, codes in judged() if _loses_twice(each) and "LOSS" not in codes] == []


def _loses_twice(each: Filer) -> bool:
    accounts = each.company.accounts_with_figures
    results = [result_of(period.figures) for period in accounts.periods[:2]] if accounts else []
    return len(results) == 2 and all(result is not None and result < 0 for result in results)


def test_a_material_uncertainty_is_named() -> None:
    assert [each.filing.company for each, _, codes in judged() if _doubts(each) and "GOING-CONCERN" not in codes] == []


def _doubts(each: Filer) -> bool:
    newest = each.company.accounts.value[0] if each.company.accounts else None
    return newest is not None and any(one.kind is FindingKind.GOING_CONCERN for one in newest.findings or ())


def test_figures_are_named_as_old_three_years_later_and_not_before() -> None:
    filed = [each for each, _, _ in judged() if each.company.accounts_with_figures]
    late = [score_company(each.company, each.today + THREE_YEARS).reservations for each in filed]
    assert all("OLD-ACCOUNTS" in {one.code for one in found} for found in late)
    assert [each.filing.company for each, _, codes in judged() if _is_old(each) is not ("OLD-ACCOUNTS" in codes)] == []


def _is_old(each: Filer) -> bool:
    accounts = each.company.accounts_with_figures
    age = (each.today - accounts.periods[0].end).days if accounts else 0
    return age / DAYS_A_MONTH > MONTHS_OF_FRESH_FIGURES


def test_no_limit_is_against_a_rule_and_points_add_up() -> None:
    for each, result, _ in judged():
        score = result.score
        assert score is not None
        assert sum(line.points for line in score.lines) == score.score, each.filing.company
        if any(one.limit == 0 for one in result.reservations):
            assert not score.limit.amount, each.filing.company
