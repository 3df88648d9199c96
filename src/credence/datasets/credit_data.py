"""All data sets together: everything that is stored about one company (credit §11).

Each read compares the catalogue, once for all requests that wait together, and opens the data sets that it names. A data set
that cannot be read is left out, so that reports keep their other parts. The one error is a company without any fact while
the register cannot be read: "unknown company" might be wrong.
"""

import datetime as dt
from collections.abc import Callable, Hashable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, cast

import msgspec

from credence.clock import london_day
from credence.companies.facts.company import Company, Provenance, Sourced
from credence.companies.facts.dispute import Dispute
from credence.companies.facts.people import Officer
from credence.companies.facts.scores import Scores
from credence.companies.ownership import Subsidiaries, holds_majority, uk_company_number
from credence.datasets import disputes
from credence.datasets.catalogue import CatalogueDamaged, CatalogueEntry, CatalogueWatcher
from credence.datasets.data_set import UnusableDataSet
from credence.datasets.disputes import ByCompany, DisputesDamaged
from credence.datasets.fact_kinds import ACCOUNTS, FACT_KINDS, OFFICERS, OWNERS, REGISTER, FactKind
from credence.datasets.fact_reader import FactReader, Held
from credence.datasets.register import MAX_ATTEMPTS, RegisterReader, require_available
from credence.datasets.score_reader import SCORES, ScoreReader

DAMAGED_FILES = (CatalogueDamaged, DisputesDamaged, UnusableDataSet)
"""The errors of damaged files; each message says what to do."""

_MAX_SUBSIDIARIES = 1_000
"""The most companies that name an owner and are read."""

_MAX_APPOINTMENTS = 1_000

_NOT_THERE = "The catalogue names a data set that is not there: load it again"


_READERS: dict[str, Callable[[Path], Any]] = {
    REGISTER: RegisterReader,
    SCORES: ScoreReader,
    **{kind.source: partial(FactReader[Any], kind=kind) for kind in FACT_KINDS},
}


class _Open(msgspec.Struct, frozen=True):
    entry: CatalogueEntry
    reader: Any
    provenance: Provenance
    nothing: Sourced[Any]
    """That the source has no fact about a company, as about most."""


