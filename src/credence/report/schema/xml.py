"""The report as XML, in the older format of the report schema (§3).

The root carries the time of generation; a date is three child elements, and repeated elements have no wrapper. Text is
escaped, and characters that XML 1.0 does not allow are left out.
"""

import datetime as dt
import re
from collections.abc import Iterator
from typing import Any
from xml.sax.saxutils import escape

import msgspec

from credence.report.schema.report import LtdCompanyData

ROOT = "LtdCompanyData"

_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>'
_IMPOSSIBLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def report_xml(report: LtdCompanyData) -> bytes:
    """Return a report as XML. Its date is the start of the report's day, so that equal reports have equal bytes."""
    day = report.Assessment.ReportDate if report.Assessment else None
    return document(msgspec.to_builtins(report, builtin_types=(dt.date,)), day)


def document(members: dict[str, Any], day: dt.date | None) -> bytes:
    """Return the members of a report as XML; dates among them are `date` values."""
    made = f' GeneratedOn="{day}T00:00:00Z"' if day else ""
    return f"{_DECLARATION}<{ROOT}{made}>{''.join(_children(members))}</{ROOT}>".encode()


def _children(members: dict[str, Any]) -> Iterator[str]:
    for name, value in members.items():
        for each in value if isinstance(value, list | tuple) else (value,):
            yield f"<{name}>{_content(each)}</{name}>"


def _content(value: Any) -> str:
    match value:
        case dict():
            return "".join(_children(value))
        case dt.date():
            return f"<CCYY>{value.year:04}</CCYY><MM>{value.month:02}</MM><DD>{value.day:02}</DD>"
        case bool():
            return "true" if value else "false"
        case _:
            return escape(_IMPOSSIBLE.sub("", str(value)))
