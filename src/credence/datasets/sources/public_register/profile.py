"""Profiles of companies, from the public register's API or its stream of companies (credit §4.1).

Only the remarks that the snapshot of the register lacks are read. If an event lacks a remark, the one of the earlier answer
is kept.
"""

import re
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import msgspec

from credence.companies.facts.company import Profile
from credence.companies.number import normalise_or_none
from credence.datasets.fact_kinds import PROFILE
from credence.datasets.sources.public_register.answers import answers_in
from credence.datasets.sources.source import (
    COMPANIES_HOUSE_LICENCE,
    Found,
    LoadError,
    Record,
    RejectedPlace,
    Renewal,
    Source,
)
from credence.datasets.sources.stream_events import ITSELF, read_events
from credence.datasets.sources.streams import NOT_JSON

MEMBERS = (
    "company_number",
    "company_name",
    "has_insolvency_history",
    "undeliverable_registered_office_address",
    "registered_office_is_in_dispute",
)
"""The members of a profile that are read; `credence data fetch` saves no others."""


class _Answer(msgspec.Struct):
    company_number: str
    company_name: str
    """Not stored. Required because other answers lack it."""
    has_insolvency_history: bool | None = None
    undeliverable_registered_office_address: bool | None = None
    registered_office_is_in_dispute: bool | None = None


_decode = msgspec.json.Decoder(_Answer).decode


def _record(company: str, answer: _Answer) -> Record:
    remarks = Profile(
        insolvency_history=answer.has_insolvency_history,
        office_undeliverable=answer.undeliverable_registered_office_address,
        office_in_dispute=answer.registered_office_is_in_dispute,
    )
    return Record(company, ITSELF, remarks)


def _read(files: Sequence[Path]) -> Iterator[Found]:
    """Yield the profiles in the answers. Raises LoadError for a file with another kind of answer."""
    for where, text in answers_in(files):
        try:
            answer = _decode(text)
        except NOT_JSON as error:
            raise LoadError(f"{where} is not the profile of a company.") from error
        company = normalise_or_none(answer.company_number)
        if company is None:
            yield RejectedPlace(where, "number.malformed")
            continue
        yield _record(company, answer)
        yield Record(company, "", None)


def _read_event(entry: msgspec.Raw, company: str, _where: str) -> Iterator[Found]:
    yield _record(company, _decode(entry))


def _with_held(held: Profile, changed: Profile) -> Profile:
    known = {name: value for name, value in msgspec.structs.asdict(changed).items() if value is not None}
    return msgspec.structs.replace(held, **known)


SOURCE = Source(
    kind=PROFILE,
    publisher="Companies House, public data API, company profile",
    licence=COMPANIES_HOUSE_LICENCE,
    renewal=Renewal.COMPANY,
    file_name=re.compile(r"[A-Z0-9]{8}-profile(?:-\d+)?\.jsonl?"),
    read=_read,
    events=partial(read_events, resources="", read=_read_event),
    keeps=_with_held,
)
