"""Finds the files in a folder of downloads that are newer than the loaded ones, by their published names.

For a snapshot these are the files of the newest day, if all parts are present and the loaded one is older. For single
documents these are all files that are not loaded yet or have changed since.
"""

import datetime as dt
import re
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import msgspec

from credence.datasets.catalogue import Catalogue, CatalogueEntry
from credence.datasets.fact_kinds import REGISTER
from credence.datasets.loading.load import file_stamps
from credence.datasets.sources import accounts, gazette, payment_practices, persons_with_control
from credence.datasets.sources.public_register import charges, filing_history, insolvency, officers, profile
from credence.datasets.sources.snapshot_files import missing_parts
from credence.datasets.sources.source import Renewal, Source

SOURCES = {
    module.SOURCE.name: module.SOURCE
    for module in (
        accounts,
        persons_with_control,
        gazette,
        payment_practices,
        officers,
        charges,
        insolvency,
        filing_history,
        profile,
    )
}
"""Every source of facts by its name. The register is loaded by `load.load_register`."""

_REGISTER_NAME = re.compile(
    r"BasicCompanyData(?:AsOneFile)?-(?P<day>\d{4}-\d\d-\d\d)(?:-part(?P<part>\d+)_(?P<parts>\d+))?\.(?:zip|csv)"
)

_SNAPSHOT_NAMES = {REGISTER: _REGISTER_NAME} | {name: each.file_name for name, each in SOURCES.items() if each.snapshot}


class DueFiles(msgspec.Struct, frozen=True):
    """The files of one source that belong together."""

    source: str
    files: tuple[Path, ...]
    problem: str = ""
    """Why they cannot be loaded; empty if they can be."""

    @property
    def description(self) -> str:
        """The name of the first file, and how many more there are."""
        first = self.files[0].name
        return first if len(self.files) == 1 else f"{first} and {len(self.files) - 1} more"


def due_files(folder: Path, loaded: Catalogue, until: dt.date = dt.date.max) -> list[DueFiles]:
    """Return the new files of a folder by source, incomplete snapshots and those of days up to `until` included.

    Raises OSError.
    """
    files = sorted(path for path in folder.iterdir() if path.is_file())
    due = [
        _due_snapshot(source, name, files, loaded.sources.get(source), until)
        for source, name in _SNAPSHOT_NAMES.items()
    ]
    due += [
        _due_documents(each, files, loaded.sources.get(each.name)) for each in SOURCES.values() if not each.snapshot
    ]
    return [each for each in due if each is not None]


def _due_snapshot(
    source: str, name: re.Pattern[str], files: Sequence[Path], loaded: CatalogueEntry | None, until: dt.date
) -> DueFiles | None:
    by_day: dict[dt.date, list[Path]] = defaultdict(list)
    for file in files:
        form = name.fullmatch(file.name)
        if form and (day := _day(form["day"])) and day <= until:
            by_day[day].append(file)
    newest = max(by_day, default=None)
    if newest is None or (loaded and loaded.as_of and newest <= loaded.as_of):
        return None
    return _one_or_parts(source, name, by_day[newest])


def _one_or_parts(source: str, name: re.Pattern[str], files: Sequence[Path]) -> DueFiles:
    """Return the single file of the whole snapshot, or else all parts in order."""
    parts: dict[int, Path] = {}
    total = 0
    for file in files:
        form = name.fullmatch(file.name)
        if form is None or form["part"] is None:
            return DueFiles(source, (file,))
        parts[int(form["part"])] = file
        total = max(total, int(form["parts"]))
    ordered = tuple(parts[number] for number in sorted(parts))
    return DueFiles(source, ordered, missing_parts(parts.keys(), total))


def _due_documents(source: Source, files: Sequence[Path], loaded: CatalogueEntry | None) -> DueFiles | None:
    stamps = loaded.files if loaded else {}
    named = [file for file in files if source.file_name.fullmatch(file.name)]
    if source.renewal is Renewal.ALL:
        named = sorted(named, key=lambda file: file.stat().st_mtime_ns)[-1:]
    new = [file for file in named if file_stamps([file]) != {file.name: stamps.get(file.name)}]
    if source.renewal is Renewal.COMPANY:  # all pages of a company, because they replace its facts together
        companies = {file.name.partition("-")[0] for file in new}
        new = [file for file in named if file.name.partition("-")[0] in companies]
    return DueFiles(source.name, tuple(new)) if new else None


def _day(text: str) -> dt.date | None:
    try:
        return dt.date.fromisoformat(text)
    except ValueError:
        return None
