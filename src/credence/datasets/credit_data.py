"""All data sets together: everything that is stored about one company (credit §11).

Each read compares the catalogue once and opens the data sets that it names. A data set that cannot be read is left out, so
that reports keep their other parts. Only a company without any fact, while the register cannot confirm that it does not
exist, is an error: "unknown" would be wrong.
"""

from collections.abc import Hashable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from credence.clock import date_of
from credence.companies.facts.company import Company, Provenance, Sourced
from credence.companies.facts.people import Officer
from credence.companies.facts.scores import Scores
from credence.companies.ownership import holds_majority, uk_company_number
from credence.datasets import disputes
from credence.datasets.catalogue import CatalogueDamaged, CatalogueEntry, CatalogueWatcher
from credence.datasets.data_set import UnusableDataSet
from credence.datasets.disputes import DisputesDamaged
from credence.datasets.fact_kinds import FACT_KINDS, OFFICERS, OWNERS, REGISTER, FactKind
from credence.datasets.fact_reader import FactReader
from credence.datasets.register import MAX_ATTEMPTS, RegisterReader, open_register, require_available
from credence.datasets.score_reader import SCORES, ScoreReader

DAMAGED_FILES = (CatalogueDamaged, DisputesDamaged, UnusableDataSet)
"""The errors of damaged files; each message tells the operator what to do."""

_MAX_SUBSIDIARIES = 1_000

_MAX_APPOINTMENTS = 1_000

_NOT_THERE = "The catalogue names a data set that is not there: load it again"


class _OpenFacts(msgspec.Struct, frozen=True):
    entry: CatalogueEntry
    kind: FactKind
    reader: FactReader[Any]
    provenance: Provenance


