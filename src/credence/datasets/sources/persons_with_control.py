"""Persons with significant control: the daily snapshot of Companies House, JSON lines in one zip or in parts (credit §4.2).

The last line of the last part counts the records, which detects a missing part. Addresses, dates of birth, nationalities
and countries of residence are not read. A statement, such as that there is no such person, and an exemption make the
company known without an owner. Events of the register's stream change single owners of a loaded snapshot.
"""

import re
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import msgspec

from credence.companies.facts.people import Owner
from credence.companies.number import normalise_or_none
from credence.datasets.fact_kinds import OWNERS
from credence.datasets.sources.snapshot_files import snapshot_date
from credence.datasets.sources.source import (
    COMPANIES_HOUSE_LICENCE,
    FilesRejected,
    Found,
    LoadError,
    Record,
    RejectedPlace,
    Renewal,
    Source,
    UnreadableValue,
)
from credence.datasets.sources.stream_events import read_events
from credence.datasets.sources.streams import NOT_JSON, lines, streams
from credence.datasets.sources.values import Links, read_date

STATEMENT = "persons-with-significant-control-statement"
EXEMPTIONS = "exemptions"
TOTALS = "totals#persons-of-significant-control-snapshot"

_TOLERANCE = 0.001
"""The share by which totals may differ from the lines, because the register changes while the snapshot is made.

It is also the share of lines that may be rejected (our choice).
"""

_MIN_REJECTED = 10
"""Lines that may always be rejected, in a snapshot of any size; the owners of their companies are unknown (our choice)."""

_NUMBER = re.compile(rb'"company_number"\s*:\s*"([A-Za-z0-9]{1,8})"')


class _Identification(msgspec.Struct):
    registration_number: str | None = None
    country_registered: str | None = None
    place_registered: str | None = None


class _Data(msgspec.Struct):
    kind: str = ""
    name: str | None = None
    natures_of_control: tuple[str, ...] = ()
    notified_on: str | None = None
    ceased_on: str | None = None
    ceased: bool | int | None = None
    """Set in the lines of super-secure persons, which have no dates."""
    identification: _Identification | None = None
    links: Links | None = None
    persons_of_significant_control_count: int = 0
    statements_count: int = 0
    exemptions_count: int = 0


class _Line(msgspec.Struct):
    data: _Data
    company_number: str = ""


_decode = msgspec.json.Decoder(_Line).decode
_decode_data = msgspec.json.Decoder(_Data).decode


def read(files: Sequence[Path]) -> Iterator[Found]:
    """Yield the owners.

    Raises LoadError if lines are missing, for example in a missing part, and for files of another kind.
    """
    total: int | None = None
    lines_found = rejected = 0
    for name, stream in streams(files, ".txt", ".json", ".jsonl"):
        for place, line in enumerate(lines(stream), 1):
            if not line:
                continue
            try:
                record = _decode(line)
            except NOT_JSON:
                if not lines_found and place == 1:
                    raise LoadError(f"{name} is not a snapshot of persons with significant control.") from None
                lines_found += 1
                rejected += 1
                yield RejectedPlace(f"{name}, line {place}", "line.unreadable", _company_of(line))
                continue
            data = record.data
            if data.kind == TOTALS:
                total = data.persons_of_significant_control_count + data.statements_count + data.exemptions_count
                continue
            lines_found += 1
            for each in _read_line(record, f"{name}, line {place}"):
                rejected += isinstance(each, RejectedPlace)
                yield each
    if total is None:
        raise LoadError("The files lack the last line of the snapshot, which counts its records: load all parts.")
    if abs(total - lines_found) > _TOLERANCE * total:
        raise LoadError(
            f"The files hold {lines_found:,} records and the snapshot {total:,}: load all parts, each once."
        )
    if rejected > max(_MIN_REJECTED, _TOLERANCE * total):
        raise FilesRejected(
            f"Of {total:,} records {rejected:,} cannot be read: this is not the layout of the snapshot."
        )


def _company_of(line: bytes) -> str:
    """Return the company number in an unreadable line; empty without one."""
    form = _NUMBER.search(line)
    return (normalise_or_none(form[1].decode()) if form else None) or ""


def _read_line(record: _Line, where: str) -> Iterator[Found]:
    data = record.data
    company = normalise_or_none(record.company_number)
    if company is None:
        yield RejectedPlace(where, "number.malformed")
        return
    if data.kind in {STATEMENT, EXEMPTIONS}:
        yield Record(company, "", None)
        return
    id_ = data.links.id if data.links else ""
    if not id_ or not data.kind:
        yield RejectedPlace(where, "id.missing" if data.kind else "kind.missing", company)
        return
    notified, ceased = read_date(data.notified_on), read_date(data.ceased_on)
    if data.ceased_on and ceased is None:
        # With an unreadable end, a former owner would count as a present one.
        yield RejectedPlace(where, "ceased.unreadable", company)
        return
    if data.ceased and ceased is None:
        # A super-secure person who has ceased: without a published day, the retention period is unknown.
        yield Record(company, "", None)
        return
    if data.notified_on and notified is None:
        yield UnreadableValue(where, "date.unreadable")
    body = data.identification or _Identification()
    owner = Owner(
        id=id_,
        kind=data.kind,
        name=data.name or "",
        natures=data.natures_of_control,
        corporate=data.kind.startswith(("corporate-entity", "legal-person")),
        registration_number=(body.registration_number or "").strip(),
        country=(body.country_registered or body.place_registered or "").strip(),
        notified=notified,
        ceased=ceased,
    )
    yield Record(company, id_, owner)


def _read_entry(entry: msgspec.Raw, company: str, where: str) -> Iterator[Found]:
    data = _decode_data(entry)
    if data.ceased and not data.ceased_on and data.links:
        yield Record(company, data.links.id, None)
    else:
        yield from _read_line(_Line(data, company), where)


SOURCE = Source(
    kind=OWNERS,
    publisher="Companies House, People with significant control snapshot",
    licence=COMPANIES_HOUSE_LICENCE,
    renewal=Renewal.ALL,
    file_name=re.compile(
        r"(?:persons-with-significant-control-snapshot|psc-snapshot)-(?P<day>\d{4}-\d\d-\d\d)"
        r"(?:_(?P<part>\d+)of(?P<parts>\d+))?\.(?:zip|txt)"
    ),
    read=read,
    snapshot=snapshot_date,
    events=partial(read_events, resources="persons-with-significant-control", read=_read_entry),
)
