"""Checks that files are one complete snapshot, which replaces everything that is loaded (credit §11)."""

import datetime as dt
import re
from collections.abc import Collection, Sequence
from pathlib import Path

from credence.datasets.catalogue import CatalogueEntry
from credence.datasets.sources.source import FilesRejected, LoadError

_PART = re.compile(r"-part([0-9]{1,3})_([0-9]{1,3})\b")

MIN_SHARE = 0.9
"""The minimum number of companies in a snapshot, as a share of those in service.

Registers grow, and lose a few per cent between two snapshots at most (our choice).
"""


def snapshot_date(files: Sequence[Path]) -> dt.date | None:
    """Return the date in the files' names, such as BasicCompanyDataAsOneFile-2020-05-01.csv; None without one.

    Raises LoadError for several dates: parts of two snapshots are not one snapshot.
    """
    days = {day for file in files for day in re.findall(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", file.name)}
    if len(days) > 1:
        raise LoadError(f"The files belong to different snapshots: {', '.join(sorted(days))}.")
    try:
        return dt.date.fromisoformat(days.pop()) if days else None
    except ValueError as error:
        raise LoadError("A file name holds a date that does not exist.") from error


def require_past_date(day: dt.date | None, today: dt.date) -> None:
    """Raise LoadError for a snapshot with a future date, which would count as the newest until that day."""
    if day is not None and day > today:
        raise LoadError(f"The files are named as a snapshot of {day}, which is yet to come.")


def missing_parts(present: Collection[int], total: int) -> str:
    """Return text that lists which of `total` parts are missing; empty if none are."""
    missing = [str(part) for part in range(1, total + 1) if part not in present]
    return f"parts {', '.join(missing)} of {total} are missing" if missing else ""


def require_all_parts(files: Sequence[Path]) -> None:
    """Raise LoadError if the names of the files number parts and some are missing."""
    parts = [(int(form[1]), int(form[2])) for file in files if (form := _PART.search(file.name))]
    missing = missing_parts({part for part, _ in parts}, max((total for _, total in parts), default=0))
    if missing:
        raise LoadError(f"The snapshot is not complete: {missing}.")


def require_newer(day: dt.date | None, current: CatalogueEntry | None, publisher: str) -> None:
    """Raise LoadError for a snapshot of an earlier day than the publisher's snapshot in service."""
    in_service = current.as_of if current is not None and current.publisher == publisher else None
    if day is not None and in_service is not None and day < in_service:
        raise LoadError(
            f"The files are of {day}, and those of {in_service} are in service: give --older to go back to the older ones."
        )


def require_similar_size(companies: int, current: CatalogueEntry | None, publisher: str) -> None:
    """Raise FilesRejected for a snapshot with far fewer companies than the publisher's snapshot in service."""
    if current is not None and current.publisher == publisher and companies < MIN_SHARE * current.companies:
        raise FilesRejected(
            f"The files hold {companies:,} companies and {current.companies:,} are in service:"
            " give --accept-fewer if that is right."
        )
