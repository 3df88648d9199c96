"""Payment practices: the statutory reports of large companies, all in one CSV file (credit §4.3).

Columns are found by name, which reads the 23 columns until 2024 and the wider layout since 2025. Companies type the figures
themselves: a share above 100% or a time above ten years becomes unknown.
"""

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from operator import attrgetter
from pathlib import Path
from typing import IO

import msgspec

from credence.companies.facts.events import PaymentPractice
from credence.companies.number import normalise_or_none
from credence.datasets.fact_kinds import PRACTICES
from credence.datasets.sources.source import (
    OPEN_GOVERNMENT_LICENCE,
    Found,
    LoadError,
    Record,
    RejectedPlace,
    Renewal,
    Source,
    UnreadableValue,
)
from credence.datasets.sources.streams import streams
from credence.datasets.sources.values import read_date

_DATES = {"start": "Start date", "end": "End date", "filed": "Filing date"}

_DAYS = {
    "average_days": "Average time to pay",
    "shortest_terms": "Shortest (or only) standard payment period",
    "longest_terms": "Longest standard payment period",
}

_SHARES = {
    "within_30_days": "% Invoices paid within 30 days",
    "from_31_to_60_days": "% Invoices paid between 31 and 60 days",
    "after_60_days": "% Invoices paid later than 60 days",
    "not_within_terms": "% Invoices not paid within agreed terms",
}

_DISPUTED = re.compile(r"%.*\bdispute", re.IGNORECASE)
"""The column with the share of disputed invoices, which reports since 2025 have."""

_ID, _NUMBER = "Report Id", "Company number"

COLUMNS = (_ID, _NUMBER, *_DATES.values(), *_DAYS.values(), *_SHARES.values())
"""The required columns. The file has further ones."""

_MAX_DAYS = 3_650
_MAX_SHARE = 100


def read(files: Sequence[Path]) -> Iterator[Found]:
    """Yield the reports. Raises LoadError for a file without a required column and for a truncated one."""
    for name, stream in streams(files, ".csv"):
        yield from _rows(stream, name)


def _rows(stream: IO[bytes], name: str) -> Iterator[Found]:
    text = io.TextIOWrapper(stream, encoding="utf-8-sig", errors="replace", newline="")
    line = ""
    reader = csv.reader((line := each) for each in text)
    try:
        header = [cell.strip() for cell in next(reader, [])]
    except csv.Error as error:
        raise LoadError(f"{name} is not a file of payment practices: it does not begin as a CSV file.") from error
    missing = [column for column in COLUMNS if column not in header]
    if missing:
        raise LoadError(f"{name} is not a file of payment practices: it lacks the columns {', '.join(missing[:3])}.")
    row, fits = 0, True
    while True:
        row += 1
        where = f"{name}, row {row}"
        try:
            cells = next(reader)
        except StopIteration:
            break
        except csv.Error:
            yield RejectedPlace(where, "row.unreadable")
            continue
        if not cells:
            continue
        fits = len(cells) == len(header)
        if not fits:
            yield RejectedPlace(where, "row.columns")
            continue
        yield from _row(dict(zip(header, cells, strict=True)), where)
    if not (fits or line.endswith("\n")):
        raise LoadError(f"{name} is cut off: it ends in the middle of a row.")
    text.detach()


def _row(cells: Mapping[str, str], where: str) -> Iterator[Found]:
    id_ = cells[_ID].strip()
    company = normalise_or_none(cells[_NUMBER])
    if not id_:
        yield RejectedPlace(where, "id.missing", company or "")
        return
    if company is None:
        yield RejectedPlace(where, "number.malformed")
        return
    dates = {field: read_date(cells[column].strip()) for field, column in _DATES.items()}
    figures = {field: _number(cells[column], _MAX_DAYS) for field, column in _DAYS.items()}
    disputed = [column for column in cells if _DISPUTED.match(column)]
    figures["disputed"] = _number(cells[disputed[0]], _MAX_SHARE) if len(disputed) == 1 else None
    figures |= {field: _number(cells[column], _MAX_SHARE) for field, column in _SHARES.items()}
    for field, column in (_DATES | _DAYS | _SHARES).items():
        if cells[column].strip() and (dates if field in dates else figures)[field] is None:
            yield UnreadableValue(where, "date.unreadable" if field in dates else "number.unreadable")
    practice = PaymentPractice(id_, dates["start"], dates["end"], dates["filed"])
    yield Record(company, id_, msgspec.structs.replace(practice, **figures))


_NUMERAL = re.compile(r"[0-9]{1,9}(?:\.[0-9]{1,9})?")


def _number(text: str, maximum: int) -> float | None:
    plain = text.strip()
    value = float(plain) if _NUMERAL.fullmatch(plain) else None
    return value if value is not None and value <= maximum else None


SOURCE = Source(
    kind=PRACTICES,
    publisher="Department for Business and Trade, Check when large businesses pay their suppliers",
    licence=OPEN_GOVERNMENT_LICENCE,
    renewal=Renewal.ALL,
    file_name=re.compile(r"payment-practices.*\.(?:csv|zip)"),
    read=read,
    dated=attrgetter("filed"),
)
