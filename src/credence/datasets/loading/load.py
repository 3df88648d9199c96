"""The one act of loading: a source's files become a data set, which then takes the place of the old one (credit §11).

The new data set is a draft until the catalogue names it, so readers see the old one or the new one, and a load that
dies, in whatever way, leaves the old one serving and a draft that the next load removes. Records stream through:
memory does not grow with the source. Loading the same files twice changes nothing.
"""

import datetime as dt
import shutil
import sqlite3
from collections.abc import Sequence
from pathlib import Path

import msgspec

from credence.clock import Milliseconds, date_of
from credence.datasets import catalogue, frozen, register_schema
from credence.datasets.catalogue import CatalogueEntry
from credence.datasets.fact_kinds import REGISTER
from credence.datasets.fact_reader import NIL, UNREADABLE_FACT, encode
from credence.datasets.loading.completeness import require_about_as_many
from credence.datasets.loading.draft import counted, counts, draft_of, one, opened, rejects_of, rejects_written
from credence.datasets.loading.loaded import FactTally, Loaded, Progress
from credence.datasets.loading.register_summary import Summary
from credence.datasets.loading.register_writing import PUBLISHER, write
from credence.datasets.loading.retention import drop_ended
from credence.datasets.loading.sound import sound
from credence.datasets.publish import Publish, publish_nowhere, put_in_service
from credence.datasets.sources import FilesRejected
from credence.datasets.sources.days_to_come import require_day_of_snapshot
from credence.datasets.sources.record import Record, UnreadableValue
from credence.datasets.sources.source import COMPANIES_HOUSE_LICENCE, Renewal, Source


def load(
    source: Source,
    files: Sequence[Path],
    folder: Path,
    now: Milliseconds,
    *,
    keep_from: dt.date | None = None,
    accept_fewer: bool = False,
    progress: Progress | None = None,
    publish: Publish = publish_nowhere,
) -> Loaded:
    """Load a source's files into its data set in `folder`; of personal data only what has not ended by `keep_from`.

    A snapshot of far fewer companies than the last is taken only with `accept_fewer`. Raises LoadError for that, for files
    that are no such source or hold nothing to keep, for a disk that does not take the data set, and while another process
    loads the same source; then, as after any other error, the old data set stays.
    """
    named = source.snapshot(files) if source.snapshot else None
    require_day_of_snapshot(named, date_of(now))
    with draft_of(folder, source.name) as draft, rejects_written(folder, source.name) as rejects:
        old = catalogue.read(folder).sources.get(source.name)
        base = old if old and _can_be_added_to(old, source) else None
        if base is not None:
            shutil.copyfile(folder / base.file, draft)
        with rejects.open("w", encoding="utf-8", newline="") as stream, opened(draft, source.part, base) as new:
            tally = FactTally(stream, progress or (lambda _: None))
            unread = _gather(new, source, files, tally, keep_from, date_of(now))
            tally.read_all()
            if not tally.stored:
                raise FilesRejected(f"The files hold nothing that can be kept: {counted(tally.refused)}.")
            _merge(new, source, tally)
            new.executemany(
                "INSERT OR REPLACE INTO fact VALUES (?, '', ?)", [(number, UNREADABLE_FACT) for number in unread]
            )
            if base is not None:
                drop_ended(new, source.part, keep_from)
            facts, companies = counts(new)
            if source.renewal is Renewal.ALL and not accept_fewer:
                require_about_as_many(companies, old, source.publisher)
            unknown = _unknown_companies(new, folder)
            new.commit()
        as_of = named if source.snapshot else _later(tally.newest, base.as_of if base else None)
        entry = CatalogueEntry(
            publisher=source.publisher,
            licence=source.licence,
            as_of=as_of,
            loaded_at=now,
            layout=source.part.layout,
            companies=companies,
            facts=facts,
            files=(base.files if base else {}) | stamps(files),
        )
        put_in_service(folder, source.name, draft, entry, publish)
    return tally.loaded(source.name, companies, unknown, as_of, rejects_of(folder, source.name))


def load_register(
    files: Sequence[Path],
    folder: Path,
    now: Milliseconds,
    progress: Progress | None = None,
    *,
    accept_fewer: bool = False,
    publish: Publish = publish_nowhere,
) -> Summary:
    """Replace the register by a snapshot's files, in the same act. Raises LoadError as `load` does."""
    with draft_of(folder, REGISTER) as draft, rejects_written(folder, REGISTER) as rejects:
        summary = write(files, draft, rejects, now, progress)
        if not accept_fewer:
            require_about_as_many(summary.kept, catalogue.read(folder).sources.get(REGISTER), PUBLISHER)
        entry = CatalogueEntry(
            publisher=PUBLISHER,
            licence=COMPANIES_HOUSE_LICENCE,
            as_of=summary.snapshot,
            loaded_at=now,
            layout=register_schema.LAYOUT,
            companies=summary.kept,
            facts=summary.kept,
            files=stamps(files),
        )
        put_in_service(folder, REGISTER, draft, entry, publish)
    return msgspec.structs.replace(summary, rejects=rejects_of(folder, REGISTER))


