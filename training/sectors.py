"""Loads the industry tables of the Insolvency Service: insolvencies by section, and the companies among which they occur.

Input is a CSV with the columns `section` (letter of SIC 2007) and `insolvencies` (twelve months, England and Wales), as the
"12 months" table of the monthly release has them, and a snapshot of the register, of which companies of England and Wales
that are not in liquidation count by their first activity. Both counts go into the data file of the rates, which are computed
from them (`credence.scoring.basis.sectors`).
"""

import csv
import datetime as dt
import io
import zipfile
from collections import Counter
from collections.abc import Iterator, Mapping
from importlib import resources
from pathlib import Path

from credence.scoring.basis.sectors import SECTIONS
from credence.scoring.model import FILES

RATES = Path(str(resources.files("credence.scoring"))) / "data" / FILES["sectors"]
"""The shipped rates of the sectors."""

_SIC_2007_DIGITS = 5
_PARTNERSHIP = "OC"


def read_insolvencies(file: Path) -> dict[str, int]:
    """Return section -> insolvencies. Raises ValueError unless each of the 21 sections has one count."""
    with file.open(encoding="utf-8-sig", newline="") as lines:
        rows = [(row["section"], int(row["insolvencies"])) for row in csv.DictReader(lines)]
    if sorted(section for section, _ in rows) != list(SECTIONS):
        raise ValueError(f"{file.name} must have each of the sections A to U once.")
    if any(count < 0 for _, count in rows):
        raise ValueError(f"{file.name} has a negative count.")
    return dict(sorted(rows))


def count_companies(snapshot: Path, section_of_division: Mapping[str, str]) -> dict[str, int]:
    """Return section -> companies of England and Wales in a snapshot of the register (CSV or ZIP) that may still fail."""
    found = Counter(
        section_of_division.get(code[:2])
        for number, status, code in _rows(snapshot)
        if (number.isdigit() or number.startswith(_PARTNERSHIP))
        and "liquidation" not in status.lower()
        and len(code) == _SIC_2007_DIGITS
    )
    return {section: found[section] for section in SECTIONS}


def as_toml(before: str, insolvencies: Mapping[str, int], companies: Mapping[str, int], as_of: dt.date) -> str:
    """Return the data file of the rates with new counts and their day; its other lines stay as in `before`."""
    counts = {"insolvencies": insolvencies, "companies": companies}
    lines, table = [], ""
    for line in before.splitlines():
        if line.startswith("["):
            table = line.strip("[]")
        name = line.partition(" = ")[0]
        if table in counts and name in SECTIONS:
            lines.append(f"{name} = {counts[table][name]}")
        else:
            fresh = {"version": f'version = "{as_of:%Y-%m}"', "as_of": f"as_of = {as_of}"}
            lines.append(line if table else fresh.get(name, line))
    return "\n".join(lines) + "\n"


def _rows(snapshot: Path) -> Iterator[tuple[str, str, str]]:
    """Yield number, status and code of the first activity; names of columns may have leading spaces."""
    if snapshot.suffix == ".zip":
        with zipfile.ZipFile(snapshot) as archive:
            names = [name for name in archive.namelist() if name.lower().endswith(".csv")]
            for name in names:
                with archive.open(name) as content:
                    yield from _cells(io.TextIOWrapper(content, encoding="utf-8-sig", newline=""))
    else:
        with snapshot.open(encoding="utf-8-sig", newline="") as content:
            yield from _cells(content)


def _cells(content: io.TextIOBase) -> Iterator[tuple[str, str, str]]:
    reader = csv.reader(content)
    header = [name.strip() for name in next(reader)]
    places = [header.index(name) for name in ("CompanyNumber", "CompanyStatus", "SICCode.SicText_1")]
    for row in reader:
        number, status, activity = (row[place].strip() for place in places)
        yield number, status, activity.partition(" - ")[0]
