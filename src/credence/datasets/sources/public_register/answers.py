"""Answers of the public register's API, saved as files: one answer a file, or one a line (credit §4.1).

Each is about one company, which its links name, else a member `company_number`, else the file's own name, such as
`01234567-officers.json`. Long lists come in pages; a company is whole when all of them are there.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

import msgspec

from credence.companies.number import normalise_or_none
from credence.datasets.fact_kinds import FactKind
from credence.datasets.sources import LoadError
from credence.datasets.sources.links import Links
from credence.datasets.sources.record import Fact, Record, RejectedPlace, UnreadableValue
from credence.datasets.sources.source import COMPANIES_HOUSE_LICENCE, Read, Renewal, Source
from credence.datasets.sources.streams import NOT_JSON, lines, streams, whole

SUFFIXES = (".json", ".jsonl")


_COMPANY = re.compile(r"/company/([^/]+)")
_NAMED = re.compile(r"([A-Za-z0-9]{6,8})(?:[-_.].*)?")


class _Page(msgspec.Struct):
    """An answer before its entries are read, so that one that cannot be read costs only itself."""

    items: tuple[msgspec.Raw, ...] | None = None
    cases: tuple[msgspec.Raw, ...] | None = None
    company_number: str = ""
    links: Links | None = None
    total_count: int | None = None
    total_results: int | None = None


class _Linked(msgspec.Struct):
    links: Links | None = None


_decode = msgspec.json.Decoder(_Page).decode
_decode_linked = msgspec.json.Decoder(_Linked).decode

T = TypeVar("T")

Made = tuple[str, Fact, tuple[str, ...]]
"""Id and fact, and the reasons of values that could not be read."""


def answers_about(part: FactKind, read: Read) -> Source:
    """Return the source of one of the API's lists."""
    return Source(
        part=part,
        publisher=f"Companies House, public data API, {part.source.replace('-', ' ')}",
        licence=COMPANIES_HOUSE_LICENCE,
        renewal=Renewal.COMPANY,
        # As `credence data fetch` names them.
        file_name=re.compile(rf"[A-Z0-9]{{8}}-{part.source}(?:-\d+)?\.jsonl?"),
        read=read,
    )


def read_answers(
    files: Sequence[Path], what: str, item: type[T], make: Callable[[T, str], Made]
) -> Iterator[Record | RejectedPlace | UnreadableValue]:
    """Yield what the answers hold; `make` turns an entry and its company's number into a fact.

    `make` raises ValueError with a reason for an entry without what it needs. Raises LoadError for a file that is no
    such answer.
    """
    decode = msgspec.json.Decoder(item).decode
    totals: dict[str, int] = {}
    seen: dict[str, int] = {}
    for where, page, company in _pages(files, what):
        entries = page.items if page.items is not None else page.cases
        if entries is None:
            raise LoadError(f"{where} is no list of {what}.")
        if company is None:
            yield RejectedPlace(where, "number.missing")
            continue
        readable = True
        seen[company] = seen.get(company, 0) + len(entries)
        total = page.total_count if page.total_count is not None else page.total_results
        totals[company] = max(totals.get(company, 0), total or 0)
        for place, entry in enumerate(entries, 1):
            spot = f"{where}, entry {place}"
            try:
                id_, fact, doubts = make(decode(entry), company)
            except NOT_JSON:
                readable = False
                yield RejectedPlace(spot, "entry.unreadable")
            except ValueError as reason:
                readable = False
                yield RejectedPlace(spot, str(reason))
            else:
                yield from (UnreadableValue(spot, reason) for reason in doubts)
                yield Record(company, id_, fact)
        if readable:  # an answer of which nothing could be read does not say "none"
            yield Record(company, "", None)
    for company, total in totals.items():
        if seen[company] < total:
            yield UnreadableValue(company, "answer.incomplete")


def _pages(files: Sequence[Path], what: str) -> Iterator[tuple[str, _Page, str | None]]:
    for name, stream in streams(files, *SUFFIXES):
        by_line = name.lower().endswith(".jsonl")
        answers = lines(stream) if by_line else iter((whole(stream, name),))
        for place, answer in enumerate(answers, 1):
            if by_line and not answer:
                continue
            where = f"{name}, line {place}" if by_line else name
            try:
                page = _decode(answer)
            except NOT_JSON as error:
                raise LoadError(f"{where} is no list of {what}.") from error
            yield where, page, _company(page, name)


def _company(page: _Page, name: str) -> str | None:
    """Return the number of the company an answer is about; None when nothing says it, or two things differ."""
    said = {number for text in (page.company_number, *_linked(page)) if (number := normalise_or_none(text))}
    if not said:
        form = _NAMED.fullmatch(name.rpartition("/")[2])
        said = {number for text in (form[1] if form else "",) if (number := normalise_or_none(text))}
    return said.pop() if len(said) == 1 else None


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
