"""Mortgages and other charges of companies, from the public register's API (credit §4.1)."""

import datetime as dt

import msgspec

from credence.companies.facts.events import Charge
from credence.datasets.fact_kinds import CHARGES
from credence.datasets.sources.public_register.answers import Converted, answers_source
from credence.datasets.sources.values import Links


class _Described(msgspec.Struct):
    description: str = ""
    contains_floating_charge: bool | None = None
    floating_charge_covers_all: bool | None = None


class _Person(msgspec.Struct):
    name: str = ""


_Descriptions = _Described | tuple[_Described, ...]
"""The API documentation calls them lists; actual answers contain one object."""


class _Item(msgspec.Struct):
    status: str = ""
    id: str = ""
    charge_code: str = ""
    charge_number: int | None = None
    classification: _Descriptions = ()
    particulars: _Descriptions = ()
    secured_details: _Descriptions = ()
    created_on: dt.date | None = None
    delivered_on: dt.date | None = None
    satisfied_on: dt.date | None = None
    persons_entitled: tuple[_Person, ...] = ()
    links: Links | None = None


def _charge(item: _Item, _company: str) -> Converted:
    linked = item.links.id if item.links else ""
    number = str(item.charge_number) if item.charge_number is not None else ""
    id_ = linked or item.id or item.charge_code or number
    if not id_:
        raise ValueError("id.missing")
    if not item.status:
        raise ValueError("status.missing")
    particulars = _first(item.particulars)
    charge = Charge(
        id=item.charge_code or id_,
        status=item.status,
        classification=_first(item.classification).description,
        created=item.created_on,
        delivered=item.delivered_on,
        satisfied=item.satisfied_on,
        holders=tuple(each.name for each in item.persons_entitled if each.name),
        floating=particulars.contains_floating_charge,
        covers_all=particulars.floating_charge_covers_all,
        secured=_first(item.secured_details).description,
        particulars=particulars.description,
    )
    return id_, charge, ()


def _first(found: _Descriptions) -> _Described:
    if isinstance(found, tuple):
        return found[0] if found else _Described()
    return found


SOURCE = answers_source(CHARGES, "charges", _Item, _charge, stream="charges")
