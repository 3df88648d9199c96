"""Saved answers of the public register's API, one in each file or in each line (credit §4.1).

An answer is about one company: its links or the member `company_number` name it, or else the file's name, such as
`01234567-officers.json`. Long lists have several pages, which are loaded together.

An event of the register's streams is about one resource. Insolvency is one resource for each company, so its newest event
has all cases and replaces them as an answer does; a deleted resource means that it has no case. Other events are about
single entries (`stream_events.py`).
"""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TypeVar

import msgspec

from credence.companies.number import normalise_or_none
from credence.datasets.fact_kinds import FactKind
from credence.datasets.sources.source import (
    COMPANIES_HOUSE_LICENCE,
    Fact,
    Found,
    LoadError,
    Record,
    RejectedPlace,
    Renewal,
    Source,
    UnreadableValue,
)
from credence.datasets.sources.stream_events import read_events
from credence.datasets.sources.streams import NOT_JSON, lines, read_all, streams
from credence.datasets.sources.values import Links, read_date

_SUFFIXES = (".json", ".jsonl")

_COMPANY = re.compile(r"/company/([^/]+)")
_NAMED = re.compile(r"([A-Za-z0-9]{6,8})(?:[-_.].*)?")


class _Page(msgspec.Struct):
    """An answer with undecoded entries, so that an unreadable entry does not affect the others."""

    items: tuple[msgspec.Raw, ...] | None = None
    cases: tuple[msgspec.Raw, ...] | None = None
    company_number: str = ""
    links: Links | None = None
    total_count: int | None = None
    total_results: int | None = None


class _Linked(msgspec.Struct):
    links: Links | None = None


class _Change(msgspec.Struct):
    timepoint: int = 0
    type: str = ""
    published_at: str = ""


class _Event(msgspec.Struct):
    """An event of a stream; other lines lack its members."""

    resource_uri: str
    event: _Change
    data: _Page | None = None


_decode_page = msgspec.json.Decoder(_Page).decode
_decode_linked = msgspec.json.Decoder(_Linked).decode
_decode_event = msgspec.json.Decoder(_Event).decode

T = TypeVar("T")

Converted = tuple[str, Fact, tuple[str, ...]]
"""Id, fact, and the reason codes of unreadable values."""


def answers_source(
    kind: FactKind,
    what: str,
    item: type[T],
    convert: Callable[[T, str], Converted],
    *,
    stream: str = "",
    lists: bool = False,
) -> Source:
    """Return the source of one of the API's lists.

    `stream` is the part of an entry's URL path that names its kind, if a stream has events about single entries; otherwise
    it is empty. With `lists`, lines may be events of a stream that has the whole list of a company in each. `what` names
    the entries in error messages. `convert` turns an entry of type `item` and its company's number into a fact, and raises
    ValueError with a reason code for an incomplete entry.
    """
    decode = msgspec.json.Decoder(item).decode

    def read_entry(entry: msgspec.Raw, company: str, where: str) -> Iterator[Found]:
        id_, fact, unreadable = convert(decode(entry), company)
        yield from (UnreadableValue(where, reason) for reason in unreadable)
        yield Record(company, id_, fact)

    return Source(
        kind=kind,
        publisher=f"Companies House, public data API, {kind.source.replace('-', ' ')}",
        licence=COMPANIES_HOUSE_LICENCE,
        renewal=Renewal.COMPANY,
        # The file names that `credence data fetch` uses.
        file_name=re.compile(rf"[A-Z0-9]{{8}}-{kind.source}(?:-\d+)?\.jsonl?"),
        read=partial(_read, what=what, decode=decode, convert=convert, events=lists),
        events=partial(read_events, resources=stream, read=read_entry) if stream else None,
        number_hint=f"Name each file after its company, such as 01234567-{kind.source}.json: not every answer names it.",
    )


