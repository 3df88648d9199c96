"""Finished reports, kept in memory as they are sent until the day or the data behind them changes (D21)."""

import base64
import datetime as dt
import hashlib
from collections.abc import Callable, Hashable

import msgspec

from credence.clock import Milliseconds
from credence.companies.facts.company import Company
from credence.datasets.credit_data import CreditData
from credence.generational_cache import GenerationalCache
from credence.report.build.group import group_of
from credence.report.build.report import build, encode
from credence.report.schema.report import LtdCompanyData
from credence.report.schema.xml import report_xml

MOST_HELD = 16 * 1024 * 1024
"""Bytes of reports held in memory before the oldest half goes, in one form: a report is of 5 to 30 kilobytes."""

_DAY = 86_400_000


class Document(msgspec.Struct, frozen=True):
    """A report as it is sent, and its entity tag, equal for equal bytes."""

    body: bytes
    tag: str


def document(body: bytes) -> Document:
    """Return bytes with the tag that follows from them (RFC 9110 §8.8.3)."""
    return Document(body, f'"{base64.urlsafe_b64encode(hashlib.sha256(body).digest()[:12]).decode()}"')


def _size(held: Document) -> int:
    return len(held.body)


class ReportCache:
    """Answers from memory when it can; every answer is of the newest data and of today in UTC."""

    def __init__(self, credit_data: CreditData) -> None:
        self._credit_data = credit_data
        self._version: Hashable = None
        self._json: GenerationalCache[str, Document] = GenerationalCache(MOST_HELD, _size)
        self._xml: GenerationalCache[str, Document] = GenerationalCache(MOST_HELD // 4, _size)

    def find(self, number: str, now: Milliseconds) -> Document | None:
        """Return the report on the company with this normalised number as JSON, or None when none is held."""
        self._follow(now)
        return self._json.get(number) or self._finish(number, now, self._json, encode)

    def find_xml(self, number: str, now: Milliseconds) -> Document | None:
        """Return the same report as XML, or None when none is held."""
        self._follow(now)
        return self._xml.get(number) or self._finish(number, now, self._xml, report_xml)

    def report(self, number: str, now: Milliseconds) -> LtdCompanyData | None:
        """Return the report itself, built anew, or None when none is held."""
        company = self.company(number)
        if company is None:
            return None
        today = dt.date(1970, 1, 1) + dt.timedelta(days=now // _DAY)
        return build(company, group_of(company, self._credit_data), today)

    def company(self, number: str) -> Company | None:
        """Return the facts of the company with this normalised number, or None when nothing is known of it."""
        return self._credit_data.company(number)

    def version(self, now: Milliseconds) -> Hashable:
        """Return what every report depends on; while it is equal, so are the reports."""
        self._follow(now)
        return self._version

    def _follow(self, now: Milliseconds) -> None:
        version = (self._credit_data.data_version, now // _DAY)
        if version != self._version:
            self._version = version
            self._json.clear()
            self._xml.clear()

    def _finish(
        self,
        number: str,
        now: Milliseconds,
        held: GenerationalCache[str, Document],
        write: Callable[[LtdCompanyData], bytes],
    ) -> Document | None:
        report = self.report(number, now)
        if report is None:
            return None
        finished = document(write(report))
        held.put(number, finished)
        return finished
