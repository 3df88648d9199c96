"""Loads a source: its files become a data set, which then replaces the old one (credit §11).

The catalogue does not name the new data set before it is complete: readers use the old one or the new one, and a load that
is killed leaves the old one in service and a staging file that the next load removes. Records are streamed, so memory does
not grow with the source. Loading the same files twice changes nothing.
"""

import datetime as dt
import shutil
from collections.abc import Sequence
from pathlib import Path

import msgspec

from credence.clock import Milliseconds, london_day, seconds
from credence.datasets import catalogue, register_schema
from credence.datasets.catalogue import CatalogueEntry
from credence.datasets.fact_kinds import REGISTER
from credence.datasets.holds import put_unless_held, require_released
from credence.datasets.loading.facts_writing import write_facts
from credence.datasets.loading.register_writing import PUBLISHER, write_register
from credence.datasets.loading.staging import rejects_file, staged_rejects, staging_file
from credence.datasets.loading.summary import LoadSummary, Progress
from credence.datasets.publish import Publish, publish_nowhere
from credence.datasets.sources.snapshot_files import (
    require_newer,
    require_past_date,
    require_similar_size,
    snapshot_date,
)
from credence.datasets.sources.source import COMPANIES_HOUSE_LICENCE, LoadError, Renewal, Source
from credence.datasets.sources.stream_events import are_events


def load(
    source: Source,
    files: Sequence[Path],
    folder: Path,
    now: Milliseconds,
    *,
    keep_from: dt.date | None = None,
    accept_fewer: bool = False,
    accept_older: bool = False,
    progress: Progress | None = None,
    publish: Publish = publish_nowhere,
) -> LoadSummary:
    """Load a source's files into its data set in `folder`.

    Personal data that ended before `keep_from` is dropped. A snapshot with far fewer companies than the last one is
    accepted only with `accept_fewer`, one of an earlier day only with `accept_older`. Raises LoadError for such a snapshot,
    for files of another kind or without a row to keep, if the disk cannot be written, and while another process loads the
    source. Files of events change a loaded data
    set; for a source of snapshots without one they raise LoadError. Raises SourceHeld for a held source. After any error
    the old data set stays in service.
    """
    started = seconds()
    require_released(folder, source.name)
    if source.events is not None and are_events(files):
        source = msgspec.structs.replace(source, read=source.events, renewal=Renewal.ENTRY, snapshot=None)
    snapshot = source.snapshot(files) if source.snapshot else None
    require_past_date(snapshot, london_day(now))
    with staging_file(folder, source.name) as staged, staged_rejects(folder, source.name) as rejects:
        old = catalogue.read(folder).sources.get(source.name)
        if not accept_older:
            require_newer(snapshot, old, source.publisher)
        base = old if old and _can_be_extended(old, source) else None
        if base is None and source.renewal is Renewal.ENTRY and source.kind.exhaustive:
            raise LoadError("These events change a snapshot, which is not loaded: load the snapshot first.")
        if base is not None:
            shutil.copyfile(folder / base.file, staged)
        with rejects.open("w", encoding="utf-8", newline="") as stream:
            written = write_facts(source, files, staged, stream, folder, london_day(now), base, keep_from, progress)
        if source.renewal is Renewal.ALL and not accept_fewer:
            require_similar_size(written.companies, old, source.publisher)
        as_of = snapshot
        if source.snapshot is None:
            days = (written.counts.newest, base.as_of if base else None)
            as_of = max((day for day in days if day), default=None)
            if source.renewal is Renewal.ALL and not accept_older:
                require_newer(as_of, old, source.publisher)
        entry = CatalogueEntry(
            publisher=source.publisher,
            licence=source.licence,
            as_of=as_of,
            loaded_at=now,
            layout=source.kind.layout,
            companies=written.companies,
            facts=written.facts,
            rows=written.counts.rows,
            refused=dict(written.counts.refused),
            files=(base.files if base else {}) | ({} if written.counts.stays_due else file_stamps(files)),
            load_ms=milliseconds_since(started),
        )
        put_unless_held(folder, source.name, staged, entry, publish)
    return written.counts.summary(
        source.name, rejects_file(folder, source.name), as_of, written.companies, written.unknown_companies
    )


def load_register(
    files: Sequence[Path],
    folder: Path,
    now: Milliseconds,
    progress: Progress | None = None,
    *,
    accept_fewer: bool = False,
    accept_older: bool = False,
    publish: Publish = publish_nowhere,
) -> LoadSummary:
    """Replace the register by the files of a snapshot. Raises LoadError and SourceHeld as `load` does."""
    started = seconds()
    require_released(folder, REGISTER)
    with staging_file(folder, REGISTER) as staged, staged_rejects(folder, REGISTER) as rejects:
        if not accept_older:
            require_newer(snapshot_date(files), catalogue.read(folder).sources.get(REGISTER), PUBLISHER)
        with rejects.open("w", encoding="utf-8", newline="") as stream:
            snapshot, counts = write_register(files, staged, stream, now, progress)
        if not accept_fewer:
            require_similar_size(counts.kept, catalogue.read(folder).sources.get(REGISTER), PUBLISHER)
        entry = CatalogueEntry(
            publisher=PUBLISHER,
            licence=COMPANIES_HOUSE_LICENCE,
            as_of=snapshot,
            loaded_at=now,
            layout=register_schema.LAYOUT,
            companies=counts.kept,
            facts=counts.kept,
            rows=counts.rows,
            refused=dict(counts.refused),
            files=file_stamps(files),
            load_ms=milliseconds_since(started),
        )
        put_unless_held(folder, REGISTER, staged, entry, publish)
    return counts.summary(REGISTER, rejects_file(folder, REGISTER), snapshot, counts.kept, None)


def milliseconds_since(started: float) -> int:
    """Return the time since `started`, an instant of `seconds`."""
    return round((seconds() - started) * 1_000)


def file_stamps(files: Sequence[Path]) -> dict[str, tuple[int, int]]:
    """Return file name -> size in bytes and modification time in nanoseconds, by which a refresh detects changed files."""
    return {file.name: (file.stat().st_size, file.stat().st_mtime_ns) for file in files}


def _can_be_extended(old: CatalogueEntry, source: Source) -> bool:
    """Return whether the new data set extends the old one; data of another publisher, such as samples, is dropped."""
    readable = old.layout in (source.kind.layout, *source.kind.earlier_layouts)
    return readable and old.publisher == source.publisher and source.renewal is not Renewal.ALL
