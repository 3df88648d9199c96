"""Reads the company number that the page of a single Gazette notice marks up (credit §4.3).

The feed cuts some texts before the number. The page of the notice, `/notice/ID/data.htm`, names the company's number as
the property `gazorg:companyNumber` of `this:company-1` in RDFa; further companies have further subjects.
"""

import re
from collections.abc import Sequence
from pathlib import Path

from credence.companies.number import normalise_or_none
from credence.datasets.sources.source import LoadError

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
