"""What companies filed and when, from the public register's API (credit §4.1).

A description is the register's key of a sentence; the values that fill the sentence may name people and are not read,
but for the day that the document was made up to.
"""

import datetime as dt
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from credence.companies.facts.events import Filing
from credence.datasets.fact_kinds import FILINGS
from credence.datasets.sources.days import read_day
from credence.datasets.sources.links import Links
from credence.datasets.sources.public_register.answers import Made, answers_about, read_answers
from credence.datasets.sources.record import Record, RejectedPlace, UnreadableValue


class _Values(msgspec.Struct):
    made_up_date: str | None = None


class _Item(msgspec.Struct):
    transaction_id: str = ""
    date: dt.date | None = None
    category: str = ""
    type: str = ""
    description: str = ""
    description_values: _Values | None = None
    paper_filed: bool | None = None
    links: Links | None = None


_KEY = re.compile(r"[a-z0-9\-]{1,120}")
"""A key of a sentence; old documents have a sentence instead, which may name people."""


def read(files: Sequence[Path]) -> Iterator[Record | RejectedPlace | UnreadableValue]:
    """Yield the filings. Raises LoadError for a file that is no such answer."""
    return read_answers(files, "filings", _Item, _filing)


def _filing(item: _Item, _company: str) -> Made:
    id_ = item.transaction_id or (item.links.id if item.links else "")
    if not id_:
        raise ValueError("id.missing")
    if item.date is None:
        raise ValueError("date.missing")
    said = item.description_values.made_up_date if item.description_values else None
    made_up = read_day(said)
    filing = Filing(
        id=id_,
        date=item.date,
        category=item.category,
        type=item.type,
        description=item.description if _KEY.fullmatch(item.description) else "",
        made_up=made_up,
        on_paper=bool(item.paper_filed),
    )
    return id_, filing, ("date.unreadable",) if said and made_up is None else ()


SOURCE = answers_about(FILINGS, read)
