"""The UK filings whose ratios say what is typical of a UK company, and on which the tables are compared with each other.

Which of these companies failed is not known. `data/uk-filings.csv` has the ratios alone, so that a fit does not change
when the reader of accounts does; `python -m training filings` writes it from the filings that the sandbox ships.
"""

import csv
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from credence.companies.facts.accounts import Accounts
from credence.sandbox.demonstration_accounts import read_demonstration
from credence.scoring.basis.ratios import RATIOS, amount, unfit
from training.polish import Floats
from training.tables import CODES, DESIGNS

FILE = Path(__file__).parent / "data" / "uk-filings.csv"

_UNTAGGED = "not tagged"
_DIGITS = 6


class Filings(msgspec.Struct, frozen=True):
    """One row for each filing that is scored by its ratios."""

    values: Floats
    """A column for each of CODES, NaN where unknown."""
    standards: tuple[str, ...]
    """The accounting standards that the filing names."""
    total_assets: Floats
    """In pounds."""

    @property
    def typical(self) -> dict[str, float]:
        """The median of each input over the filings that show it."""
        return {code: float(np.nanmedian(column)) for code, column in zip(CODES, self.values.T, strict=True)}

    def has(self, table: int) -> NDArray[np.bool_]:
        """Return which filings show an input that table number `table` adds."""
        added = [CODES.index(code) for code in DESIGNS[table].codes]
        return np.asarray(~np.isnan(self.values[:, added]).all(axis=1))


def present() -> Filings:
    """Return the filings as this version reads them."""
    rows = list(_scored())
    figures = [accounts.periods[0].figures for accounts in rows]
    values = [[_value(RATIOS[code](each)) for code in CODES] for each in figures]
    return Filings(
        np.array(values, dtype=np.float64),
        tuple(accounts.standard or _UNTAGGED for accounts in rows),
        np.array([amount(each.total_assets) for each in figures], dtype=np.float64),
    )


def _scored() -> Iterator[Accounts]:
    for record in read_demonstration():
        accounts = record.fact
        if not isinstance(accounts, Accounts) or not accounts.periods or accounts.currency != "GBP":
            continue
        if unfit(accounts.periods[0], dormant=accounts.dormant, financial=False) is None:
            yield accounts


def _value(ratio: float | None) -> float:
    return np.nan if ratio is None else float(f"{ratio:.{_DIGITS}g}")


def kept(file: Path = FILE) -> Filings:
    """Return the ratios in the file."""
    with file.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    values = [[float(row[code]) if row[code] else np.nan for code in CODES] for row in rows]
    return Filings(
        np.array(values, dtype=np.float64),
        tuple(row["standard"] for row in rows),
        np.array([float(row["total_assets"]) for row in rows]),
    )


def as_csv(filings: Filings) -> str:
    """Return the content of the file, without any number or name of a company, in the order of the ratios."""
    out = StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow((*CODES, "standard", "total_assets"))
    lines = [
        (*("" if np.isnan(value) else f"{value:.{_DIGITS}g}" for value in row), standard, f"{total:.2g}")
        for row, standard, total in zip(filings.values, filings.standards, filings.total_assets, strict=True)
    ]
    writer.writerows(sorted(lines))
    return out.getvalue()
