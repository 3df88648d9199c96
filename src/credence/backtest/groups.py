"""Corporate groups: the companies that one company owns by majorities, directly or through others (credit §4.2)."""

import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Iterator

_LONGEST_CHAIN = 50


def tops(parents: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return each company of a group -> the company at its top. A circle of owners has its least number as its top."""
    of = dict(parents)
    found: dict[str, str] = {}
    for number in of:
        chain = [number]
        while (parent := of.get(chain[-1])) is not None and parent not in chain and len(chain) < _LONGEST_CHAIN:
            chain.append(parent)
        top = min(chain[chain.index(parent) :]) if parent in chain else chain[-1]
        found[number] = found[top] = top
    return found


def members(
    rows: sqlite3.Connection, failed: frozenset[str], others: frozenset[str]
) -> Iterator[list[tuple[float, bool]]]:
    """Yield the companies of each group of two or more: risk, and whether it failed. `failed` and `others` are kinds."""
    top = tops(rows.execute("SELECT number, parent FROM parent"))
    if not top:
        return
    groups: dict[str, list[tuple[float, bool]]] = defaultdict(list)
    in_groups = "SELECT number FROM parent UNION SELECT parent FROM parent"
    query = f"SELECT number, score, kind FROM member WHERE number IN ({in_groups})"  # noqa: S608 - constants
    for number, score, kind in rows.execute(query):
        if kind in failed or kind in others:
            groups[top[number]].append((-score, kind in failed))
    yield from (each for each in groups.values() if len(each) > 1)
