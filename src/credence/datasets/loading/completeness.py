"""Whether files are a whole snapshot: it replaces everything, so a piece of it would take the rest away (credit §11)."""

import re
from collections.abc import Collection, Sequence
from pathlib import Path

from credence.datasets.catalogue import CatalogueEntry
from credence.datasets.sources import FilesRejected, LoadError

_PART = re.compile(r"-part([0-9]{1,3})_([0-9]{1,3})\b")

FEWEST = 0.9
"""Share of the companies held that a snapshot has at least: registers grow, and lose a few in a hundred between two at most
(our choice)."""


def missing_parts(held: Collection[int], of: int) -> str:
    """Return which parts of so many are not held, in words; empty when all are."""
    missing = [str(part) for part in range(1, of + 1) if part not in held]
    return f"parts {', '.join(missing)} of {of} are missing" if missing else ""


def require_all_parts(files: Sequence[Path]) -> None:
    """Raise LoadError when the names of the files tell of parts that are not among them."""
    parts = [(int(form[1]), int(form[2])) for file in files if (form := _PART.search(file.name))]
    missing = missing_parts({part for part, _ in parts}, max((of for _, of in parts), default=0))
    if missing:
        raise LoadError(f"The snapshot is not whole: {missing}.")


def require_about_as_many(companies: int, held: CatalogueEntry | None, publisher: str) -> None:
    """Raise FilesRejected for a snapshot of far fewer companies than its publisher's last one."""
    if held is not None and held.publisher == publisher and companies < FEWEST * held.companies:
        raise FilesRejected(
            f"The files hold {companies:,} companies and {held.companies:,} are served: say --accept-fewer if that is right."
        )
