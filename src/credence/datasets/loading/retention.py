"""Retention: personal data is deleted once it ended longer ago than the operator keeps it (credit §10)."""

import datetime as dt
import shutil
from pathlib import Path

import msgspec

from credence.datasets import catalogue
from credence.datasets.fact_kinds import FactKind
from credence.datasets.loading.facts_writing import count_facts, drop_ended, opening_script
from credence.datasets.loading.staging import open_staging, rejects_file, source_lock, staging_file
from credence.datasets.publish import Publish, publish_nowhere, put_in_service, take_out_of_service


def retention_start(today: dt.date, years: int) -> dt.date | None:
    """Return the first day of the retention; data that ended before is deleted.

    None for 0 years, which keeps everything.
    """
    if not years:
        return None
    try:
        return today.replace(year=today.year - years)
    except ValueError:  # 29 February
        return today.replace(year=today.year - years, day=28)


def forget(kind: FactKind, folder: Path, since: dt.date, publish: Publish = publish_nowhere) -> int:
    """Delete personal data that ended before `since` from the loaded facts; return the number of deleted facts.

    Raises LoadError as `load` does; the old data set then stays.
    """
    with staging_file(folder, kind.source) as staged:
        old = catalogue.read(folder).sources.get(kind.source)
        if old is None or old.layout != kind.layout:
            return 0
        shutil.copyfile(folder / old.file, staged)
        with open_staging(staged, opening_script(kind, old)) as new:
            deleted = drop_ended(new, kind, since)
            facts, companies = count_facts(new, kind)
        if deleted:
            entry = msgspec.structs.replace(old, facts=facts, companies=companies)
            put_in_service(folder, kind.source, staged, entry, publish)
    return deleted


def remove(source: str, folder: Path, publish: Publish = publish_nowhere) -> bool:
    """Take a source out of service and delete its data set; return False if there was none.

    Raises LoadError while another process loads the source.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with source_lock(folder / source):
        rejects_file(folder, source).unlink(missing_ok=True)
        return take_out_of_service(folder, source, publish)
