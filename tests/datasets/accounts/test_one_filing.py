"""A filing that is in the daily and in the monthly product is one filing, with the day of the daily one (credit §3.1)."""

import itertools
import zipfile
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from credence.companies.facts.accounts import Accounts
from credence.datasets.loading.load import load as load_source
from credence.datasets.loading.refresh import SOURCES
from credence.datasets.sources.accounts import read
from credence.datasets.sources.source import Record
from tests.datasets.accounts.filings import NUMBER, amount, filing
from tests.datasets.sources.acts import NOW, held, load

FILED = filing(amount("CurrentAssets", "5"), amount("TotalAssetsLessCurrentLiabilities", "5"))
AMENDED = filing(amount("CurrentAssets", "6"), amount("TotalAssetsLessCurrentLiabilities", "6"))
DAILY, MONTHLY = "Prod223_3785", "Prod224_0056"


def product(folder: Path, name: str, run: str, *documents: bytes) -> Path:
    with closing(zipfile.ZipFile(folder / name, "w")) as archive:
        for place, each in enumerate(documents):
            archive.writestr(f"{run}{place}_{NUMBER}_20251231.html", each)
    return folder / name


def filings(folder: Path) -> list[tuple[str, str, float]]:
    """Document, day of filing and current assets of each."""
    company = held(folder, NUMBER)
    assert company is not None
    assert company.accounts is not None
    return [
        (each.document[:12], str(each.filed), each.periods[0].figures.current_assets.value)  # type: ignore[union-attr]
        for each in company.accounts.value
    ]


@pytest.mark.parametrize("at_once", [True, False])
def test_the_daily_and_the_monthly_product_give_one_filing_in_any_order(tmp_path: Path, *, at_once: bool) -> None:
    daily = product(tmp_path, "Accounts_Bulk_Data-2026-03-02.zip", DAILY, FILED)
    monthly = product(tmp_path, "Accounts_Monthly_Data-March2026.zip", MONTHLY, FILED)
    for place, files in enumerate(itertools.permutations((daily, monthly))):
        folder = tmp_path / f"{place}"
        for loaded in [files] if at_once else [[each] for each in files]:
            load("accounts", folder, *loaded)
        assert filings(folder) == [(DAILY, "2026-03-02", 5)]


def test_an_amended_filing_of_the_same_day_is_another_filing(tmp_path: Path) -> None:
    folder = tmp_path / "credit"
    load("accounts", folder, product(tmp_path, "Accounts_Bulk_Data-2026-03-02.zip", DAILY, FILED))
    load("accounts", folder, product(tmp_path, "Accounts_Bulk_Data-2026-05-04.zip", DAILY, AMENDED))
    load("accounts", folder, product(tmp_path, "Accounts_Monthly_Data-May2026.zip", MONTHLY, AMENDED, FILED))
    assert filings(folder) == [(DAILY, "2026-05-04", 6), (DAILY, "2026-03-02", 5)]


def test_a_filing_that_an_earlier_version_has_read_is_replaced_and_keeps_its_day(tmp_path: Path) -> None:
    """Its id was the name of its document."""
    folder = tmp_path / "credit"
    daily = product(tmp_path, "Accounts_Bulk_Data-2026-03-02.zip", DAILY, FILED, AMENDED)
    found = [each.fact for each in read([daily]) if isinstance(each, Record) and isinstance(each.fact, Accounts)]
    records = [Record(each.company, each.document, msgspec.structs.replace(each, digest="")) for each in found]
    earlier = msgspec.structs.replace(SOURCES["accounts"], read=lambda _: iter(records))
    load_source(earlier, [daily], folder, NOW)
    assert len(filings(folder)) == 2
    load("accounts", folder, product(tmp_path, "Accounts_Monthly_Data-March2026.zip", MONTHLY, FILED))
    assert sorted(filings(folder)) == [(DAILY, "2026-03-02", 5), (DAILY, "2026-03-02", 6)]
