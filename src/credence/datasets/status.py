"""What is loaded of each source, for the operator."""

import datetime as dt
from pathlib import Path

import msgspec

from credence.clock import Milliseconds, date_of
from credence.datasets import catalogue
from credence.datasets.fact_kinds import FACT_KINDS, REGISTER
from credence.datasets.fact_reader import FactReader
from credence.datasets.register import UnusableDataSet
from credence.datasets.register_in_service import open_register
from credence.datasets.score_reader import SCORES, ScoreReader


class SourceStatus(msgspec.Struct, frozen=True):
    """One source; everything is None but the name when nothing is loaded of it."""

    source: str
    as_of: dt.date | None = None
    age_in_days: int | None = None
    """Since `as_of`, else since the load."""
    loaded: dt.date | None = None
    companies: int | None = None
    facts: int | None = None
    bytes: int | None = None
    awaited: bool = False
    """Whether a newer edition is published than is here."""
    fault: str | None = None
    """Why it cannot be read, and what to do about it."""


def row(folder: Path, source: str, now: Milliseconds) -> SourceStatus:
    """Return what is loaded of a source. Raises CatalogueDamaged, OSError."""
    held = catalogue.read(folder)
    entry, awaited = held.sources.get(source), source in held.pending
    if entry is None:
        return SourceStatus(source, awaited=awaited)
    loaded = date_of(entry.loaded_at)
    file = folder / entry.file
    return SourceStatus(
        source=source,
        as_of=entry.as_of,
        age_in_days=(date_of(now) - (entry.as_of or loaded)).days,
        loaded=loaded,
        companies=entry.companies,
        facts=entry.facts,
        bytes=file.stat().st_size if file.exists() else None,
        awaited=awaited,
        fault=fault_of(folder, source, entry),
    )


def fault_of(folder: Path, source: str, entry: catalogue.CatalogueEntry) -> str | None:
    """Return why the data set of an entry cannot be read and what to do about it, None when it can."""
    try:
        if source == REGISTER:
            open_register(folder, entry).close()
        elif source == SCORES:
            ScoreReader(folder / entry.file).close()
        else:
            part = next(each for each in FACT_KINDS if each.source == source)
            facts: FactReader[object] = FactReader(folder / entry.file, part)
            facts.close()
    except UnusableDataSet as fault:
        return str(fault)
    except FileNotFoundError:
        again = "credence score run" if source == SCORES else f"credence data load {source}"
        return f"{entry.file} is missing: make it again with `{again}`."
    return None
