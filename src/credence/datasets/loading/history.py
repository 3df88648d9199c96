"""Merges facts into a data set with a history: what is corrected or withdrawn ends, and is kept with its days.

For single documents the order of loads does not matter: what the publisher has said under one id is ordered by its
versions, and the last one is present. Of versions that the publisher does not order, the one loaded last is the last. An
answer about a company ends the facts of the company that it lacks. See `docs/adr/facts-over-time.md`.
"""

import datetime as dt
import sqlite3
from collections.abc import Collection, Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from credence.datasets.fact_kinds import MISSING, UNPUBLISHED, FactKind
from credence.datasets.fact_reader import FACTS_WITH_HISTORY

STAGED = """
CREATE TEMP TABLE staged_version (
    number TEXT, id TEXT, since INTEGER, revised INTEGER, version INTEGER, reason TEXT, value BLOB
);
"""

UPGRADE = f"""
ALTER TABLE fact RENAME TO earlier;
{FACTS_WITH_HISTORY}
INSERT INTO fact SELECT number, id, 0, NULL, NULL, 0, '', value FROM earlier;
DROP TABLE earlier;
"""  # noqa: S608 - constants
"""Makes the table from that of a data set of an earlier layout."""

DELETED = "deleted"
"""The reason of an entry that an event of a stream deletes."""

_INSERT = "INSERT OR REPLACE INTO fact VALUES (?, ?, ?, ?, ?, ?, ?, ?)"


class Version(NamedTuple):
    """What a publisher said under one id: a fact about a company; or, about no company, the reason for that."""

    number: str
    since: int | None
    """The day since which it is known, as an ordinal; None means the day on which the fact was made public."""
    revised: int | None
    """The day of this version, if the publisher says it."""
    version: int
    reason: str
    value: bytes


def says_other(new: sqlite3.Connection, kind: FactKind, *, extends: bool) -> bool:
    """Return whether staged versions without a fact are to be kept: because they withdraw it, or for a loaded data set."""
    query = "SELECT count(*), count(reason IN (?, ?) OR NULL) FROM staged_version WHERE id != ''"
    staged, withdrawn = new.execute(query, (DELETED, UNPUBLISHED)).fetchone()
    return kind.history and bool(withdrawn or (extends and staged))


_ONCE = "SELECT id FROM staged_version GROUP BY id HAVING count(*) = 1"
_UNCHANGED = f"""
DELETE FROM staged_version WHERE number != '' AND id IN ({_ONCE}) AND (id, version, number, value) IN (
    SELECT id, version, number, value FROM fact WHERE fact.id = staged_version.id AND until = 0
)
"""  # noqa: S608 - constants, here and below
_FIRST = f"""
INSERT INTO fact SELECT number, id, 0, since, revised, version, reason, value FROM staged_version
WHERE id IN ({_ONCE}) AND id NOT IN (SELECT id FROM fact) ORDER BY number, id
"""  # noqa: S608 - constants


def revise(new: sqlite3.Connection, today: dt.date) -> int:
    """Merge staged documents, or events about them; return the number of ids that were known.

    Most are new, or said once more as they are known, which needs one statement for all of them.
    """
    new.execute("DELETE FROM staged_version WHERE id = ''")
    new.execute("CREATE INDEX temp.staged_by_id ON staged_version (id)")
    known = new.execute(_UNCHANGED).rowcount
    others = "SELECT DISTINCT id FROM staged_version WHERE id IN (SELECT id FROM fact) OR id NOT IN (%s) ORDER BY id"
    ids = new.execute(others % _ONCE).fetchall()
    new.execute(_FIRST)
    return known + sum(_revise(new, id_, today.toordinal()) for (id_,) in ids)


def _revise(new: sqlite3.Connection, id_: str, today: int) -> bool:
    columns = "number, since, revised, version, reason, value"
    query = f"SELECT {columns} FROM fact WHERE id = ? ORDER BY version, until = 0, until"  # noqa: S608 - constants
    known = [
        version if not version.number else version._replace(reason="")
        for version in (Version(*row) for row in new.execute(query, (id_,)))
    ]
    said = list(known)
    query = f"SELECT {columns} FROM staged_version WHERE id = ? ORDER BY rowid"  # noqa: S608 - constants
    for row in new.execute(query, (id_,)).fetchall():
        _add(said, Version(*row))
    if said != known:
        new.execute("DELETE FROM fact WHERE id = ?", (id_,))
        new.executemany(_INSERT, _rows(id_, said, today))
    return any(each.number for each in known)


def _add(said: list[Version], new: Version) -> None:
    """Insert a version where it belongs among the versions of its id, the oldest first."""
    place = sum(each.version <= new.version for each in said)
    before = said[place - 1] if place else None
    if before is None or before.version != new.version:
        said.insert(place, new)
    elif before.reason == MISSING:
        said[place - 1] = new
    # A text without a number may be the cut text of the very version that is known.
    elif (before.number, before.value) != (new.number, new.value) and new.reason != MISSING:
        said.insert(place, new)


