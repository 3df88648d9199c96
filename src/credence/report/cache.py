"""Cache of finished reports of one data version and day (D21): recently used ones are plain, the others compressed.

Most of a report is the same in every report: names of members, sentences, licences. With four reports as its dictionary,
DEFLATE (RFC 1951) compresses a report of 8 kB to about 420 octets and decompresses it in a fiftieth of the time that
building takes (docs/adr/speed.md). So the reports of some 20,000 companies fit into the memory that 2,000 would take.
"""

import base64
import hashlib
import zlib
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any

import msgspec

from credence.clock import Milliseconds, london_day
from credence.companies.facts.company import Company
from credence.datasets.credit_data import CreditData
from credence.generational_cache import GenerationalCache
from credence.report.build.group import Group, group_of
from credence.report.build.report import MEMBERS, NEED_GROUP, build, encode
from credence.report.outline import Outline, outline_of
from credence.report.schema.report import LtdCompanyData
from credence.report.schema.xml import report_xml


class Document(msgspec.Struct, frozen=True):
    """An encoded report and its entity tag, which is equal for equal bytes."""

    body: bytes
    tag: str


def document(body: bytes) -> Document:
    """Return a document with a strong entity tag computed from its bytes (RFC 9110 §8.8.3)."""
    return Document(body, f'"{base64.urlsafe_b64encode(hashlib.sha256(body).digest()[:12]).decode()}"')


PLAIN_SHARE = 4
"""The share of the memory for plain reports, as a divisor."""

ENTRY_OCTETS = 300
"""The memory of an entry in addition to its body: key, tag and table entries."""

_DICTIONARY_REPORTS = 4

READ_LATELY = 256
"""How many other compressed reports may be read between two reads of one, at least, for it to become plain again."""

_RAW_DEFLATE = -zlib.MAX_WBITS
_LEVEL = 3
_MEMORY_LEVEL = 7
"""zlib's `memLevel`: a copy takes 128 kB instead of 256 and is faster to make; a report becomes a thirtieth larger."""


class _Packed(msgspec.Struct, frozen=True, gc=False):
    body: bytes
    tag: str


