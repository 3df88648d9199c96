"""The filing history of companies, from the public register's API (credit §4.1).

A description is the key of a sentence of the register. The values that fill the sentence may name people and are not read,
except the day to which the document is made up.
"""

import datetime as dt
import re

import msgspec

from credence.companies.facts.events import Filing
from credence.datasets.fact_kinds import FILINGS
from credence.datasets.sources.public_register.answers import Converted, answers_source
from credence.datasets.sources.values import Links, read_date


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
"""The pattern of a key; old documents have a whole sentence instead, which may name people."""


def _filing(item: _Item, _company: str) -> Converted:
    id_ = item.transaction_id or (item.links.id if item.links else "")
    if not id_:
        raise ValueError("id.missing")
    if item.date is None:
        raise ValueError("date.missing")
    made_up_text = item.description_values.made_up_date if item.description_values else None
    made_up = read_date(made_up_text)
    filing = Filing(
        id=id_,
        date=item.date,
        category=item.category,
        type=item.type,
        description=item.description if _KEY.fullmatch(item.description) else "",
        made_up=made_up,
        on_paper=bool(item.paper_filed),
    )
    return id_, filing, ("date.unreadable",) if made_up_text and made_up is None else ()


SOURCE = answers_source(FILINGS, "filings", _Item, _filing, stream="filing-history")
