"""Notices of corporate insolvency in the London, Edinburgh and Belfast Gazettes: pages of its feed as JSON (credit §4.3).

The company of a notice is determined by the company number inside it, not by the title, which is a name. A notice with
several numbers is rejected, and so is a petition whose number may be the petitioner's. The text may name people: it is
searched for the number and not stored. The feed cuts some texts before the number: the page of a single notice,
`/notice/ID/data.htm`, loaded with the feed, names it as the property `gazorg:companyNumber` of `this:company-1` in RDFa;
further companies have further subjects.
"""

import html
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from operator import attrgetter
from pathlib import Path
from typing import Any

import msgspec

from credence.clock import london_day
from credence.companies.facts.events import Notice
from credence.companies.gazette import DISMISSAL, PETITION
from credence.companies.number import normalise_or_none
from credence.datasets.fact_kinds import MISSING, NOTICES, SEVERAL, UNPUBLISHED
from credence.datasets.sources.gazette_numbers import numbers_in, petitioned
from credence.datasets.sources.source import (
    OPEN_GOVERNMENT_LICENCE,
    Found,
    LoadError,
    Record,
    RejectedPlace,
    Renewal,
    Source,
)
from credence.datasets.sources.streams import NOT_JSON, read_all, streams
from credence.datasets.sources.values import read_date, read_instant

PAGE_SUFFIX = "html?"
"""The pattern of a page's file name suffix; the name is `gazette-notice-ID.htm`."""

_NAME = re.compile(rf"gazette-notice-([A-Za-z0-9-]{{1,40}})\.{PAGE_SUFFIX}")
_MAX_PAGE_BYTES = 4 << 20
_SUBJECT = re.compile(r"(?:.*[:#/])?company-\d+", re.IGNORECASE)


def is_page(file: Path) -> bool:
    """Return whether a file has the name of a single notice's page."""
    return _NAME.fullmatch(file.name) is not None


def marked_numbers(pages: Sequence[Path]) -> dict[str, set[str]]:
    """Return notice id -> marked company numbers, normalised; pages without one are left out.

    Raises LoadError for a page that cannot be read.
    """
    found: dict[str, set[str]] = {}
    for page in pages:
        form = _NAME.fullmatch(page.name)
        numbers = _numbers(page)
        if form and numbers:
            found[form[1]] = numbers
    return found


def _numbers(page: Path) -> set[str]:
    from lxml import etree  # imported late: every worker knows the source, but only a load reads pages

    try:
        with page.open("rb") as stream:
            data = stream.read(_MAX_PAGE_BYTES + 1)
    except OSError as error:
        raise LoadError(f"{page.name} cannot be read: {type(error).__name__}.") from error
    if len(data) > _MAX_PAGE_BYTES:
        raise LoadError(f"{page.name} is larger than {_MAX_PAGE_BYTES >> 20} MiB.")
    parser = etree.HTMLParser(no_network=True, remove_comments=True, remove_pis=True)
    try:
        root = etree.fromstring(data, parser)
    except (etree.XMLSyntaxError, ValueError):
        return set()
    if root is None:
        return set()
    marked = (
        element
        for element in root.iter()
        if isinstance(element.tag, str)
        and element.get("property", "").rpartition(":")[2] == "companyNumber"
        and _SUBJECT.fullmatch(element.get("about", ""))
    )
    texts = (element.get("content") or "".join(map(str, element.itertext())) for element in marked)
    return {number for text in texts if (number := normalise_or_none(text))}


CORPORATE = "24"
"""The category of corporate insolvency: the first two digits of a notice's code. 25 is personal insolvency."""

_NUMBER_MEMBER = re.compile(r"(?:.*[:/#])?(?:has)?company-?number", re.IGNORECASE)
"""Names of members that contain the company number, in a page with the data of its notices."""

_EDITIONS = {"L": "London", "E": "Edinburgh", "B": "Belfast"}