class CreditData:
    """Reads every data set; each read uses what was loaded last. For one thread at a time."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._watcher = CatalogueWatcher(folder)
        self._open: dict[str, _Open] = {}
        """Source -> its open data set."""
        self._disputes: disputes.ByCompany | None = None
        self._disputes_error: DisputesDamaged | None = None
        self._errors: dict[str, UnusableDataSet] = {}

    @property
    def data_version(self) -> Hashable:
        """A value that changes with every load, removal and dispute: a cached answer is valid while it is the same."""
        self._follow()
        return self._watcher.version, self._disputes_error is None

    @property
    def register(self) -> RegisterReader:
        """Return the register, usable until the next read."""
        self._follow()
        opened = self._open.get(REGISTER)
        return cast("RegisterReader", opened.reader) if opened else RegisterReader(None)

    @property
    def entries(self) -> dict[str, CatalogueEntry]:
        """Source -> the entry of its open data set."""
        self._follow()
        return {source: each.entry for source, each in self._open.items()}

    @property
    def source_errors(self) -> dict[str, str]:
        """Source -> why its data set cannot be opened, and what to do."""
        self._follow()
        return {source: str(error) for source, error in self._errors.items()}

    @property
    def pending(self) -> tuple[str, ...]:
        """The data sets of which other nodes published a newer edition."""
        self._follow()
        return self._watcher.catalogue.pending

    @property
    def unavailable(self) -> tuple[str, ...]:
        """The pending data sets of which this node has no edition."""
        self._follow()
        return self._watcher.catalogue.unavailable

    @property
    def reload_errors(self) -> tuple[str, ...]:
        """Why the newest catalogue or disputes cannot be read, and what to do; reads use the last readable ones.

        Raises CatalogueDamaged or DisputesDamaged if none was readable so far.
        """
        self._follow()
        return tuple(str(error) for error in (self._watcher.error, self._disputes_error) if error)

    def company(self, number: str, known_by: dt.date | None = None) -> Company | None:
        """Return the company with a normalised number; None if no source knows it.

        With `known_by`, return what was known by that day: facts that were corrected or withdrawn later are as they were,
        and a register of a later day, later facts and later scores are left out.

        Raises UnusableDataSet if no source knows the company and the register, or without a register another data set,
        cannot be read; CatalogueDamaged and DisputesDamaged as `reload_errors` does.
        """
        found, known = self.look_up(number, known_by)
        return found if known else None

    def look_up(self, number: str, known_by: dt.date | None = None) -> tuple[Company, bool]:
        """Return what each source has about a company, and whether any knows it. Raises as `company` does."""
        self._follow()
        parts: dict[str, Any] = {}
        unreadable: list[str] = []
        known = False
        errors = {source: error for source, error in self._errors.items() if source != SCORES}
        register = self._open.get(REGISTER)
        try:
            if register and known_by and (register.entry.as_of is None or register.entry.as_of > known_by):
                register = None
            entry = register.reader.entry(number) if register else None
            if register and entry is not None:
                known = True
                parts["register"] = Sourced(entry, register.provenance)
        except UnusableDataSet as error:
            errors[REGISTER] = error
        for kind in FACT_KINDS:
            opened = self._open.get(kind.source)
            if opened is None:
                continue
            try:
                found = opened.reader.read(number, known_by)
            except UnusableDataSet as error:
                errors[kind.source] = error
                continue
            if found.unreadable:
                unreadable.append(kind.field)
            if found.facts or found.withdrawn or found.cut:
                known = known or bool(found.facts or found.withdrawn)
                parts[kind.field] = sourced_facts(kind, found, opened.provenance)
            elif found.facts is not None:
                parts[kind.field] = opened.nothing
        if not known and errors and (REGISTER in errors or register is None):
            raise UnusableDataSet(" ".join(map(str, errors.values())))
        company = Company(
            number=number,
            scores=self._past_scores(number, known_by) if known else None,
            disputes=disputes.open_disputes((self._disputes or {}).get(number, ()), known_by),
            unreadable=tuple(unreadable),
            **parts,
        )
        return company, known

    def subsidiaries(self, number: str) -> Subsidiaries | None:
        """Return the companies in which a company has a majority; None if no owners are loaded."""
        self._follow()
        owners = self._open.get(OWNERS.source)
        if owners is None:
            return None
        naming = owners.reader.mentioning(number, _MAX_SUBSIDIARIES + 1)
        numbers = (
            owned
            for owned in naming[:_MAX_SUBSIDIARIES]
            if any(
                each.ceased is None and uk_company_number(each) == number and holds_majority(each)
                for each in owners.reader.facts(owned) or ()
            )
        )
        return Subsidiaries(tuple(numbers), cut=len(naming) > _MAX_SUBSIDIARIES)

    def filers(self, key: str, limit: int, *, prefix: bool = False) -> list[str]:
        """Return the numbers of at most `limit` companies whose accounts have a key of `fact_kinds.ACCOUNTS.mentions`.

        With `prefix`, a key need only begin with `key`. None if no accounts are loaded. Raises UnusableDataSet.
        """
        self._follow()
        accounts = self._open.get(ACCOUNTS.source)
        if accounts is None:
            return []
        find = accounts.reader.mentioning_prefix if prefix else accounts.reader.mentioning
        return cast("list[str]", find(key, limit))

    def disputes(self, number: str) -> tuple[Dispute, ...]:
        """Return every dispute about a company, received and closed ones too. Raises as `reload_errors` does."""
        return self.all_disputes().get(number, ())

    def all_disputes(self) -> ByCompany:
        """Return every dispute by company number. Raises as `reload_errors` does."""
        self._follow()
        return self._disputes or {}

    def appointments(self, key: str) -> Iterator[tuple[str, Officer]]:
        """Yield company number and officer for each appointment with a key of `fact_kinds.OFFICERS.mentions`.

        Yields nothing if no officers are loaded. Raises UnusableDataSet.
        """
        self._follow()
        officers = self._open.get(OFFICERS.source)
        if officers is not None:
            for number in officers.reader.mentioning(key, _MAX_APPOINTMENTS):
                for each in officers.reader.facts(number) or ():
                    if key in OFFICERS.mentions(each):
                        yield number, each

    def close(self) -> None:
        """Close every file. The next read opens them again."""
        for each in self._open.values():
            each.reader.close()
        self._open, self._errors = {}, {}
        self._disputes, self._disputes_error = None, None
        self._watcher.close()

    def _past_scores(self, number: str, known_by: dt.date | None) -> Scores | None:
        try:
            opened = self._open.get(SCORES)
            found: Scores | None = opened.reader.scores(number) if opened else None
        except UnusableDataSet as error:
            self._errors[SCORES] = error
            return None
        return found and found.known_by(known_by) if known_by else found

    def _follow(self) -> None:
        if self._watcher.changed():
            self._reload_newest()
        elif self._disputes_error is not None:  # the catalogue does not change when an operator restores the file
            self._reload_disputes()

    def _reload_newest(self) -> None:
        for left in reversed(range(MAX_ATTEMPTS)):
            try:
                self._reload(last=left == 0)
                return
            except FileNotFoundError:  # replaced since the catalogue was read: read it again
                self._watcher.close()
                self._watcher.changed()
            except BaseException:
                self._watcher.close()
                raise
        self._watcher.close()
        raise UnusableDataSet(f"{_NOT_THERE}.")

    def _reload(self, *, last: bool) -> None:
        """Open the data sets that the catalogue names and close the others; repeatable after a FileNotFoundError.

        A file that is missing at the last attempt is lost and not only replaced: its data set is left out.
        """
        catalogue = self._watcher.catalogue
        self._errors = {}
        self._reload_disputes()
        for source in catalogue.unavailable:
            try:
                require_available(catalogue, source)
            except UnusableDataSet as error:
                self._errors[source] = error
        for source, reader in _READERS.items():
            self._reload_source(source, reader, last=last)

    def _reload_source(self, source: str, reader: Callable[[Path], Any], *, last: bool) -> None:
        entry, current = self._watcher.catalogue.sources.get(source), self._open.get(source)
        if current is not None:
            if current.entry == entry:
                return
            current.reader.close()
            del self._open[source]
        if entry is None:
            return
        try:
            provenance = provenance_of(entry)
            opened = _Open(entry, reader(self._folder / entry.file), provenance, Sourced((), provenance))
            self._open[source] = opened
        except UnusableDataSet as error:
            self._errors[source] = error
        except FileNotFoundError:
            if not last or source == REGISTER:
                raise
            self._errors[source] = UnusableDataSet(
                f"{entry.file} is missing: begin again with `credence score run`."
                if source == SCORES
                else f"{_NOT_THERE} with `credence data load {source}`."
            )

    def _reload_disputes(self) -> None:
        try:
            self._disputes, self._disputes_error = disputes.read(self._folder), None
        except DisputesDamaged as error:
            if self._disputes is None:
                raise  # a report without its disputes would be wrong
            self._disputes_error = error


def provenance_of(entry: CatalogueEntry) -> Provenance:
    """Return the provenance that reports print for a data set."""
    return Provenance(entry.publisher, entry.as_of, london_day(entry.loaded_at), entry.licence)


def sourced_facts(kind: FactKind, found: Held[Any], provenance: Provenance) -> Sourced[Any] | None:
    """Return a company's facts of one kind in their order, with their source; None for unknown facts."""
    if found.facts is None:
        return None
    return Sourced(tuple(sorted(found.facts, key=kind.order, reverse=True)), provenance, found.cut, found.withdrawn)
