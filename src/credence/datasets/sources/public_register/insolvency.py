"""Insolvency cases of companies, from the public register's API (credit §4.1). Practitioners are not read."""

import msgspec

from credence.companies.facts.events import CaseDate, InsolvencyCase
from credence.datasets.fact_kinds import INSOLVENCY
from credence.datasets.sources.public_register.answers import Converted, answers_source
from credence.datasets.sources.values import read_date


class _Dated(msgspec.Struct):
    type: str = ""
    date: str | None = None


class _Linked(msgspec.Struct):
    charge: str = ""


class _Case(msgspec.Struct):
    type: str = ""
    number: str | int = ""
    dates: tuple[_Dated, ...] = ()
    links: _Linked | None = None


def _case(item: _Case, _company: str) -> Converted:
    if not item.type:
        raise ValueError("type.missing")
    dates = tuple(CaseDate(each.type, day) for each in item.dates if (day := read_date(each.date)))
    if len(dates) < len(item.dates):
        raise ValueError("date.unreadable")  # without its day, an end would be missing, and an ended case would go on
    charge = item.links.charge.rpartition("/charges/")[2] if item.links else ""
    # Two types of case may have one number.
    return f"{item.number} {item.type}", InsolvencyCase(str(item.number), item.type, dates, charge), ()


SOURCE = answers_source(INSOLVENCY, "insolvency cases", _Case, _case, lists=True)