class FinishedReports:
    """Documents by company number, in about `max_octets` of memory; the least recently used are dropped."""

    def __init__(self, max_octets: int) -> None:
        self._max_plain = max_octets // PLAIN_SHARE
        self._plain: OrderedDict[str, Document] = OrderedDict()
        """The most recently used document is at the end."""
        self._plain_octets = 0
        self._packed: GenerationalCache[str, _Packed] = GenerationalCache((max_octets - self._max_plain) // 2, _octets)
        self._read_lately: GenerationalCache[str, bool] = GenerationalCache(READ_LATELY)
        """The numbers of compressed reports that were read. One that is read again soon becomes plain; to make each one
        plain, of companies at random, would take as long as decompressing it."""
        self._dictionary = b""
        self._compressor: Any = None
        """A compressor that has processed the dictionary; copying it takes half the time of making a new one."""

    def get(self, number: str) -> Document | None:
        """Return the document, or None if it is not in the cache."""
        found = self._plain.get(number)
        if found is not None:
            self._plain.move_to_end(number)
            return found
        packed = self._packed.get(number)
        if packed is None:
            return None
        found = Document(zlib.decompressobj(_RAW_DEFLATE, self._dictionary).decompress(packed.body), packed.tag)
        if self._read_lately.get(number):
            self.put(number, found)
        else:
            self._read_lately.put(number, True)
        return found

    def put(self, number: str, document: Document) -> None:
        """Add a document, and compress those that exceed the memory for plain ones."""
        self._plain[number] = document
        self._plain_octets += len(document.body) + ENTRY_OCTETS
        while self._plain_octets > self._max_plain:
            if self._compressor is None:
                self._dictionary = self._newest()
                self._compressor = zlib.compressobj(
                    _LEVEL, zlib.DEFLATED, _RAW_DEFLATE, _MEMORY_LEVEL, zdict=self._dictionary
                )
            oldest, dropped = self._plain.popitem(last=False)
            self._plain_octets -= len(dropped.body) + ENTRY_OCTETS
            if self._packed.get(oldest) is None:
                self._packed.put(oldest, self._pack(dropped))

    def clear(self) -> None:
        """Remove all documents."""
        self._plain.clear()
        self._plain_octets = 0
        self._packed.clear()
        self._read_lately.clear()
        self._dictionary, self._compressor = b"", None

    def _newest(self) -> bytes:
        bodies = [each.body for each in self._plain.values()][-_DICTIONARY_REPORTS:]
        return b"".join(bodies)[-(1 << zlib.MAX_WBITS) :]

    def _pack(self, document: Document) -> _Packed:
        deflate = self._compressor.copy()
        return _Packed(deflate.compress(document.body) + deflate.flush(), document.tag)


def _octets(packed: _Packed) -> int:
    return len(packed.body) + ENTRY_OCTETS


MEGABYTE = 1024 * 1024

_decode = msgspec.json.Decoder(LtdCompanyData).decode


class ReportCache:
    """Builds and caches reports from the newest data, for today in London."""

    def __init__(self, credit_data: CreditData, megabytes: int = 1) -> None:
        """`megabytes` of finished reports are cached as JSON, and a quarter of that as XML."""
        self._credit_data = credit_data
        self._version: Hashable = None
        self._json = FinishedReports(megabytes * MEGABYTE)
        self._xml = FinishedReports(megabytes * MEGABYTE // 4)

    def find(self, number: str, now: Milliseconds) -> Document | None:
        """Return the report on the company with this normalised number as JSON, or None for an unknown company."""
        self._clear_if_changed(now)
        return self._json.get(number) or self._build(number, now, self._json, encode)

    def find_xml(self, number: str, now: Milliseconds) -> Document | None:
        """Return the report as XML, or None for an unknown company."""
        self._clear_if_changed(now)
        return self._xml.get(number) or self._build(number, now, self._xml, report_xml)

    def decoded(self, number: str, now: Milliseconds) -> LtdCompanyData | None:
        """Return the report as a value. Decoding a cached report takes a fiftieth of the time of building it."""
        found = self.find(number, now)
        return None if found is None else _decode(found.body)

    def report(self, number: str, now: Milliseconds, members: frozenset[str] = MEMBERS) -> LtdCompanyData | None:
        """Build and return the report, or only these members and the score; None for an unknown company."""
        company = self.company(number)
        if company is None:
            return None
        group = group_of(company, self._credit_data) if members & NEED_GROUP else Group()
        return build(company, group, london_day(now), members)

    def invented(self, number: str) -> Company | None:  # noqa: ARG002 - the sandbox uses it
        """Return a company that no data set has; None, except in the sandbox."""
        return None

    def outline(self, number: str, now: Milliseconds) -> Outline:
        """Return what a list shows of a company; nothing is known of an unknown one."""
        company = self.company(number)
        return Outline() if company is None else outline_of(company, london_day(now))

    def company(self, number: str) -> Company | None:
        """Return the facts of the company with this normalised number, or None for an unknown company."""
        return self._credit_data.company(number)

    def version(self, now: Milliseconds) -> Hashable:
        """Return a value that changes whenever the data or the day, and so any report, changes."""
        self._clear_if_changed(now)
        return self._version

    def close(self) -> None:
        """Close the data that reports are built from."""
        self._credit_data.close()

    def _clear_if_changed(self, now: Milliseconds) -> None:
        version = (self._credit_data.data_version, london_day(now))
        if version != self._version:
            self._version = version
            self._json.clear()
            self._xml.clear()

    def _build(
        self,
        number: str,
        now: Milliseconds,
        cache: FinishedReports,
        encoder: Callable[[LtdCompanyData], bytes],
    ) -> Document | None:
        report = self.report(number, now)
        if report is None:
            return None
        encoded = document(encoder(report))
        cache.put(number, encoded)
        return encoded
