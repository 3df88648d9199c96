"""Cache of encoded reports; it is cleared when the data or the day changes (D21)."""

from collections.abc import Callable, Hashable

import msgspec

from credence.clock import Milliseconds, london_day
from credence.companies.facts.company import Company
from credence.datasets.credit_data import CreditData
from credence.report.build.group import Group, group_of
from credence.report.build.report import MEMBERS, NEED_GROUP, build, encode
from credence.report.document import Document, document
from credence.report.finished_reports import FinishedReports
from credence.report.outline import Outline, outline_of
from credence.report.schema.report import LtdCompanyData
from credence.report.schema.xml import report_xml

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
