"""The change log as every store returns it, without a gap: its numbers are given out in order, and none is left out."""

from collections.abc import Sequence
from typing import Any

from credence.store.records import Change

CHANGE_NOTICE_MS = 86_400_000
"""How long the log keeps a notice that an application, account or key must be read again."""


class LogGap(Exception):
    """Entries that the reader has not read have been deleted."""


def changes_after(sequence: int, rows: Sequence[Sequence[Any]]) -> list[Change]:
    """Return the entries above a sequence, from rows of the newest number given out and the columns of an entry.

    A log without an entry above `sequence` gives one row with no entry. Raises LogGap if entries are missing, unless
    `sequence` is 0: the beginning of the log is deleted in any order.
    """
    found = [Change(*entry) for _, *entry in rows if entry[0] is not None]
    if sequence and (not rows or rows[0][0] - sequence != len(found)):
        raise LogGap
    return found
