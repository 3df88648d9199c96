"""Which files a backtest reads, by the days in their names: what was published by the day, and what shows the outcomes.

A file counts as known on the last day that its name can stand for: a daily product on its day, a monthly one at the end of
its month. A file of accounts without a day in its name is refused, because it may have been filed later.
"""

import calendar
import datetime as dt
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import msgspec

from credence.datasets.loading.load import file_stamps
from credence.datasets.sources.snapshot_files import snapshot_date
from credence.datasets.sources.source import LoadError
from credence.scoring.model import current_model

GRACE = dt.timedelta(days=31)
"""The register is published once a month: the later snapshot may be this much later than the end of the horizon."""

MOST_STALE = dt.timedelta(days=62)
"""An earlier snapshot that is older than this says too little of the day."""

_DAILY = re.compile(r"(\d{4}-\d\d-\d\d)(?:-part\d+_\d+)?\.zip", re.IGNORECASE)
_MONTHLY = re.compile(r"Monthly_Data-?([A-Z][a-z]+)(\d{4})(?:-part\d+_\d+)?\.zip", re.IGNORECASE)
_MONTHS = {name.lower(): number for number, name in enumerate(calendar.month_name) if name}


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """The files of one backtest, and its days."""

    at: dt.date
    """The day for which companies are scored."""
    months: int
    """The horizon."""
    before: tuple[Path, ...]
    """The snapshot of the register by that day."""
    after: tuple[Path, ...]
    """The snapshot at the end of the horizon."""
    accounts: tuple[Path, ...]
    later_accounts: int
    """Files of accounts that were published after the day, and are not read."""
    notices: tuple[Path, ...]
    cases: tuple[Path, ...]
    owners: tuple[Path, ...]
    outcomes: tuple[Path, ...]
    notices_are_complete: bool
    """Whether a company that left the register without a notice of insolvency was dissolved without insolvency."""

    @property
    def until(self) -> dt.date:
        """The last day of the horizon."""
        return months_after(self.at, self.months)

    def identity(self) -> str:
        """Return what the cohort depends on: files with size and time, days and model."""
        files = [file for name in FILES for file in getattr(self, name)]
        about = (self.at.isoformat(), self.months, self.notices_are_complete, current_model().hash)
        return msgspec.json.encode([about, sorted(file_stamps(files).items())]).decode()


FILES = ("before", "after", "accounts", "notices", "cases", "owners", "outcomes")
"""The members of a plan with files."""


def plan(
    at: dt.date,
    months: int,
    *,
    registers: Iterable[Path],
    accounts: Iterable[Path] = (),
    notices: Iterable[Path] = (),
    cases: Iterable[Path] = (),
    owners: Iterable[Path] = (),
    outcomes: Iterable[Path] = (),
    notices_are_complete: bool = False,
) -> Plan:
    """Choose the files. A path may be a folder, of which all files count.

    Raises LoadError without a snapshot by the day, without one at the end of the horizon, and for a file of accounts whose
    name has no day.
    """
    before, after = _snapshots(list(_files(registers)), at, months_after(at, months))
    known, later = _accounts(_files(accounts), at)
    return Plan(
        at=at,
        months=months,
        before=before,
        after=after,
        accounts=known,
        later_accounts=later,
        notices=tuple(_files(notices)),
        cases=tuple(_files(cases)),
        owners=tuple(_files(owners)),
        outcomes=tuple(_files(outcomes)),
        notices_are_complete=notices_are_complete,
    )


def months_after(day: dt.date, months: int) -> dt.date:
    """Return the same day some months later, or the last day of a shorter month."""
    years, month = divmod(day.month - 1 + months, 12)
    last = calendar.monthrange(day.year + years, month + 1)[1]
    return dt.date(day.year + years, month + 1, min(day.day, last))


def published(name: str) -> dt.date | None:
    """Return the day on which the whole of a file of accounts was published; None if its name does not say."""
    if form := _DAILY.search(name):
        return dt.date.fromisoformat(form[1])
    form = _MONTHLY.search(name)
    month = _MONTHS.get(form[1].lower()) if form else None
    if form is None or month is None:
        return None
    return dt.date(int(form[2]), month, calendar.monthrange(int(form[2]), month)[1])


def _files(paths: Iterable[Path]) -> Iterator[Path]:
    for path in paths:
        if path.is_dir():
            yield from sorted(each for each in path.iterdir() if each.is_file() and not each.name.startswith("."))
        elif path.exists():
            yield path
        else:
            raise LoadError(f"There is no file {path}.")


def _snapshots(files: Sequence[Path], at: dt.date, until: dt.date) -> tuple[tuple[Path, ...], tuple[Path, ...]]:
    by_day: dict[dt.date, list[Path]] = defaultdict(list)
    for file in files:
        day = snapshot_date([file])
        if day is None:
            raise LoadError(f"{file.name} is not named as a snapshot of the register: its name has no day.")
        by_day[day].append(file)
    before = max((day for day in by_day if at - MOST_STALE <= day <= at), default=None)
    after = min((day for day in by_day if until <= day <= until + GRACE), default=None)
    if before is None:
        raise LoadError(f"There is no snapshot of the register of {at}, or of the {MOST_STALE.days} days before it.")
    if after is None:
        raise LoadError(f"There is no snapshot of the register of {until}, or of the {GRACE.days} days after it.")
    return tuple(by_day[before]), tuple(by_day[after])


def _accounts(files: Iterable[Path], at: dt.date) -> tuple[tuple[Path, ...], int]:
    known, later = [], 0
    for file in files:
        try:
            day = published(file.name)
        except ValueError:
            day = None
        if day is None:
            raise LoadError(f"{file.name} has no day of publication in its name, and may have been filed after {at}.")
        if day <= at:
            known.append((day, file))
        else:
            later += 1
    return tuple(file for _, file in sorted(known)), later
