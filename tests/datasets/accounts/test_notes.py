"""Amounts of notes: trade debtors and creditors, related parties, and the members of a partnership (docs/accounts.md)."""

import pytest

from credence.companies.facts.accounts import Accounts, Figures
from credence.datasets.sources.accounts.filing import read_filing
from credence.datasets.sources.accounts.members import owed_to_members
from credence.sandbox.demonstration_accounts import read_demonstration
from tests.datasets.accounts.filings import amount, context, filing

LATER = context("later", (("FinancialInstrumentCurrentNon-currentDimension", "Non-currentFinancialInstruments"),))
OPENING = context("opening", day="2024-12-31")


def read(*body: str, number: str = "01234567") -> Figures:
    """The figures of a filing with debtors of 900, creditors of 700 within a year and 200 later."""
    sheet = (
        amount("CurrentAssets", 1_000),
        amount("Debtors", 900),
        amount("Creditors", 700, "creditors"),
        amount("Creditors", 200, "later"),
        amount("NetAssetsLiabilities", 100),
    )
    found = read_filing(filing(*sheet, *body, contexts=LATER + OPENING, number=number), "document")
    assert len(found.periods) == 1
    return found.periods[0].figures


def value(figures: Figures, name: str) -> float | None:
    figure = getattr(figures, name)
    return None if figure is None else figure.value


@pytest.mark.parametrize(
    ("tag", "name"),
    [
        ("TradeDebtorsTradeReceivables", "trade_debtors"),
        ("AmountsOwedByGroupUndertakings", "owed_by_group"),
        ("AmountsOwedByAssociates", "owed_by_participating_interests"),
        ("AmountsOwedByDirectors", "owed_by_directors"),
        ("AmountsOwedByRelatedParties", "owed_by_related_parties"),
        ("TradeCreditorsTradePayables", "trade_creditors"),
        ("AmountsOwedToGroupUndertakings", "owed_to_group"),
        ("AmountsOwedToDirectors", "owed_to_directors"),
        ("AmountsOwedToRelatedParties", "owed_to_related_parties"),
        ("CorporationTaxPayable", "corporation_tax_owed"),
        ("OtherTaxationSocialSecurityPayable", "taxes_owed"),
        ("TaxationSocialSecurityPayable", "taxes_owed"),
        ("TotalBorrowings", "borrowings"),
        ("BankBorrowingsOverdrafts", "borrowings"),
    ],
)
def test_a_note_gives_the_amount_in_all_or_of_a_year(tag: str, name: str) -> None:
    assert value(read(amount(tag, 500)), name) == value(read(amount(tag, 500, "creditors")), name) == 500


def test_what_is_due_later_is_added_to_what_is_due_within_a_year_unless_both_are_one_amount() -> None:
    tag = "AmountsOwedByGroupUndertakings"
    both = read(amount(tag, 500, "creditors"), amount(tag, 100, "later"))
    whole = read(amount(tag, 500), amount(tag, 100, "later"))
    assert (value(both, "owed_by_group"), value(whole, "owed_by_group")) == (600, 500)
    assert value(read(amount(tag, 100, "later")), "owed_by_group") == 100


@pytest.mark.parametrize(
    ("tag", "name", "most"),
    [
        ("AmountsOwedByGroupUndertakings", "owed_by_group", 900),
        ("AmountsOwedToGroupUndertakings", "owed_to_group", 900),
    ],
)
def test_an_amount_above_the_line_that_it_is_a_part_of_is_left_out(tag: str, name: str, most: int) -> None:
    """Debtors are 900, creditors 700 + 200; sums may differ by two units."""
    assert value(read(amount(tag, most + 2)), name) == most + 2
    assert value(read(amount(tag, most + 3)), name) is None
    assert value(read(amount(tag, -5)), name) is None


def test_the_opening_balance_of_a_note_is_no_year() -> None:
    """`read` asserts that there is one."""
    assert value(read(amount("AmountsOwedByDirectors", 50, "opening")), "owed_by_directors") is None


REPRESENTED = (
    "NET ASSETS ATTRIBUTABLE TO MEMBERS\n100\nREPRESENTED BY:\nLoans and other debts due to members within one year\n"
)


@pytest.mark.parametrize(
    ("text", "owed"),
    [
        (REPRESENTED + "Members' capital classified as a liability\n70\nOther amounts\n30\n100\n", 100),
        (REPRESENTED + "60\nMembers' other interests\nMembers' capital\n40\nTotal members' interests\n100", 60),
        ("Represented by:\nMembers' other interests\n100\n", 0),
        (REPRESENTED + "60\nMembers' other interests\n30\n", None),
        ("Net assets\n100\n", None),
    ],
)
def test_arithmetic_decides_what_a_partnership_owes_to_its_members(text: str, owed: int | None) -> None:
    assert owed_to_members(text, 100) == owed


def test_only_a_partnership_owes_to_members() -> None:
    said = "".join(f"<p>{line}</p>" for line in (REPRESENTED + "100").split("\n"))
    assert value(read(said, number="OC123456"), "owed_to_members") == 100
    assert value(read(said), "owed_to_members") is None


def test_the_notes_of_157_filings_give_what_their_tags_say() -> None:
    """How many filings of the sample under the taxonomies since 2014 have each amount, of the company or of its group.

    A count of the tags alone, in 156 of them, finds 41 trade creditors, 50 trade debtors, 33 corporation tax, 34 other
    taxes, 20 borrowings, 12 staff costs, 9 owed to group, 8 owed to directors, 8 directors' pay. There are as many or more
    here, because amounts of a group and amounts with a term count, and taxes in one amount.
    """
    facts = [record.fact for record in read_demonstration()]
    filings = [each for each in facts if isinstance(each, Accounts) and each.layout == "frc"]
    counted = {
        "trade_creditors": 45, "trade_debtors": 53, "corporation_tax_owed": 33, "taxes_owed": 57, "borrowings": 25,
        "staff_costs": 15, "owed_to_group": 15, "owed_to_directors": 10, "directors_pay": 11,
    }  # fmt: skip
    found = {
        name: sum(any(getattr(each.figures, name) for each in (*one.periods, *one.group_periods)) for one in filings)
        for name in counted
    }
    assert (len(filings), found) == (157, counted)
