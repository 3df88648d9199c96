"""The companies of a backtest as arrays, for the fit of points and their judgement."""

import sqlite3
from collections.abc import Iterator, Sequence

import msgspec
import numpy as np
from numpy.typing import NDArray

from credence.backtest.cohort import Member
from credence.backtest.measuring import FAILED
from credence.scoring.points import PointsTable
from training.fit import total_points
from training.polish import Flags, Floats

_ROWS = 20_000

Chunk = tuple[Floats, Floats, Flags, NDArray[np.int64]]
"""Values in the order of `codes_of`, rate of the sector, whether each failed, present points."""


def chunks(rows: sqlite3.Connection, kinds: frozenset[str], every: int = 1) -> Iterator[Chunk]:
    """Yield the companies with these outcomes, or each `every`-th of them, some thousands at a time."""
    marks = ", ".join("?" * len(kinds))
    fields = ", ".join(name for name in Member._fields if name in ("kind", "points", "base", "inputs"))
    found = rows.execute(
        f"SELECT {fields} FROM member WHERE kind IN ({marks}) AND rowid % ? = 0",  # noqa: S608 - names and question marks
        (*sorted(kinds), every),
    )
    decode = msgspec.msgpack.Decoder(list[float | None]).decode
    while some := found.fetchmany(_ROWS):
        values = [[np.nan if each is None else each for each in decode(inputs)] for *_, inputs in some]
        yield (
            np.array(values, dtype=np.float64),
            np.array([base for _, _, base, _ in some]),
            np.array([kind in FAILED for kind, *_ in some]),
            np.array([points for _, points, _, _ in some], dtype=np.int64),
        )


def points_of(tables: Sequence[PointsTable], values: Floats, codes: Sequence[str]) -> NDArray[np.int64]:
    """Return the points of each company as a score adds them up; the level of a table counts where one of its is known."""
    column = dict(zip(codes, values.T, strict=True))
    total = total_points(tables, values, codes)
    for table in tables:
        if table.level:
            known = np.any([~np.isnan(column[factor.code]) for factor in table.factors], axis=0)
            total = total + np.where(known, table.level, 0)
    return np.asarray(total)
