"""Register snapshots made for a test, in the form of the real file: quoted values, header names with leading spaces."""

import csv
import io
from collections.abc import Mapping, Sequence
from pathlib import Path

from credence.datasets.loading import register_writing
from credence.datasets.loading.summary import LoadSummary, Progress
from credence.datasets.sources.register.snapshot import COLUMNS

NOW = 1_793_500_000_000
"""1 November 2026."""

HEADER = [name if n % 3 else f" {name}" for n, name in enumerate((*COLUMNS, "URI"))]


def company(number: str, name: str = "PLACEHOLDER LIMITED", **cells: str) -> dict[str, str]:
    """A row; cells are given by their column's name with `_` for a point."""
    named = {column: cells.pop(column.replace(".", "_"), "") for column in COLUMNS}
    assert not cells, f"no such columns: {cells}"
    return named | {
        "CompanyNumber": number,
        "CompanyName": name,
        "CompanyStatus": named["CompanyStatus"] or "Active",
    }


def snapshot(rows: Sequence[Mapping[str, str]], header: Sequence[str] = HEADER) -> str:
    """The text of a snapshot file."""
    text = io.StringIO()
    writer = csv.writer(text, quoting=csv.QUOTE_ALL)
    writer.writerow(header)
    writer.writerows([row.get(name.strip(), "") for name in header] for row in rows)
    return text.getvalue()


def write(path: Path, *rows: Mapping[str, str]) -> Path:
    """A snapshot file with these rows."""
    path.write_text(snapshot(rows), encoding="utf-8")
    return path


def load(files: Sequence[Path], into: Path, progress: Progress | None = None) -> LoadSummary:
    """Write what the files hold to a data set of its own, which no catalogue names."""
    rejects = into.with_name(f"{into.name}.rejects.csv")
    with rejects.open("w", encoding="utf-8", newline="") as stream:
        day, counts = register_writing.write_register(files, into, stream, NOW, progress)
    return counts.summary("register", rejects, day, counts.kept, None)
