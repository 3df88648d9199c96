"""Loads the files of a backtest into data sets of its own; what an earlier run has loaded is not loaded again."""

import zipfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from credence.backtest.plan import Plan
from credence.backtest.reading import ACCOUNTS_IN_WORKERS
from credence.clock import Milliseconds
from credence.datasets import catalogue
from credence.datasets.fact_kinds import ACCOUNTS, INSOLVENCY, NOTICES, OWNERS, REGISTER, FactKind
from credence.datasets.loading.load import file_stamps, load, load_register
from credence.datasets.loading.refresh import SOURCES

Progress = Callable[[str, int, int | None], None]
"""Receives what is done, how much of it, and how much there is; None if that is unknown."""

BATCH_BYTES = 4 << 30
"""Files of accounts are loaded in batches of this size; an interrupted load goes on with its batch. Each batch copies the
data set and merges into it, so small ones cost more than they save."""

KNOWN, LATER = "known", "later"
"""The folders of the data sets: what was known, with notices and cases of the horizon, and the later register."""


def load_all(plan: Plan, folder: Path, now: Milliseconds, progress: Progress) -> None:
    """Load everything. Raises LoadError for unusable files."""
    for name, files in ((KNOWN, plan.before), (LATER, plan.after)):
        _register(files, folder / name, now, progress)
    for kind, given in ((NOTICES, plan.notices), (INSOLVENCY, plan.cases), (OWNERS, plan.owners)):
        _facts(kind, given, folder / KNOWN, now, progress)
    for batch in _batches(plan.accounts):
        _facts(ACCOUNTS, batch, folder / KNOWN, now, progress)


def _register(files: Sequence[Path], folder: Path, now: Milliseconds, progress: Progress) -> None:
    if _due(REGISTER, files, folder):
        words = "Reading the register"
        load_register(files, folder, now, lambda rows: progress(words, rows, None))


def _facts(kind: FactKind, files: Sequence[Path], folder: Path, now: Milliseconds, progress: Progress) -> None:
    if due := _due(kind.source, files, folder):
        words = f"Reading {kind.source}"
        source = ACCOUNTS_IN_WORKERS if kind is ACCOUNTS else SOURCES[kind.source]
        total = _documents(due) if kind is ACCOUNTS else None
        load(source, due, folder, now, progress=lambda rows: progress(words, rows, total))


def _documents(files: Sequence[Path]) -> int:
    """Return the number of documents in products, so that an estimate is possible."""
    total = 0
    for file in files:
        try:
            with zipfile.ZipFile(file) as archive:
                total += len(archive.namelist())
        except (OSError, zipfile.BadZipFile):
            total += 1
    return total


def _due(source: str, files: Sequence[Path], folder: Path) -> list[Path]:
    """Return the files that are not loaded as they are."""
    held = catalogue.read(folder).sources.get(source)
    stamps = held.files if held else {}
    return [file for file in files if file_stamps([file]) != {file.name: stamps.get(file.name)}]


def _batches(files: Sequence[Path]) -> Iterator[list[Path]]:
    batch: list[Path] = []
    size = 0
    for file in files:
        batch.append(file)
        size += file.stat().st_size
        if size >= BATCH_BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch
