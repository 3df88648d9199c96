"""The public data that the ratio points are fitted on: Polish companies, 64 ratios each, and whether each failed.

Tomczak, S. (2016), Polish Companies Bankruptcy, UCI Machine Learning Repository, doi:10.24432/C5F600, CC BY 4.0. The
file names number the years of observation: `5year` has the failures within one year, `1year` within five (credit §5).
"""

import zipfile
from functools import cache
from itertools import pairwise
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

SOURCE = "Tomczak, S. (2016), Polish Companies Bankruptcy, UCI Machine Learning Repository, doi:10.24432/C5F600"
LICENCE = "CC BY 4.0"

ARCHIVE = Path(__file__).parent / "data" / "polish-companies-bankruptcy-1year-5year.zip"
RATIO_COUNT = 64

BALANCE_SHEET = (2, 3, 4, 6, 8, 10, 25, 28, 29, 38, 40, 46, 50, 51, 53, 59)
"""The sixteen columns that a balance sheet alone gives and that have at most 2 % missing values."""

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Groups = NDArray[np.int64]

_MEMBERS = {1: "5year.arff", 5: "1year.arff"}

FORMULAS = {
    "working-capital": "X3",
    "current-ratio": "X4",
    "equity": "X10",
    "current-liabilities": "X51",
    "later-liabilities": "X2 - X51, at least 0",
    "current-assets": "X4 * X51",
    "quick-ratio": "X46",
    "cash-ratio": "X40",
    "reserves": "X25",
    "debtors": "(X46 - X40) * X51",
    "stocks": "(X4 - X46) * X51",
    "profit-before-tax": "X18",
    "operating-profit": "X35, where X22 is not 0",
    "profit-to-creditors": "X12",
    "turnover": "X36",
}
"""Input of the score -> the columns that give it.

X22, the profit on operating activities, is exactly 0 in 534 rows of the file of one year, none of which failed. That is
a trace of how the file was put together and not of risk: the operating profit of such a row counts as missing.
"""


class Sample(msgspec.Struct, frozen=True):
    """Companies as rows: ratios (NaN where missing), whether the company failed within the horizon, and its group."""

    ratios: Floats
    failed: Flags
    groups: Groups
    """Equal for rows of one company, in both files."""

    def columns(self, numbers: tuple[int, ...]) -> Floats:
        """Return the columns X`numbers`, in that order."""
        return self.ratios[:, [number - 1 for number in numbers]]

    def inputs(self, codes: tuple[str, ...]) -> Floats:
        """Return the columns of these inputs of the score, in that order."""
        x = dict(zip(range(1, RATIO_COUNT + 1), self.ratios.T, strict=True))
        found = {
            "working-capital": x[3],
            "current-ratio": x[4],
            "equity": x[10],
            "current-liabilities": x[51],
            "later-liabilities": np.maximum(np.round(x[2] - x[51], 4), 0),
            "current-assets": x[4] * x[51],
            "quick-ratio": x[46],
            "cash-ratio": x[40],
            "reserves": x[25],
            "debtors": (x[46] - x[40]) * x[51],
            "stocks": (x[4] - x[46]) * x[51],
            "profit-before-tax": x[18],
            "operating-profit": np.where(x[22] == 0, np.nan, x[35]),
            "profit-to-creditors": x[12],
            "turnover": x[36],
        }
        return np.column_stack([found[code] for code in codes])

    @property
    def total_assets(self) -> Floats:
        """Total assets, in thousands of zlotys: the working capital X55 over its share X3, or ten to the power of X29."""
        share = self.ratios[:, 2]
        return np.where(
            np.abs(share) > 0.01, self.ratios[:, 54] / np.where(share == 0, 1, share), 10 ** self.ratios[:, 28]
        )


def read(archive: Path, horizon_years: int) -> Sample:
    """Read the failures within `horizon_years`, 1 or 5, without duplicate rows."""
    return _read_both(archive)[horizon_years]


@cache
def _read_both(archive: Path) -> dict[int, Sample]:
    samples = {years: _read(archive, member) for years, member in _MEMBERS.items()}
    groups = _groups(np.concatenate([_share_capital(each) for each in samples.values()]))
    parts = np.split(groups, np.cumsum([len(each.failed) for each in samples.values()])[:-1])
    return {
        years: msgspec.structs.replace(each, groups=part)
        for (years, each), part in zip(samples.items(), parts, strict=True)
    }


def _read(archive: Path, member: str) -> Sample:
    with zipfile.ZipFile(archive) as files:
        _, _, data = files.read(member).decode("ascii").partition("@data")
    lines = (line.strip() for line in data.splitlines())
    rows = [[np.nan if cell == "?" else float(cell) for cell in line.split(",")] for line in lines if line]
    table = np.array(rows, dtype=np.float64)
    # NaN is unequal to itself: a number that no ratio has replaces it while rows are compared.
    _, first = np.unique(np.nan_to_num(table, nan=-9.87e33), axis=0, return_index=True)
    table = table[np.sort(first)]
    return Sample(table[:, :RATIO_COUNT], table[:, RATIO_COUNT] == 1, np.arange(len(table)))


def _share_capital(sample: Sample) -> Floats:
    """Return the share capital in thousands of zlotys; NaN where rounding of the ratios hides it, or where it is usual.

    The files name no company, but share capital rarely changes: two rows with the same unusual amount are one company.
    Multiples of 50,000 zlotys, the least capital of a company, are usual.
    """
    total = sample.total_assets
    capital = (sample.ratios[:, 9] - sample.ratios[:, 24]) * total
    exact = np.abs(capital) > np.maximum(total * 4e-4, 1)
    fifties = capital / 50
    return np.where(exact & (np.abs(fifties - np.round(fifties)) > 0.02), capital, np.nan)


def _groups(capital: Floats) -> Groups:
    groups = np.arange(len(capital))
    known = np.flatnonzero(~np.isnan(capital))
    ordered = known[np.argsort(capital[known], kind="stable")]
    for one, other in pairwise(ordered):
        if abs(capital[other] / capital[one] - 1) < 2e-4:
            groups[other] = groups[one]
    return groups
