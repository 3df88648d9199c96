"""The state of each source's data set, for the operator."""

import datetime as dt
from pathlib import Path

import msgspec

from credence.clock import Milliseconds, london_day
from credence.datasets import catalogue
from credence.datasets.data_set import UnusableDataSet
from credence.datasets.fact_kinds import FACT_KINDS, MISSING, NOTICES, REGISTER, SEVERAL
from credence.datasets.fact_reader import FactReader
from credence.datasets.register import open_register
from credence.datasets.score_reader import SCORES, ScoreReader


class SourceStatus(msgspec.Struct, frozen=True):
    """The state of one source. If it is not loaded, all other fields have their defaults."""

    source: str
    as_of: dt.date | None = None
    age_in_days: int | None = None
    """Days since `as_of`, or else since the load."""
    loaded: dt.date | None = None
    companies: int | None = None
    facts: int | None = None
    bytes: int | None = None
    without_number: str | None = None
    """The number of the last load's notices without a company, because their number is missing or not a company number."""
    held_since: dt.date | None = None
    """Since when an operator holds the source."""
    held_by: str | None = None
    hold_reason: str | None = None
    pending: bool = False
    """Whether another node published a newer edition."""
    fault: str | None = None
    """Why the data set cannot be read, and what to do."""


def row(folder: Path, source: str, now: Milliseconds) -> SourceStatus:
    """Return the state of a source. Raises CatalogueDamaged, OSError."""
    current = catalogue.read(folder)
    entry, pending = current.sources.get(source), source in current.pending
    held = current.holds.get(source)
    state = SourceStatus(source, pending=pending)
    if held is not None:
        state = msgspec.structs.replace(
            state, held_since=london_day(held.since), held_by=held.by, hold_reason=held.reason
        )
    if entry is None:
        return state
    loaded = london_day(entry.loaded_at)
    file = folder / entry.file
    return msgspec.structs.replace(
        state,
        as_of=entry.as_of,
        age_in_days=(london_day(now) - (entry.as_of or loaded)).days,
        loaded=loaded,
        companies=entry.companies,
        facts=entry.facts,
        bytes=file.stat().st_size if file.exists() else None,
        without_number=_without_number(entry) if source == NOTICES.source else None,
        fault=fault_of(folder, source, entry),
    )


def _without_number(entry: catalogue.CatalogueEntry) -> str | None:
    if not entry.rows:
        return None
    lost = sum(entry.refused.get(reason, 0) for reason in (MISSING, SEVERAL))
    return f"{lost} of {entry.rows} ({lost / entry.rows:.0%})"


def fault_of(folder: Path, source: str, entry: catalogue.CatalogueEntry) -> str | None:
    """Return why the data set of an entry cannot be read, and what to do; None for a readable one."""
    try:
        if source == REGISTER:
            open_register(folder, entry).close()
        elif source == SCORES:
            ScoreReader(folder / entry.file).close()
        else:
            kind = next(each for each in FACT_KINDS if each.source == source)
            FactReader[object](folder / entry.file, kind).close()
    except UnusableDataSet as error:
        return str(error)
    except FileNotFoundError:
        again = "credence score run" if source == SCORES else f"credence data load {source}"
        return f"{entry.file} is missing: make it again with `{again}`."
    return None
