"""The page of a backtest has the figures of the answer, as one file that fetches nothing."""

from pathlib import Path

import html5lib
import pytest

from credence.backtest.page import area_in_words, page, rate
from tests.backtest.planted import Planted, measured, planted


def test_the_page_has_the_figures_of_the_answer(tmp_path: Path) -> None:
    companies = [*planted(0.8, 0.2), Planted("09999999", late=False, failed=False)]
    found = measured(tmp_path, companies, gone=lambda each: each.number == "09999999")
    text = page(found)
    html5lib.HTMLParser(strict=True).parse(text)
    assert "http" not in text.replace("http://www.w3.org/2000/svg", "")
    assert f"<td>{area_in_words(found.area)}</td>" in text
    assert "<td>Outcome: not known</td><td>1</td>" in text
    assert text.count("<svg") == 2
    for name in ("Altman Z&#x27;&#x27;", "Taffler z-score", "Ohlson O-score, model 1", "Failure rate of the sector"):
        assert f"<td>{name}</td>" in text
    for each in found.caveats:
        assert f"<li>{each}</li>" in text


@pytest.mark.parametrize(("share", "text"), [(0, "0.0%"), (0.0789, "7.9%"), (0.00906, "0.91%"), (0.0000666, "0.0067%")])
def test_a_rate_has_two_digits_that_count(share: float, text: str) -> None:
    assert rate(share) == text