def _rows(id_: str, said: Sequence[Version], today: int) -> Iterator[tuple[object, ...]]:
    """Yield the rows of the versions of an id: each is known until the next one is."""
    days = [each.since if not place else each.revised or each.since or today for place, each in enumerate(said)]
    for place, each in enumerate(said):
        last = place + 1 == len(said)
        until = 0 if last else days[place + 1]
        reason = each.reason if last or not each.number else _why(each, said[place + 1])
        yield each.number, id_, until, days[place], each.revised, each.version, reason, each.value


def _why(ended: Version, next_: Version) -> str:
    """Return the reason for which a version ended; empty if the next one is about the same company."""
    if next_.number:
        return "" if next_.number == ended.number else "corrected"
    return "withdrawn" if next_.reason in {DELETED, UNPUBLISHED} else "unreadable"


def mark(new: sqlite3.Connection, numbers: Collection[str], value: bytes) -> None:
    """Mark these companies, such as `CUT` for those of which only events are known."""
    statement = (
        "INSERT INTO fact VALUES (?, '', 0, NULL, NULL, 0, '', ?) "
        "ON CONFLICT (number, id, until) DO UPDATE SET value = excluded.value"
    )
    new.executemany(statement, [(number, value) for number in numbers])


def replace_answers(new: sqlite3.Connection, today: dt.date, unreadable: Collection[str], *, world_wide: bool) -> int:
    """Merge staged answers about companies; return the number of facts that were known.

    Facts of `unreadable` companies do not end, because one of them may be the unreadable entry.
    """
    query = "SELECT number, id, since, revised, version, value FROM staged_version ORDER BY number, rowid"
    elsewhere = {id_ for (id_,) in new.execute(_ELSEWHERE)} if world_wide else frozenset[str]()
    replaced = 0
    for number, rows in groupby(new.execute(query).fetchall(), itemgetter(0)):
        replaced += _Answer(new, number, {row[1]: row[2:] for row in rows}, today.toordinal()).merge(
            ends=number not in unreadable, elsewhere=elsewhere
        )
    return replaced


_ELSEWHERE = """
SELECT id FROM staged_version JOIN fact USING (id)
WHERE id != '' AND until = 0 AND fact.number NOT IN ('', staged_version.number)
UNION SELECT id FROM staged_version WHERE id != '' GROUP BY id HAVING count(DISTINCT number) > 1
"""
"""The ids that another company than that of the answer has, or has in another answer of this load."""


class _Answer:
    """The merge of one answer. `staged` maps each id, and the empty one of the mark, to its row."""

    def __init__(
        self,
        new: sqlite3.Connection,
        number: str,
        staged: dict[str, tuple[int | None, int | None, int, bytes]],
        today: int,
    ) -> None:
        self._new, self._number, self._staged, self._today = new, number, staged, today
        query = "SELECT id, version, value FROM fact WHERE number = ? AND until = 0"
        self._present = {id_: (version, value) for id_, version, value in new.execute(query, (number,))}

    def merge(self, *, ends: bool, elsewhere: Collection[str]) -> int:
        if self._is_outdated():
            return 0
        mark = self._staged.pop("", None)
        was_known = bool(self._present)
        held = {id_: row for id_, row in self._present.items() if id_}
        for id_ in held.keys() - self._staged.keys() if ends else ():
            self._end(id_, "withdrawn")
        rows: list[tuple[object, ...]] = []
        for id_, (since, revised, version, value) in self._staged.items():
            before = held.get(id_)
            if before is not None and before[1] == value:
                continue
            if before is not None:
                self._end(id_, "")
            if id_ in elsewhere:
                self._end_elsewhere(id_)
            day = self._today if was_known else since
            rows.append((self._number, id_, 0, day, revised, max(version, before[0] if before else 0), "", value))
        if mark is not None:
            version = max(mark[2], self._present.get("", (0, b""))[0])
            rows.append((self._number, "", 0, None, None, version, "", mark[3]))
        self._new.executemany(_INSERT, rows)
        return len(held.keys() & self._staged.keys())

    def _is_outdated(self) -> bool:
        """Return whether a later event about the company is known. An answer that was requested has no version."""
        version = self._staged.get("", (None, None, 0, b""))[2]
        return bool(0 < version < self._present.get("", (0, b""))[0])

    def _end(self, id_: str, reason: str) -> None:
        statement = "UPDATE OR REPLACE fact SET until = ?, reason = ? WHERE number = ? AND id = ? AND until = 0"
        self._new.execute(statement, (self._today, reason, self._number, id_))

    def _end_elsewhere(self, id_: str) -> None:
        """End the fact of another company with this id."""
        statement = (
            "UPDATE OR REPLACE fact SET until = ?, reason = 'corrected' "
            "WHERE id = ? AND until = 0 AND number NOT IN ('', ?)"
        )
        self._new.execute(statement, (self._today, id_, self._number))