def read(files: Sequence[Path]) -> Iterator[Found]:
    """Yield the notices. Raises LoadError for files of another kind."""
    pages, feeds = [file for file in files if is_page(file)], [file for file in files if not is_page(file)]
    marked = marked_numbers(pages)
    for name, stream in streams(feeds, ".json"):
        try:
            page = msgspec.json.decode(read_all(stream, name))
        except NOT_JSON as error:
            raise LoadError(f"{name} is not a page of the Gazette's feed: it is not JSON.") from error
        entries = page.get("entry") if isinstance(page, dict) else None
        if entries is None and isinstance(page, dict) and "f:total" in page:
            entries = []  # a page without results
        if isinstance(entries, dict):
            entries = [entries]  # a page with one result
        if not isinstance(entries, list):
            raise LoadError(f"{name} is not a page of the Gazette's feed: it has no entries.")
        for place, entry in enumerate(entries, 1):
            where = f"{name}, entry {place}"
            try:
                found = _notice(entry, where, marked)
            except RecursionError:
                found = RejectedPlace(where, "entry.unreadable")
            yield found


def _notice(entry: Any, where: str, marked: Mapping[str, set[str]]) -> Record | RejectedPlace:
    if not isinstance(entry, dict):
        return RejectedPlace(where, "entry.unreadable")
    id_ = str(entry.get("id") or "").rstrip("/").rpartition("/")[2]
    version = read_instant(str(entry.get("updated") or "")) or 0
    revised = london_day(version) if version else None
    rejected = partial(RejectedPlace, where, id=id_, version=version, revised=revised)
    code = str(entry.get("f:notice-code") or "")
    published = read_date(str(entry.get("published") or ""))
    if not id_:
        return RejectedPlace(where, "id.missing")
    if not (code.startswith(CORPORATE) and len(code) == 4 and code.isdigit()):
        return rejected("code.other_category")
    if str(entry.get("f:status") or "published") != "published":
        return rejected(UNPUBLISHED)
    companies = _companies(entry, code)
    if not companies and code != PETITION:
        companies = marked.get(id_, set())
    if published is None:
        return rejected("date.unreadable", company=companies.pop() if len(companies) == 1 else "")
    if len(companies) != 1:
        place = f"{where}, notice {id_[:40]}"
        return msgspec.structs.replace(rejected(SEVERAL if companies else MISSING), where=place)
    categories = entry.get("category")
    category = next(iter(categories), None) if isinstance(categories, list) else categories
    kind = category.get("@term") if isinstance(category, dict) else category
    notice = Notice(
        id=id_,
        code=code,
        published=published,
        title=kind if isinstance(kind, str) else "",
        edition=_edition(entry, id_),
    )
    return Record(companies.pop(), id_, notice, version=version, revised=revised)


def _companies(entry: dict[str, Any], code: str) -> set[str]:
    """Return the company numbers in the data of a notice, or else in its text.

    The data may name the petitioner: in a petition the text decides, and different data adds a number.
    """
    named = {number for value in _members(entry) if (number := normalise_or_none(str(value)))}
    text = " ".join(_texts(entry.get("content")))
    if code == PETITION:
        found = petitioned(text)
        return found if not named or found & named else found and found | named
    if code == DISMISSAL and (found := petitioned(text)):
        return found
    title = entry.get("title")
    return named or numbers_in(text, title if isinstance(title, str) else "")


def _members(value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        for name, each in value.items():
            if _NUMBER_MEMBER.fullmatch(name) and isinstance(each, str | int):
                yield each
            else:
                yield from _members(each)
    elif isinstance(value, list):
        for each in value:
            yield from _members(each)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield html.unescape(re.sub(r"<[^>]*>", " ", value))
    elif isinstance(value, dict):
        for each in value.values():
            yield from _texts(each)
    elif isinstance(value, list):
        for each in value:
            yield from _texts(each)


def _edition(entry: dict[str, Any], id_: str) -> str:
    edition = entry.get("f:edition")
    if isinstance(edition, str) and edition.title() in _EDITIONS.values():
        return edition.title()
    letter, dash, _ = id_.partition("-")
    return _EDITIONS.get(letter, "") if dash else ""


SOURCE = Source(
    kind=NOTICES,
    publisher="The Gazette, corporate insolvency notices",
    licence=OPEN_GOVERNMENT_LICENCE,
    renewal=Renewal.DOCUMENT,
    # docs/credit-data.md names these files; the publisher calls each page `data.json`.
    file_name=re.compile(rf"gazette-.*\.(?:json|zip|{PAGE_SUFFIX})"),
    read=read,
    dated=attrgetter("published"),
)
