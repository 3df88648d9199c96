"""Events of the register's streams about single entries: an officer, an owner, a charge, a filing, a profile (credit §4.1).

An event has the whole entry or says that it is deleted. It changes this entry and says nothing about the others of its
company. Only the newest of several events about one entry is used, in any order of the lines. Only its address names the
company. Insolvency is one resource for each company and is read with the answers.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

import msgspec

from credence.companies.number import normalise_or_none
from credence.datasets.sources.source import Found, Record, RejectedPlace, UnreadableValue
from credence.datasets.sources.streams import NOT_JSON, lines, streams
from credence.datasets.sources.values import read_date

_SUFFIX = ".jsonl"

_ENTRY = re.compile(r"/company/([^/]+)(?:/([^/]+)/(?:[^/]+/)*([^/]+))?")

ITSELF = "profile"
"""The id of the entry about the company itself, whose URL path ends with the company number."""

_DELETED = "deleted"


class _Change(msgspec.Struct):
    timepoint: int
    type: str
    published_at: str = ""


class _Event(msgspec.Struct):
    resource_uri: str
    event: _Change
    data: msgspec.Raw = msgspec.Raw(b"null")


_decode = msgspec.json.Decoder(_Event).decode

ReadEntry = Callable[[msgspec.Raw, str, str], Iterator[Found]]
"""Takes entry, company and place, and yields records. Raises ValueError with a reason code, or an error of `NOT_JSON`."""


def are_events(files: Sequence[Path]) -> bool:
    """Return whether every file contains events, by its first line. Raises LoadError for a damaged file."""
    return all(file.name.lower().endswith(_SUFFIX) for file in files) and all(
        _event(next(filter(None, lines(stream)), b"")) is not None for _, stream in streams(files, _SUFFIX)
    )


def read_events(files: Sequence[Path], resources: str, read: ReadEntry) -> Iterator[Found]:
    """Yield a record for each changed entry, one without a fact for a deleted one.

    `resources` is the part of an address after the company's number, empty for the company itself. Reasons:
    `line.unreadable`, `event.other` for an event of another stream, `entry.unreadable` and those of `read`. Raises LoadError
    for a damaged file.
    """
    newest: dict[tuple[str, str], tuple[str, _Event]] = {}
    for name, stream in streams(files, _SUFFIX):
        for place, line in enumerate(lines(stream), 1):
            if not line:
                continue
            where, event = f"{name}, line {place}", _event(line)
            form = _ENTRY.fullmatch(event.resource_uri) if event else None
            company = normalise_or_none(form[1]) if form else None
            if event is None or form is None or company is None:
                yield RejectedPlace(where, "line.unreadable")
            elif (form[2] or "") != resources:
                yield RejectedPlace(where, "event.other")
            else:
                key = company, form[3] or ITSELF
                if key not in newest or event.event.timepoint >= newest[key][1].event.timepoint:
                    newest[key] = where, event
    for (company, id_), (where, event) in newest.items():
        dated = partial(_dated, change=event.event)
        if event.event.type == _DELETED:
            yield dated(Record(company, id_, None))
            continue
        try:
            yield from map(dated, read(event.data, company, where))
        except NOT_JSON:
            yield dated(RejectedPlace(where, "entry.unreadable", company, id_))
        except ValueError as reason:
            yield dated(RejectedPlace(where, str(reason), company, id_))


def _dated(found: Found, change: _Change) -> Found:
    if isinstance(found, UnreadableValue):
        return found
    revised = read_date(change.published_at)
    return msgspec.structs.replace(found, version=change.timepoint, revised=revised)


def _event(line: bytes) -> _Event | None:
    try:
        return _decode(line)
    except NOT_JSON:
        return None
