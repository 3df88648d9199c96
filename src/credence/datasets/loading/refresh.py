"""What a folder of downloads has that is newer than what is held. Files are known by their published names.

Of a snapshot the newest day counts, and only when all of its parts are there and it is newer than the one that is
held. Of single documents every file counts that was not loaded yet, or was changed since.
"""

import datetime as dt
import re
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import msgspec

from credence.datasets.catalogue import Catalogue, CatalogueEntry
from credence.datasets.fact_kinds import REGISTER
from credence.datasets.loading.completeness import missing_parts
from credence.datasets.loading.load import stamps
from credence.datasets.loading.sources import SOURCES
from credence.datasets.sources.source import Renewal, Source

_REGISTER_NAME = re.compile(
    r"BasicCompanyData(?:AsOneFile)?-(?P<day>\d{4}-\d\d-\d\d)(?:-part(?P<part>\d+)_(?P<parts>\d+))?\.(?:zip|csv)"
)

_SNAPSHOTS = {REGISTER: _REGISTER_NAME} | {name: each.file_name for name, each in SOURCES.items() if each.snapshot}

_SINGLE = tuple(each for each in SOURCES.values() if not each.snapshot)


class DueFiles(msgspec.Struct, frozen=True):
    """Files of one source that belong together."""

    source: str
    files: tuple[Path, ...]
    why_not: str = ""
    """Why they are not to be loaded; empty when they are."""

    @property
    def files_named(self) -> str:
        """The files as an operator reads them."""
        first = self.files[0].name
        return first if len(self.files) == 1 else f"{first} and {len(self.files) - 1} more"


def due_files(folder: Path, held: Catalogue) -> list[DueFiles]:
    """Return what a folder has to load, and what it has that is incomplete; OSError when it cannot be read.

    A source with nothing new is left out.
    """
    files = sorted(path for path in folder.iterdir() if path.is_file())
    found = [_snapshot(source, name, files, held.sources.get(source)) for source, name in _SNAPSHOTS.items()]
    found += [_single(source, files, held.sources.get(source.name)) for source in _SINGLE]
    return [each for each in found if each is not None]


def _snapshot(
    source: str, name: re.Pattern[str], files: Sequence[Path], held: CatalogueEntry | None
) -> DueFiles | None:
    by_day: dict[dt.date, list[Path]] = defaultdict(list)
    for file in files:
        form = name.fullmatch(file.name)
        if form and (day := _day(form["day"])):
            by_day[day].append(file)
    newest = max(by_day, default=None)
    if newest is None or (held and held.as_of and newest <= held.as_of):
        return None
    return _whole(source, name, by_day[newest])


def _whole(source: str, name: re.Pattern[str], files: Sequence[Path]) -> DueFiles:
    """Return one file of the whole, else all parts in their order."""
    parts: dict[int, Path] = {}
    of = 0
    for file in files:
        form = name.fullmatch(file.name)
        if form is None or form["part"] is None:
            return DueFiles(source, (file,))
        parts[int(form["part"])] = file
        of = max(of, int(form["parts"]))
    ordered = tuple(parts[number] for number in sorted(parts))
    return DueFiles(source, ordered, missing_parts(parts.keys(), of))


def _single(source: Source, files: Sequence[Path], held: CatalogueEntry | None) -> DueFiles | None:
    loaded = held.files if held else {}
    named = [file for file in files if source.file_name.fullmatch(file.name)]
    if source.renewal is Renewal.ALL:
        named = sorted(named, key=lambda file: file.stat().st_mtime_ns)[-1:]
    new = [file for file in named if stamps([file]) != {file.name: loaded.get(file.name)}]
    if source.renewal is Renewal.COMPANY:  # all pages of a company, because they replace what is held of it
        companies = {file.name.partition("-")[0] for file in new}
        new = [file for file in named if file.name.partition("-")[0] in companies]
    return DueFiles(source.name, tuple(new)) if new else None


def _day(text: str) -> dt.date | None:
    try:
        return dt.date.fromisoformat(text)
    except ValueError:
        return None
