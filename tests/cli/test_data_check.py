"""`credence data check` on constructed filings with invented numbers."""

from pathlib import Path

from tests.cli.deployment import Deployment
from tests.datasets.accounts.filings import amount, filing

SOUND = filing(
    amount("FixedAssets", 40),
    amount("CurrentAssets", 100),
    amount("Creditors", 30, "creditors"),
    amount("NetCurrentAssetsLiabilities", 70),
    amount("TotalAssetsLessCurrentLiabilities", 110),
    amount("NetAssetsLiabilities", 110),
    amount("Equity", 110),
)
OPPOSITE = filing(amount("NetAssetsLiabilities", -1740), amount("Equity", 1740), number="07654321")


def load(deployment: Deployment, tmp_path: Path, *contents: bytes) -> dict[str, object]:
    files = []
    for place, data in enumerate(contents):
        (tmp_path / f"{place}.html").write_bytes(data)
        files.append(str(tmp_path / f"{place}.html"))
    found: dict[str, object] = deployment.json("data", "load", "accounts", *files)
    return found


def test_each_invariant_is_counted_and_a_failing_year_is_named_with_the_difference(
    deployment: Deployment, tmp_path: Path
) -> None:
    """-1,740 less 1,740 is -3,480; the other filing has everything but a profit and loss account."""
    loaded = load(deployment, tmp_path, SOUND, OPPOSITE)
    assert (loaded["kept"], loaded["warnings"]) == (2, {"invariant.equity": 1})
    found = deployment.json("data", "check")
    assert (found["filings"], found["years"]) == (2, 2)
    counts = {each["invariant"]: (each["tried"], each["fails"]) for each in found["invariants"]}
    assert counts == {
        "equity": (2, 1),
        "current": (1, 0),
        "subtotal": (1, 0),
        "later": (1, 0),
        "result": (0, 0),
        "dates": (2, 0),
        "currency": (2, 0),
    }
    assert found["failing"] == [
        {
            "company": "07654321",
            "document": "1",
            "year": "2025-12-31",
            "of": "company",
            "invariant": "equity",
            "difference": -3480,
        }
    ]


def test_a_reader_sees_the_invariants_in_words_and_the_failing_filings(deployment: Deployment, tmp_path: Path) -> None:
    load(deployment, tmp_path, OPPOSITE)
    said = deployment.run("data", "check").stdout
    assert said.startswith("1 years in 1 filings; 1 failures.")
    assert "profit before tax less tax is the profit" in said
    assert "07654321" in said


def test_without_accounts_the_check_says_how_to_load_them(deployment: Deployment) -> None:
    assert deployment.refused("data", "check").startswith("No accounts are loaded")
