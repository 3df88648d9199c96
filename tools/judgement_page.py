"""`docs/judgement.md`: every reservation with its rule, its effect and its reason, from the table that declares them."""

from collections.abc import Iterator
from pathlib import Path

from credence.scoring.model import FILES, current_model
from credence.scoring.reservations.table import Row

_HEADS = ("reservation", "when", "highest score", "of the limit remains", "alert", "why", "test")

_FILES = "tests/*/test_*.py"

_TESTS = {
    "PROCEEDINGS": "test_open_proceedings_that_are_no_failure_are_named_beside_the_band",
    "PETITION": "test_a_petition_leads_the_words_of_the_band",
    "INSOLVENCY": "test_an_open_case_that_is_too_old_to_count_is_named_beside_the_status_and_the_band",
    "NO-LIMIT": "test_the_best_band_never_stands_beside_a_limit_of_nothing",
    "insolvency-history": "test_the_remarks_of_the_register_are_reservations",
    "going-concern": "test_doubt_in_the_accounts_has_a_price",
    "opinion-refused": "test_doubt_in_the_accounts_has_a_price",
    "opinion-qualified": "test_doubt_in_the_accounts_has_a_price",
    "owner-support": "test_doubt_in_the_accounts_has_a_price",
    "net-liabilities-with-loss": "test_net_liabilities_hold_the_score_by_their_depth_and_the_result",
    "net-liabilities-with-profit": "test_net_liabilities_hold_the_score_by_their_depth_and_the_result",
    "net-liabilities": "test_net_liabilities_hold_the_score_by_their_depth_and_the_result",
    "uncovered-loss": "test_a_loss_of_a_company_that_cannot_cover_its_creditors_holds_the_score",
    "consuming-loss": "test_a_loss_that_three_years_of_would_use_up_what_is_left_holds_score_and_limit",
    "loss-left-nothing": "test_goodwill_does_not_outlast_a_loss_and_net_assets_count_where_tangible_ones_are_unknown",
    "losses": "test_two_losses_are_both_named_and_lower_the_limit_more",
    "loss": "test_a_loss_is_named_with_its_amount_and_lowers_the_limit",
    "no-cover-but-earning": "test_a_company_with_net_current_liabilities_that_earns_what_it_owes_may_have_a_limit",
    "no-cover-with-profit": "test_creditors_that_current_assets_do_not_cover_forbid_a_limit",
    "no-cover": "test_creditors_that_current_assets_do_not_cover_forbid_a_limit",
    "thin": "test_debts_that_are_barely_covered_hold_the_score",
    "stocks": "test_debts_that_are_covered_by_stocks_alone_hold_the_score",
    "stocks-and-thin": "test_debts_that_are_covered_by_stocks_alone_hold_the_score",
    "related-net": "test_risk_is_not_low_where_solvency_rests_on_related_parties",
    "related-cover": "test_no_limit_rests_on_what_related_parties_owe",
    "related-debtors": "test_more_than_a_quarter_of_current_assets_is_named",
    "members-all": "test_what_a_partnership_owes_to_all_its_members_is_no_equity",
    "members-unknown": "test_the_net_assets_of_a_partnership_count_without_what_it_owes_to_members",
    "group-net-liabilities": "test_a_group_that_owes_more_than_it_has_holds_the_company_down",
    "group-uncovered-loss": "test_a_group_that_loses_money_and_cannot_cover_its_creditors_holds_the_company_down",
    "group-weaker": "test_a_group_that_is_only_weaker_lowers_the_limit_to_that_of_the_group",
    "pays-in": "test_who_pays_after_the_longest_term_of_the_law_gets_less_and_shorter_credit",
    "pays-beyond-terms": "test_who_breaks_most_of_its_terms_is_a_slow_payer_within_the_law_s_days",
    "pays-after-own-terms": "test_who_pays_later_than_its_own_longest_terms_is_a_slow_payer",
    "pays-later": "test_who_pays_more_than_ten_days_later_than_a_year_before_is_a_slow_payer",
    "models": "test_published_models_in_distress_are_a_reservation_in_every_band",
    "currency-conflict": "test_figures_whose_currency_is_in_doubt_support_no_limit",
    "currency-foreign": "test_figures_in_another_currency_leave_the_limit_unknown",
    "fails-check": "test_figures_that_fail_a_check_support_no_limit",
    "figures-older": "test_old_figures_carry_no_limit_and_neither_the_best_band_nor_in_the_end_a_good_one",
    "newer-accounts": "test_figures_older_than_accounts_that_the_register_knows_do_not_score_as_new",
    "accounts-not-held": "test_without_figures_no_risk_is_low_and_no_limit_is_suggested",
    "none-filed": "test_without_figures_no_risk_is_low_and_no_limit_is_suggested",
    "holding": "test_a_holding_company_is_scored_with_a_reservation_and_a_lender_is_not",
    "dormant": "test_a_dormant_company_gets_no_limit",
    "register-older": "test_an_old_register_lowers_the_limit_step_by_step",
    "register-undated": "test_a_register_of_an_unknown_day_is_as_one_that_is_nearly_a_year_old",
    "office": "test_the_remarks_of_the_register_are_reservations",
}
"""Rule of the table, or the code of what only the report can find -> the test of its words and effect."""


def render(root: Path) -> str:
    """Return the page. Raises ValueError if a test that it names does not exist."""
    written = "".join(file.read_text(encoding="utf-8") for file in sorted(root.glob(_FILES)))
    if missing := [test for test in _TESTS.values() if f"def {test}(" not in written]:
        raise ValueError(f"No test has the name {', '.join(missing)}.")
    template = (root / "tools" / "judgement.template.md").read_text(encoding="utf-8")
    return template.format(file=FILES["reservations"], table="\n".join(_table()))


def _table() -> Iterator[str]:
    yield f"| {' | '.join(_HEADS)} |"
    yield "|---" * len(_HEADS) + "|"
    for rows in current_model().reservations.by_code.values():
        for number, row in enumerate(rows):
            yield f"| {' | '.join(_cells(row, is_first=number == 0))} |"


def _cells(row: Row, *, is_first: bool) -> Iterator[str]:
    yield f"`{row.code}`" if is_first else ""
    yield ": ".join(each for each in (row.meaning if is_first else "", row.when) if each)
    yield "" if row.at_most is None else str(row.at_most)
    yield "all" if row.limit == 1 else "nothing" if not row.limit else f"{row.limit:.0%}"
    yield "yes" if row.alert else "no"
    yield row.source
    yield f"`{_TESTS[row.find or row.code]}`"
