"""Renders report pages in one thread with a bounded queue, and caches them (credit §9).

A page takes a few milliseconds and a PDF about 100 ms. One thread renders them one after the other, so that many requests
take neither the cores from the token endpoints nor the memory of the machine. A full queue refuses the request.
"""

import asyncio
import datetime as dt
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from typing import Literal, get_args

from credence.generational_cache import GenerationalCache
from credence.refusals.refusal import Refused
from credence.refusals.requests import SPIKE_ARREST
from credence.report.cache import Document, document
from credence.report.render.compose import compose
from credence.report.render.html import html
from credence.report.render.sections.sources import Contact
from credence.report.schema.report import LtdCompanyData

PageForm = Literal["html", "pdf"]
FORMS: tuple[PageForm, ...] = get_args(PageForm)

MAX_QUEUED_PAGES = 16
"""Maximum number of pages accepted but not finished; the last one waits less than two seconds."""

MAX_BYTES = 8_000_000
"""Bytes of pages in each of the two generations of a cache; a page has 60 kB as HTML, 200 kB as PDF."""


class PageCache:
    """Renders each page once for each version of the data and day."""

    def __init__(self, contact: Contact) -> None:
        self.contact = contact
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="page")
        self._cached = {form: GenerationalCache[tuple[str, Hashable], Document](MAX_BYTES, _size) for form in FORMS}
        self._waiting = 0

    async def find(
        self, number: str, version: Hashable, form: PageForm, report: Callable[[], LtdCompanyData | None]
    ) -> Document | None:
        """Return the page of a company's report; None for an unknown company.

        `report` is called only if no page of this version is cached. Raises Refused with a spike arrest if the queue is
        full.
        """
        cached = self._cached[form].get((number, version))
        if cached is not None:
            return cached
        if self._waiting >= MAX_QUEUED_PAGES:
            raise Refused(SPIKE_ARREST, "rendering.queue_full", retry_after=1)
        built = report()
        if built is None:
            return None
        self._waiting += 1
        try:
            loop = asyncio.get_running_loop()
            rendered = document(await loop.run_in_executor(self._thread, render, built, form, self.contact))
        finally:
            self._waiting -= 1
        self._cached[form].put((number, version), rendered)
        return rendered

    def close(self) -> None:
        """Finish the page in progress and cancel the queued ones."""
        self._thread.shutdown(wait=True, cancel_futures=True)


def _size(cached: Document) -> int:
    return len(cached.body)


def render(report: LtdCompanyData, form: PageForm, contact: Contact) -> bytes:
    """Return the report as a page."""
    page = compose(report, contact)
    if form == "html":
        return html(page)
    # Imported only here: Typst is large, and only PDF needs it.
    from credence.report.render.pdf import pdf

    day = report.Assessment.ReportDate if report.Assessment else None
    return pdf(page, day or dt.date(1970, 1, 1))
