"""The public data that the ratio points are fitted on: Polish companies, 64 ratios each, and whether each failed.

Tomczak, S. (2016), Polish Companies Bankruptcy, UCI Machine Learning Repository, doi:10.24432/C5F600, CC BY 4.0. The
file names number the years of observation: `5year` has the failures within one year, `1year` within five (credit §5).
"""

import zipfile
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

SOURCE = "Tomczak, S. (2016), Polish Companies Bankruptcy, UCI Machine Learning Repository, doi:10.24432/C5F600"
LICENCE = "CC BY 4.0"

ARCHIVE = Path(__file__).parent / "data" / "polish-companies-bankruptcy-1year-5year.zip"
RATIO_COUNT = 64

COLUMNS = {
    "working-capital": 3,
    "current-ratio": 4,
    "retained-earnings": 6,
    "equity": 10,
    "reserves": 25,
    "total-assets": 29,
    "cash-ratio": 40,
    "quick-ratio": 46,
    "current-liabilities": 51,
}
"""Ratio of the score -> the number of its column, X1 to X64."""

BALANCE_SHEET = (2, 3, 4, 6, 8, 10, 25, 28, 29, 38, 40, 46, 50, 51, 53, 59)
"""The sixteen columns that a balance sheet alone gives and that have at most 2 % missing values."""

MICRO_ENTITY = (3, 4, 10, 29, 51)
"""The five columns that the shortest balance sheet gives (credit §8.2)."""

Floats = NDArray[np.float64]


class Sample(msgspec.Struct, frozen=True):
    """Companies as rows: ratios (NaN where missing), and whether the company failed within the horizon."""

    ratios: Floats
    failed: NDArray[np.bool_]

    def columns(self, numbers: tuple[int, ...]) -> Floats:
        """Return the columns X`numbers`, in that order."""
        return self.ratios[:, [number - 1 for number in numbers]]


def read(archive: Path, horizon_years: int) -> Sample:
    """Read the failures within `horizon_years`, 1 or 5, without duplicate rows."""
    member = {1: "5year.arff", 5: "1year.arff"}[horizon_years]
    with zipfile.ZipFile(archive) as files:
        _, _, data = files.read(member).decode("ascii").partition("@data")
    lines = (line.strip() for line in data.splitlines())
    rows = [[np.nan if cell == "?" else float(cell) for cell in line.split(",")] for line in lines if line]
    table = np.array(rows, dtype=np.float64)
    # NaN is unequal to itself: a number that no ratio has replaces it while rows are compared.
    _, first = np.unique(np.nan_to_num(table, nan=-9.87e33), axis=0, return_index=True)
    table = table[np.sort(first)]
    return Sample(table[:, :RATIO_COUNT], table[:, RATIO_COUNT] == 1)
