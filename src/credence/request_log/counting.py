"""Counts the requests of the newest part of the log, by outcome and by caller, within a time that is given (D16, D30)."""

import sqlite3
from collections import Counter
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from credence.clock import Milliseconds, seconds
from credence.request_log.marks import ACCOUNT, ADDRESS, CLIENT, STATUS

BUDGET_SECONDS = 0.05
"""How long is counted, at most, and the time of one block."""

_AT = 0


@dataclass(slots=True)
class Counted:
    """The requests since an instant. A caller without name counts under no key."""

    since: Milliseconds
    """Every request from here on is counted; later than what was asked when the time ended the count."""
    is_partial: bool = False
    requests: int = 0
    statuses: Counter[int] = field(default_factory=Counter)
    clients: Counter[str] = field(default_factory=Counter)
    accounts: Counter[str] = field(default_factory=Counter)
    addresses: Counter[str] = field(default_factory=Counter)


def count(path: Path, since: Milliseconds, budget: float = BUDGET_SECONDS) -> Counted:
    """Return what the log of this node has since an instant, the newest first. Raises OSError when it cannot be read."""
    found = Counted(since)
    if not path.exists():
        return found
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=1.0)) as connection:
            _count(connection, found, seconds() + budget)
    except (sqlite3.Error, msgspec.DecodeError) as error:
        raise OSError(f"the request log {path} cannot be read: {error}") from error
    for each in (found.clients, found.accounts, found.addresses):
        each.pop("", None)
    return found


def _count(connection: sqlite3.Connection, found: Counted, deadline: float) -> None:
    asked = found.since
    rows = connection.execute("select first, last, content from blocks where last >= ? order by last desc", (asked,))
    for first, last, content in rows:
        if seconds() > deadline:
            found.since, found.is_partial = last + 1, True
            return
        columns = msgspec.msgpack.decode(content, type=list[list[int | str]])
        if first < asked:
            kept = [number for number, at in enumerate(columns[_AT]) if isinstance(at, int) and at >= asked]
            columns = [[column[number] for number in kept] for column in columns]
        found.requests += len(columns[_AT])
        found.statuses.update(each for each in columns[STATUS] if isinstance(each, int))
        for counter, number in ((found.clients, CLIENT), (found.accounts, ACCOUNT), (found.addresses, ADDRESS)):
            counter.update(map(str, columns[number]))
