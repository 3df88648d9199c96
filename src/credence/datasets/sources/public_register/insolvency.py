"""Insolvency cases of companies, from the public register's API (credit §4.1). The practitioners are never read."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from credence.companies.facts.events import CaseDate, InsolvencyCase
from credence.datasets.fact_kinds import INSOLVENCY
from credence.datasets.sources.days import read_day
from credence.datasets.sources.public_register.answers import Made, answers_about, read_answers
from credence.datasets.sources.record import Record, RejectedPlace, UnreadableValue


class _Dated(msgspec.Struct):
    type: str = ""
    date: str | None = None


class _Case(msgspec.Struct):
    type: str = ""
    number: str | int = ""
    dates: tuple[_Dated, ...] = ()


def read(files: Sequence[Path]) -> Iterator[Record | RejectedPlace | UnreadableValue]:
    """Yield the cases. Raises LoadError for a file that is no such answer."""
    return read_answers(files, "insolvency cases", _Case, _case)


def _case(item: _Case, _company: str) -> Made:
    if not item.type:
        raise ValueError("type.missing")
    dates = tuple(CaseDate(each.type, day) for each in item.dates if (day := read_day(each.date)))
    doubts = ("date.unreadable",) * (len(item.dates) - len(dates))
    # Two kinds of case may carry one number.
    return f"{item.number} {item.type}", InsolvencyCase(str(item.number), item.type, dates), doubts


SOURCE = answers_about(INSOLVENCY, read)