class CreditData:
    """Reads every data set; each read uses what was loaded last. For one thread at a time."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._watcher = CatalogueWatcher(folder)
        self._register = open_register(folder, None)
        self._register_entry: CatalogueEntry | None = None
        self._register_provenance = Provenance("")
        self._open: dict[str, _OpenFacts] = {}
        self._scores: ScoreReader | None = None
        self._scores_entry: CatalogueEntry | None = None
        self._disputes: disputes.ByCompany | None = None
        self._disputes_error: DisputesDamaged | None = None
        self._errors: dict[str, UnusableDataSet] = {}

    @property
    def data_version(self) -> Hashable:
        """Changes with every load, removal and dispute: a cached answer is valid for one version."""
        self._follow()
        return self._watcher.version, self._disputes_error is None

    @property
    def register(self) -> RegisterReader:
        """The register, usable until the next read."""
        self._follow()
        return self._register

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

    def company(self, number: str) -> Company | None:
        """Return the company with a normalised number; None if no source knows it.

        Raises UnusableDataSet if no source knows the company and the register, or without a register another data set,
        cannot be read; CatalogueDamaged and DisputesDamaged as `reload_errors` does.
        """
        self._follow()
        parts: dict[str, Any] = {}
        known = False
        errors = {source: error for source, error in self._errors.items() if source != SCORES}
        try:
            entry = self._register.entry(number)
            if entry is not None:
                known = True
                parts["register"] = Sourced(entry, self._register_provenance)
        except UnusableDataSet as error:
            errors[REGISTER] = error
        for each in self._open.values():
            try:
                facts = each.reader.facts(number)
            except UnusableDataSet as error:
                errors[each.kind.source] = error
                continue
            known = known or bool(facts)
            parts[each.kind.field] = sourced_facts(each.kind, facts, each.provenance)
        if not known:
            if errors and (REGISTER in errors or self._register_entry is None):
                raise UnusableDataSet(" ".join(map(str, errors.values())))
            return None
        return Company(
            number=number,
            scores=self._past_scores(number),
            disputes=disputes.open_disputes((self._disputes or {}).get(number, ())),
            **parts,
        )

    def subsidiaries(self, number: str) -> tuple[str, ...] | None:
        """Return the numbers of the companies in which a company has a majority; None if no owners are loaded."""
        self._follow()
        owners = self._open.get(OWNERS.source)
        if owners is None:
            return None
        return tuple(
            owned
            for owned in owners.reader.mentioning(number, _MAX_SUBSIDIARIES)
            if any(
                each.ceased is None and uk_company_number(each) == number and holds_majority(each)
                for each in owners.reader.facts(owned) or ()
            )
        )

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
        self._register.close()
        for each in self._open.values():
            each.reader.close()
        self._reload_scores(None, last=True)
        self._open, self._register_entry, self._errors = {}, None, {}
        self._disputes, self._disputes_error = None, None
        self._watcher.close()

    def _past_scores(self, number: str) -> Scores | None:
        try:
            return self._scores.scores(number) if self._scores else None
        except UnusableDataSet as error:
            self._errors[SCORES] = error
            return None

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
        """Open what the catalogue names and close the rest; it can be repeated after a FileNotFoundError.

        A file that is missing at the last attempt is lost and not replaced: its data set is left out.
        """
        catalogue = self._watcher.catalogue
        self._errors = {}
        self._reload_disputes()
        for source in catalogue.unavailable:
            try:
                require_available(catalogue, source)
            except UnusableDataSet as error:
                self._errors[source] = error
        self._reload_register(catalogue.sources.get(REGISTER))
        self._reload_scores(catalogue.sources.get(SCORES), last=last)
        for kind in FACT_KINDS:
            self._reload_facts(kind, catalogue.sources.get(kind.source), last=last)

    def _reload_facts(self, kind: FactKind, entry: CatalogueEntry | None, *, last: bool) -> None:
        current = self._open.get(kind.source)
        if current is not None and current.entry == entry:
            return
        if current is not None:
            current.reader.close()
            del self._open[kind.source]
        if entry is None:
            return
        try:
            reader: FactReader[Any] = FactReader(self._folder / entry.file, kind)
        except UnusableDataSet as error:
            self._errors[kind.source] = error
        except FileNotFoundError:
            if not last:
                raise
            self._errors[kind.source] = UnusableDataSet(f"{_NOT_THERE} with `credence data load {kind.source}`.")
        else:
            self._open[kind.source] = _OpenFacts(entry, kind, reader, provenance_of(entry))

    def _reload_disputes(self) -> None:
        try:
            self._disputes, self._disputes_error = disputes.read(self._folder), None
        except DisputesDamaged as error:
            if self._disputes is None:
                raise  # a report without its disputes would be wrong
            self._disputes_error = error

    def _reload_scores(self, entry: CatalogueEntry | None, *, last: bool) -> None:
        if entry is not None and entry == self._scores_entry:
            return
        if self._scores is not None:
            self._scores.close()
        self._scores, self._scores_entry = None, None
        if entry is None:
            return
        try:
            self._scores = ScoreReader(self._folder / entry.file)
        except FileNotFoundError:
            if not last:
                raise
            self._errors[SCORES] = UnusableDataSet(f"{entry.file} is missing: begin again with `credence score run`.")
        except UnusableDataSet as error:
            self._errors[SCORES] = error
        else:
            self._scores_entry = entry

    def _reload_register(self, entry: CatalogueEntry | None) -> None:
        if entry is not None and entry == self._register_entry:
            return
        self._register_entry = None
        self._register.close()
        try:
            self._register = open_register(self._folder, entry)
        except UnusableDataSet as error:
            self._register = open_register(self._folder, None)
            self._errors[REGISTER] = error
            return
        self._register_entry = entry
        self._register_provenance = provenance_of(entry) if entry else Provenance("")


def provenance_of(entry: CatalogueEntry) -> Provenance:
    """Return the provenance that reports print for a data set."""
    return Provenance(entry.publisher, entry.as_of, date_of(entry.loaded_at), entry.licence)


def sourced_facts(kind: FactKind, facts: list[Any] | None, provenance: Provenance) -> Sourced[Any] | None:
    """Return a company's facts of one kind in their order, with their source; None for unknown facts."""
    if facts is None:
        return None
    return Sourced(tuple(sorted(facts, key=kind.order, reverse=True)), provenance)
