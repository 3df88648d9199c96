"""Retention: personal data goes when it has been over for longer than the operator keeps it (credit §10)."""

import datetime as dt
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from credence.datasets import catalogue
from credence.datasets.fact_kinds import FactKind
from credence.datasets.fact_reader import NIL
from credence.datasets.loading.alone import alone
from credence.datasets.loading.draft import counts, draft_of, opened, rejects_of
from credence.datasets.publish import Publish, publish_nowhere, put_in_service, take_out_of_service


def retention_start(today: dt.date, years: int) -> dt.date | None:
    """Return the first day whose endings are kept; None when everything is, which 0 years say."""
    if not years:
        return None
    try:
        return today.replace(year=today.year - years)
    except ValueError:  # 29 February
        return today.replace(year=today.year - years, day=28)


def forget(part: FactKind, folder: Path, since: dt.date, publish: Publish = publish_nowhere) -> int:
    """Drop personal data that ended before `since` from what is loaded; return how many facts went.

    Raises LoadError as `load` does, and leaves the old data set as it was then.
    """
    with draft_of(folder, part.source) as draft:
        old = catalogue.read(folder).sources.get(part.source)
        if old is None or old.layout != part.layout:
            return 0
        shutil.copyfile(folder / old.file, draft)
        with opened(draft, part, old) as new:
            gone = drop_ended(new, part, since)
            facts, companies = counts(new)
            new.commit()
        if gone:
            kept = msgspec.structs.replace(old, facts=facts, companies=companies)
            put_in_service(folder, part.source, draft, kept, publish)
    return gone


def remove(source: str, folder: Path, publish: Publish = publish_nowhere) -> bool:
    """Stop serving a source and delete all that is held of it; False when nothing was.

    LoadError while another process loads it.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with alone(folder / source):
        rejects_of(folder, source).unlink(missing_ok=True)
        return take_out_of_service(folder, source, publish)


def drop_ended(new: sqlite3.Connection, part: FactKind, since: dt.date | None) -> int:
    """Drop what ended before `since`, and what leads to it; return how many facts went."""
    if part.ended is None or since is None:
        return 0
    decode: Callable[[bytes], Any] = msgspec.msgpack.Decoder(part.fact).decode
    gone = []
    for number, id_, value in new.execute("SELECT number, id, value FROM fact WHERE id != ''"):
        over = part.ended(decode(value))
        if over and over < since:
            gone.append((number, id_))
    if gone:
        new.executemany("DELETE FROM fact WHERE number = ? AND id = ?", gone)
        new.executemany("INSERT OR IGNORE INTO fact VALUES (?, '', ?)", [(number, NIL) for number, _ in gone])
        _mention_again(new, part, {number for number, _ in gone})
    return len(gone)


def _mention_again(new: sqlite3.Connection, part: FactKind, numbers: set[str]) -> None:
    decode: Callable[[bytes], Any] = msgspec.msgpack.Decoder(part.fact).decode
    for number in numbers:
        rows = new.execute("SELECT value FROM fact WHERE number = ? AND id != ''", (number,))
        mentions = [(each, number) for (value,) in rows for each in part.mentions(decode(value))]
        new.execute("DELETE FROM mention WHERE number = ?", (number,))
        new.executemany("INSERT OR IGNORE INTO mention VALUES (?, ?)", mentions)
