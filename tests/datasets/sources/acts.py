"""Loads as an operator does them, with a time that is told."""

from pathlib import Path
from typing import Any

from credence.companies.facts.company import Company
from credence.datasets.credit_data import CreditData
from credence.datasets.loading.load import load as load_source
from credence.datasets.loading.load import load_register
from credence.datasets.loading.refresh import SOURCES
from credence.datasets.loading.summary import LoadSummary
from credence.datasets.sources.source import Record, RejectedPlace, UnreadableValue
from tests.datasets.snapshots import company
from tests.datasets.snapshots import write as write_snapshot

NOW = 1_793_845_600_000
"""5 November 2026."""


def load(source: str, folder: Path, *files: Path, **options: Any) -> LoadSummary:
    return load_source(SOURCES[source], files, folder, NOW, **options)


def load_companies(folder: Path, *numbers: str) -> None:
    """A register of these companies."""
    path = folder.parent / "BasicCompanyData-2026-11-01.csv"
    load_register([write_snapshot(path, *(company(number) for number in numbers))], folder, NOW)


def held(folder: Path, number: str) -> Company | None:
    """What a new reader finds about a company."""
    credit_data = CreditData(folder)
    try:
        return credit_data.company(number)
    finally:
        credit_data.close()


def read(source: str, *files: Path) -> list[Record | RejectedPlace | UnreadableValue]:
    return list(SOURCES[source].read(files))


def facts(source: str, *files: Path) -> list[Any]:
    """The facts of files that hold nothing else."""
    found = read(source, *files)
    assert all(isinstance(each, Record) for each in found), found
    return [each.fact for each in found if isinstance(each, Record) and each.fact is not None]


def reasons(source: str, *files: Path) -> list[str]:
    return [each.reason for each in read(source, *files) if not isinstance(each, Record)]
