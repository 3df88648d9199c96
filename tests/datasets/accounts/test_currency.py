"""The currency of the amounts: of the tags, or of the text where it names another one (docs/accounts.md)."""

import pytest

from credence.datasets.sources.accounts.currency import currency_in_text
from credence.datasets.sources.accounts.filing import read_filing
from tests.datasets.accounts.filings import amount, filing


def currencies(*body: str) -> tuple[str, str]:
    """The currency of a filing whose tags say pounds, and that of the tags if the text names another."""
    found = read_filing(filing(amount("CurrentAssets", "5"), *body), "document")
    return found.currency, found.tagged_currency


def test_the_text_decides_where_it_names_another_currency_than_the_tags() -> None:
    said = "<p>The Company's functional and presentational currency is USD.</p>"
    assert currencies(said) == ("USD", "GBP")
    assert read_filing(filing(amount("CurrentAssets", "5"), said), "document").periods[0].figures.current_assets


@pytest.mark.parametrize(
    ("text", "currency"),
    [
        ("The presentation currency of the accounts is the Pound Sterling (£).", "GBP"),
        ("The financial statements are prepared in sterling, which is the functional currency of the company.", "GBP"),
        ("The accounts are presented in US dollars.", "USD"),
        ("The financial statements are presented in thousands of euros.", "EUR"),
        ("The functional currency is the euro. The presentation currency is sterling.", "GBP"),
        ("The functional currency of a branch is the US dollar.", ""),
        ("2026\n$\n2025\n$\nDebtors\n$\nCreditors\n$", "USD"),
        ("2026\n£\n2025\n£\nof which in dollars\n$", ""),
        ("A machine was bought for $ 5,000.", ""),
        ("", ""),
    ],
)
def test_a_sentence_on_the_presentation_comes_before_the_heads_of_columns(text: str, currency: str) -> None:
    assert currency_in_text(text) == currency


def test_a_filing_whose_text_agrees_with_its_tags_has_one_currency() -> None:
    assert currencies("<p>The presentation currency is sterling, not the US dollar of the group.</p>") == ("GBP", "")
    assert currencies("<p>Nothing of money.</p>") == ("GBP", "")