def stamps(files: Sequence[Path]) -> dict[str, tuple[int, int]]:
    """Return name, size and time of change of files, by which a refresh knows them again."""
    return {file.name: (file.stat().st_size, file.stat().st_mtime_ns) for file in files}


_BATCH = 5_000
"""Rows handed to SQLite at once."""


def _can_be_added_to(old: CatalogueEntry, source: Source) -> bool:
    """Say whether a data set goes on in the next one; what another publisher gave, as to try the service, does not."""
    alike = (old.layout, old.publisher) == (source.part.layout, source.publisher)
    return alike and source.renewal is not Renewal.ALL


def _gather(
    new: sqlite3.Connection,
    source: Source,
    files: Sequence[Path],
    tally: FactTally,
    keep_from: dt.date | None,
    today: dt.date,
) -> set[str]:
    """Put the facts aside, loose, and return the companies of which some could not be read."""
    facts: list[tuple[str, str, bytes]] = []
    mentions: list[tuple[str, str]] = []

    def hand_over() -> None:
        new.executemany("INSERT INTO loose VALUES (?, ?, ?)", facts)
        new.executemany("INSERT INTO loose_mention VALUES (?, ?)", mentions)
        facts.clear()
        mentions.clear()

    ended, dated = source.part.ended, source.dated
    unknown: set[str] = set()
    for each in sound(source.read(files), today):
        if isinstance(each, UnreadableValue):
            tally.doubt(each.reason)
            continue
        if isinstance(each, Record) and each.fact is None:
            facts.append((each.company, "", NIL))
            tally.stored += 1
            continue
        tally.row()
        if not isinstance(each, Record):
            tally.refuse(each.where, each.reason)
            unknown.add(each.company)
            continue
        if dated and (day := dated(each.fact)):
            tally.newest = max(day, tally.newest or day)
        over = ended(each.fact) if ended else None
        if over and keep_from and over < keep_from:
            tally.forgotten += 1
            facts.append((each.company, "", NIL))  # that it was asked about is no personal data
        else:
            facts.append((each.company, each.id, encode(each.fact)))
            mentions.extend((mentioned, each.company) for mentioned in source.part.mentions(each.fact))
        tally.stored += 1
        if len(facts) >= _BATCH:
            hand_over()
    hand_over()
    return unknown - {""}


def _merge(new: sqlite3.Connection, source: Source, tally: FactTally) -> None:
    """Put what was gathered in its places; of equal documents the last one counts."""
    if source.renewal is Renewal.COMPANY:
        touched = "number IN (SELECT DISTINCT number FROM loose)"
        tally.replaced = one(
            new, "SELECT count(*) FROM fact WHERE id != '' AND (number, id) IN (SELECT number, id FROM loose)"
        )
        new.execute(f"DELETE FROM fact WHERE {touched}")  # noqa: S608 - a constant
        new.execute(f"DELETE FROM mention WHERE {touched}")  # noqa: S608 - likewise
    if source.renewal is Renewal.DOCUMENT:
        tally.replaced = one(
            new, "SELECT count(*) FROM fact WHERE (number, id) IN (SELECT number, id FROM loose WHERE id != '')"
        )
    came = one(new, "SELECT count(*) FROM loose WHERE id != ''")
    different = one(new, "SELECT count(*) FROM (SELECT DISTINCT number, id FROM loose WHERE id != '')")
    tally.duplicates = came - different
    new.execute("INSERT OR REPLACE INTO fact SELECT number, id, value FROM loose ORDER BY number, id, rowid")
    new.execute("INSERT OR IGNORE INTO mention SELECT mentioned, number FROM loose_mention ORDER BY mentioned, number")


def _unknown_companies(new: sqlite3.Connection, folder: Path) -> int | None:
    register = catalogue.read(folder).sources.get(REGISTER)
    if register is None or register.layout != register_schema.LAYOUT or not (folder / register.file).exists():
        return None
    new.commit()
    new.execute("ATTACH ? AS register", (frozen.address(folder / register.file),))
    try:
        return one(
            new,
            "SELECT count(*) FROM (SELECT DISTINCT number FROM fact) AS held"
            " WHERE NOT EXISTS (SELECT 1 FROM register.company WHERE company.number = held.number)",
        )
    finally:
        new.execute("DETACH register")


def _later(one: dt.date | None, other: dt.date | None) -> dt.date | None:
    return max((each for each in (one, other) if each), default=None)
