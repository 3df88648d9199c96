"""Checks the invariants of every stored filing of accounts, for the operator (docs/accounts.md).

Arithmetic is recomputed from the stored figures; the order of dates and the currency are as checked by the load.
"""

import datetime as dt
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import msgspec

from credence.companies.facts.accounts import Accounts, Period
from credence.companies.invariants import INVARIANTS, OF_FILING, TOLERANCE_UNITS, WORDS
from credence.datasets import catalogue
from credence.datasets.fact_kinds import ACCOUNTS
from credence.datasets.fact_reader import FactReader

_OF_COMPANY, _OF_GROUP = "company", "group"


class CheckedInvariant(msgspec.Struct, frozen=True):
    """One invariant, with the number of years in which it was tried and of those in which it fails."""

    invariant: str
    tried: int
    fails: int
    words: str


class FailingYear(msgspec.Struct, frozen=True):
    """One invariant that fails in one year of one filing; such a year is marked in reports and not scored."""

    company: str
    document: str
    year: dt.date
    of: str
    """`company` or `group`."""
    invariant: str
    difference: int | float | None
    """The amount by which the sum differs; None for an invariant without arithmetic."""


class AccountsCheck(msgspec.Struct, frozen=True):
    """The result of the check of all stored accounts."""

    filings: int
    years: int
    invariants: tuple[CheckedInvariant, ...]
    failing: tuple[FailingYear, ...]


def check_accounts(folder: Path) -> AccountsCheck | None:
    """Return the result; None if no accounts are loaded. Raises CatalogueDamaged, UnusableDataSet, OSError."""
    entry = catalogue.read(folder).sources.get(ACCOUNTS.source)
    if entry is None:
        return None
    filings = years = 0
    tried: Counter[str] = Counter()
    failing: list[FailingYear] = []
    with closing(FactReader[Accounts](folder / entry.file, ACCOUNTS)) as reader:
        for filing in reader.every():
            filings += 1
            for of, period in _periods(filing):
                years += 1
                for code, difference, fails in _outcomes(period):
                    tried[code] += 1
                    if fails:
                        failing.append(FailingYear(filing.company, filing.document, period.end, of, code, difference))
    failures = Counter(each.invariant for each in failing)
    found = tuple(CheckedInvariant(code, tried[code], failures[code], words) for code, words in WORDS.items())
    return AccountsCheck(filings, years, found, tuple(failing))


def _periods(filing: Accounts) -> Iterator[tuple[str, Period]]:
    yield from ((_OF_COMPANY, period) for period in filing.periods)
    yield from ((_OF_GROUP, period) for period in filing.group_periods)


def _outcomes(period: Period) -> Iterator[tuple[str, int | float | None, bool]]:
    """Yield code, difference and failure of each invariant that can be checked in a year."""
    for invariant in INVARIANTS:
        difference = invariant.difference(period.figures)
        if difference is not None:
            yield invariant.code, difference, abs(difference) > TOLERANCE_UNITS * period.rounding
    for code in OF_FILING:
        yield code, None, code in period.contradictions
