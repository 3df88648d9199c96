"""Reports as pages for people, made off the event loop, at a bounded pace, and kept while nothing changes (credit §9).

A page takes a few milliseconds and a PDF about a hundred. One thread makes them, one after the other, so that a crowd
takes neither the cores from the tokens nor the memory of the machine; what does not fit into the queue is refused.
"""

import asyncio
import datetime as dt
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from typing import Literal, get_args

from credence.generational_cache import GenerationalCache
from credence.refusals import SPIKE_ARREST, Refused
from credence.report.cache import Document, document
from credence.report.render.compose import compose
from credence.report.render.html import html
from credence.report.render.sections.sources import Contact
from credence.report.schema.report import LtdCompanyData

PageForm = Literal["html", "pdf"]
FORMS: tuple[PageForm, ...] = get_args(PageForm)

LONGEST_QUEUE = 16
"""Pages accepted and not finished: the last of them waits less than two seconds."""

MOST_HELD = 8_000_000
"""Bytes of pages held in memory at least, in each form, and twice that at most: 60 kB a page as HTML, 200 kB as PDF."""


class PageCache:
    """Makes each page once for a version of the data and a day."""

    def __init__(self, contact: Contact) -> None:
        self._contact = contact
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="page")
        self._held = {form: GenerationalCache[tuple[str, Hashable], Document](MOST_HELD, _size) for form in FORMS}
        self._waiting = 0

    async def find(
        self, number: str, version: Hashable, form: PageForm, report: Callable[[], LtdCompanyData | None]
    ) -> Document | None:
        """Return the page of the report on a company; `report` is asked only when no page of this version is held.

        None when there is no report. Refused with a spike arrest when the queue is full.
        """
        held = self._held[form].get((number, version))
        if held is not None:
            return held
        if self._waiting >= LONGEST_QUEUE:
            raise Refused(SPIKE_ARREST, "rendering.queue_full", retry_after=1)
        found = report()
        if found is None:
            return None
        self._waiting += 1
        try:
            loop = asyncio.get_running_loop()
            made = document(await loop.run_in_executor(self._thread, render, found, form, self._contact))
        finally:
            self._waiting -= 1
        self._held[form].put((number, version), made)
        return made

    def close(self) -> None:
        """Let the page that is being made end, and take no more."""
        self._thread.shutdown(wait=True, cancel_futures=True)


def _size(made: Document) -> int:
    return len(made.body)


def render(report: LtdCompanyData, form: PageForm, contact: Contact) -> bytes:
    """Return the report as a page."""
    page = compose(report, contact)
    if form == "html":
        return html(page)
    # Typst is loaded by whoever first wants paper.
    from credence.report.render.pdf import pdf

    day = report.Assessment.ReportDate if report.Assessment else None
    return pdf(page, day or dt.date(1970, 1, 1))
