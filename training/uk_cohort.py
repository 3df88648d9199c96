"""All companies that were incorporated in the United Kingdom in the first week of 2024, and their fate by February 2025.

`data/uk-cohort-2024-01.zip` has them as the public register's search exported them: number, type, days of incorporation and
dissolution, status, activities. It is complete: of the 15,189 consecutive numbers of England and Wales three are missing, of
those of Scotland and Northern Ireland none. It has no names and no addresses.

From it come the two snapshots of the register that the Free Company Data Product would have had of these companies. What
the export does not have is left empty, apart from the name, which the product never lacks, and the due dates, which the
law gives: accounts 21 months after incorporation (Companies Act 2006, section 442), the first confirmation statement a year
and 14 days after it (section 853A). The later snapshot has the dissolved companies too, which the product drops.
"""

import csv
import datetime as dt
import io
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from credence.backtest.answer import Answer
from credence.backtest.plan import months_after, plan
from credence.backtest.run import backtest
from credence.clock import Milliseconds
from credence.datasets.sources.register.snapshot import COLUMNS

DATA = Path(__file__).parent / "data" / "uk-cohort-2024-01.zip"

_STATUSES = {"Receiver Action": "Receivership"}
"""The words of the search for a status -> those of the product, where they differ and the company is scored."""

AT, EXPORTED = dt.date(2024, 2, 1), dt.date(2025, 2, 26)
"""The day on which the companies are scored, a month old, and the day by which the export has their status."""

MONTHS = 12

Row = Mapping[str, str]


def rows() -> Iterator[Row]:
    """Yield the companies of the export."""
    with zipfile.ZipFile(DATA) as archive, archive.open("cohort.csv") as stream:
        yield from csv.DictReader(io.TextIOWrapper(stream, "utf-8"))


def write_snapshots(folder: Path) -> tuple[Path, Path]:
    """Write both snapshots of the register to a folder and return them."""
    folder.mkdir(parents=True, exist_ok=True)
    companies = list(rows())
    earlier = [_entry(row) for row in companies]
    later = [
        _entry(row)
        | {
            "CompanyStatus": _STATUSES.get(row["status"], row["status"]),
            "DissolutionDate": _day(row["dissolved"]),
        }
        for row in companies
    ]
    files = folder / f"BasicCompanyData-{AT}.csv", folder / f"BasicCompanyData-{EXPORTED}.csv"
    for file, entries in zip(files, (earlier, later), strict=True):
        with file.open("w", encoding="utf-8", newline="") as stream:
            writer = csv.DictWriter(stream, COLUMNS, "", quoting=csv.QUOTE_ALL)
            writer.writeheader()
            writer.writerows(entries)
    return files


def measured(now: Milliseconds) -> Answer:
    """Return the backtest of these companies."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        return backtest(plan(AT, MONTHS, registers=write_snapshots(folder)), folder / "backtest", now)


def _entry(row: Row) -> dict[str, str]:
    """Return the entry of a company in the earlier snapshot, when every one was active."""
    found = {
        "CompanyName": f"COMPANY {row['number']}",
        "CompanyNumber": row["number"],
        "CompanyCategory": row["type"],
        "CompanyStatus": "Active",
        "Accounts.AccountCategory": "NO ACCOUNTS FILED",
        **{f"SICCode.SicText_{n}": f"{code} - Activity" for n, code in enumerate(row["activities"].split(), 1)},
    }
    if row["incorporated"]:
        day = dt.date.fromisoformat(row["incorporated"])
        found["IncorporationDate"] = _day(row["incorporated"])
        found["Accounts.NextDueDate"] = _written(months_after(day, 21))
        found["ConfStmtNextDueDate"] = _written(months_after(day, 12) + dt.timedelta(days=14))
    return found


def _day(text: str) -> str:
    return _written(dt.date.fromisoformat(text)) if text else ""


def _written(day: dt.date) -> str:
    return f"{day:%d/%m/%Y}"