def _read(
    files: Sequence[Path],
    *,
    what: str,
    decode: Callable[[msgspec.Raw], T],
    convert: Callable[[T, str], Converted],
    events: bool,
) -> Iterator[Found]:
    """Yield the entries of the answers. Raises LoadError for a file that is not such an answer."""
    totals: dict[str, int] = {}
    found: dict[str, int] = {}
    for where, page, company, change in _pages(files, what, events=events):
        entries = page.items if page.items is not None else page.cases
        if entries is None:
            raise LoadError(f"{where} is not a list of {what}.")
        if company is None:
            yield RejectedPlace(where, "number.missing")
            continue
        readable = True
        found[company] = found.get(company, 0) + len(entries)
        total = page.total_count if page.total_count is not None else page.total_results
        totals[company] = max(totals.get(company, 0), total or 0)
        for position, entry in enumerate(entries, 1):
            place = f"{where}, entry {position}"
            try:
                id_, fact, unreadable = convert(decode(entry), company)
            except NOT_JSON:
                readable = False
                yield RejectedPlace(place, "entry.unreadable", company)
            except ValueError as reason:
                readable = False
                yield RejectedPlace(place, str(reason), company)
            else:
                yield from (UnreadableValue(place, reason) for reason in unreadable)
                yield Record(company, id_, fact)
        if readable or change.timepoint:  # an answer with an unreadable entry must not count as "none"
            yield Record(company, "", None, version=change.timepoint, revised=read_date(change.published_at))
    for company, total in totals.items():
        if found[company] < total:
            yield UnreadableValue(company, "answer.incomplete")
            yield Record(company, "", None, cut=True)


def _pages(files: Sequence[Path], what: str, *, events: bool) -> Iterator[tuple[str, _Page, str | None, _Change]]:
    newest: dict[str, tuple[_Change, str, _Page]] = {}
    """Company -> its newest event, and place and list of this event."""
    for where, answer in answers_in(files):
        if events and (event := _event(answer)) is not None:
            company, change, page = event
            if company not in newest or change.timepoint >= newest[company][0].timepoint:
                newest[company] = change, where, page
            continue
        try:
            page = _decode_page(answer)
        except NOT_JSON as error:
            raise LoadError(f"{where} is not a list of {what}.") from error
        yield where, page, _company(page, where.partition(", line ")[0]), _Change()
    for company, (change, where, page) in newest.items():
        yield where, page, company, change


def answers_in(files: Sequence[Path]) -> Iterator[tuple[str, bytes]]:
    """Yield place and text of each answer: a whole file, or each line that is not empty.

    Raises LoadError for a missing or damaged file.
    """
    for name, stream in streams(files, *_SUFFIXES):
        if not name.lower().endswith(".jsonl"):
            yield name, read_all(stream, name)
            continue
        yield from ((f"{name}, line {place}", line) for place, line in enumerate(lines(stream), 1) if line)


def _event(line: bytes) -> tuple[str, _Change, _Page] | None:
    """Return company, change and list of an event; None for a line that is not an event about a company."""
    try:
        event = _decode_event(line)
    except NOT_JSON:
        return None
    form = _COMPANY.match(event.resource_uri)
    company = normalise_or_none(form[1]) if form else None
    if company is None:
        return None
    page = _Page(cases=()) if event.event.type == "deleted" or event.data is None else event.data
    return company, event.event, page


def _company(page: _Page, name: str) -> str | None:
    """Return the number of an answer's company; None if nothing names it, or two numbers differ."""
    numbers = {number for text in (page.company_number, *_linked(page)) if (number := normalise_or_none(text))}
    if not numbers:
        form = _NAMED.fullmatch(name.rpartition("/")[2])
        numbers = {number for text in (form[1] if form else "",) if (number := normalise_or_none(text))}
    return numbers.pop() if len(numbers) == 1 else None


def _linked(page: _Page) -> Iterator[str]:
    if page.links and (form := _COMPANY.match(page.links.own)):
        yield form[1]
    for entry in page.items or ():
        try:
            links = _decode_linked(entry).links
        except NOT_JSON:
            continue
        if links and (form := _COMPANY.match(links.own)):
            yield form[1]
