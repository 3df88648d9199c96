"""The ceilings of the table of reservations are those of the labelled data (docs/judgement.md)."""

from credence.scoring.model import current_model
from training.ceilings import ceilings
from training.polish import ARCHIVE, read

FITTED = "fitted: "


def test_every_fitted_ceiling_is_the_levelled_failure_rate_of_such_companies() -> None:
    model = current_model()
    found = {each.words: each for each in ceilings(read(ARCHIVE, 1), model.sectors.national / 10_000)}
    rows = [row for row in model.reservations.rows if row.source.startswith(FITTED) and "(D34)" not in row.source]
    assert {row.source.removeprefix(FITTED): row.at_most for row in rows} == {
        words: each.at_most for words, each in found.items()
    }


def test_of_companies_that_owe_a_third_more_than_they_have_and_lose_money_43_of_100_failed() -> None:
    """51 of 119; levelled from 408 of 5,850 to 52.4 of 10,000 that is 5.0 %, which is a score of 33."""
    deepest = ceilings(read(ARCHIVE, 1), 0.00524)[0]
    assert (deepest.failures, deepest.companies, deepest.at_most) == (51, 119, 33)
