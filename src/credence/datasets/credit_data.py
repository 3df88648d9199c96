"""All the data sets together: everything that is held about one company (credit §11).

Each read looks once whether the catalogue was replaced and then opens what it names. A data set that cannot be read is
left out, so that the other parts of a report still stand. Only when nothing is known of a company, and no register is
there to say that it does not exist, does the fault become an error: "unknown" would be untrue.
"""

from collections.abc import Hashable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from credence.clock import date_of
from credence.companies.facts.company import Company, Sourced
from credence.companies.facts.people import Officer
from credence.companies.facts.provenance import Provenance
from credence.companies.facts.scores import Scores
from credence.companies.ownership import holds_majority, uk_company_number
from credence.datasets import disputes
from credence.datasets.catalogue import CatalogueDamaged, CatalogueEntry, CatalogueWatcher
from credence.datasets.disputes import DisputesDamaged
from credence.datasets.fact_kinds import FACT_KINDS, OFFICERS, OWNERS, REGISTER, FactKind
from credence.datasets.fact_reader import FactReader
from credence.datasets.register import RegisterReader, UnusableDataSet
from credence.datasets.register_in_service import MAX_ATTEMPTS, open_register, require_available
from credence.datasets.score_reader import SCORES, ScoreReader

DAMAGED_FILES = (CatalogueDamaged, DisputesDamaged, UnusableDataSet)
"""What reads raise of files that are damaged: for the operator to mend, each says how."""

_MOST_SUBSIDIARIES = 1_000

_MOST_APPOINTMENTS = 1_000

_NOT_THERE = "The catalogue names a data set that is not there: load it again"


class _Open(msgspec.Struct, frozen=True):
    """A data set in service."""

    entry: CatalogueEntry
    part: FactKind
    facts: FactReader[Any]
    provenance: Provenance


class CreditData:
    """Reads every data set; each read sees what was loaded last. For one thread at a time."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._follower = CatalogueWatcher(folder)
        self._register = open_register(folder, None)
        self._register_entry: CatalogueEntry | None = None
        self._register_provenance = Provenance("")
        self._open: dict[str, _Open] = {}
        self._scores: ScoreReader | None = None
        self._scores_entry: CatalogueEntry | None = None
        self._disputes: disputes.ByCompany | None = None
        self._disputes_fault: DisputesDamaged | None = None
        self._faults: dict[str, UnusableDataSet] = {}

    @property
    def data_version(self) -> Hashable:
        """Changes whenever anything is loaded, removed or disputed: a cached answer is good for one version."""
        self._follow()
        return self._follower.version, self._disputes_fault is None

    @property
    def register(self) -> RegisterReader:
        """The register as it is now, for a search; good until the next read."""
        self._follow()
        return self._register

    @property
    def source_errors(self) -> dict[str, str]:
        """The sources whose data set cannot be open_register, each with what to do about it."""
        self._follow()
        return {source: str(fault) for source, fault in self._faults.items()}

    @property
    def pending(self) -> tuple[str, ...]:
        """What other nodes published and is not here yet, whether something older is or not."""
        self._follow()
        return self._follower.catalogue.pending

    @property
    def unavailable(self) -> tuple[str, ...]:
        """The sources of those of which nothing is here."""
        self._follow()
        return self._follower.catalogue.unavailable

    @property
    def reload_errors(self) -> tuple[str, ...]:
        """What is damaged of the files that say what is held, each with what to do; meanwhile all stays as it was.

        Raises CatalogueDamaged or DisputesDamaged when nothing was read before, so that there is nothing to stay by.
        """
        self._follow()
        return tuple(str(fault) for fault in (self._follower.fault, self._disputes_fault) if fault)

    def company(self, number: str) -> Company | None:
        """Return the company with a normalised number, or None if no source knows it.

        Raises UnusableDataSet when none does and the register, or without a register another data set, cannot be read, and
        CatalogueDamaged or DisputesDamaged as `reload_errors` does.
        """
        self._follow()
        parts: dict[str, Any] = {}
        known = False
        faults = {source: fault for source, fault in self._faults.items() if source != SCORES}
        try:
            entry = self._register.entry(number)
            if entry is not None:
                known = True
                parts["register"] = Sourced(entry, self._register_provenance)
        except UnusableDataSet as fault:
            faults[REGISTER] = fault
        for each in self._open.values():
            try:
                found = each.facts.of(number)
            except UnusableDataSet as fault:
                faults[each.part.source] = fault
                continue
            known = known or bool(found)
            parts[each.part.field] = sourced_facts(each.part, found, each.provenance)
        if not known:
            if faults and (REGISTER in faults or self._register_entry is None):
                raise UnusableDataSet(" ".join(map(str, faults.values())))
            return None
        return Company(
            number=number,
            scores=self._past_scores(number),
            disputes=disputes.open_disputes((self._disputes or {}).get(number, ())),
            **parts,
        )

    def subsidiaries(self, number: str) -> tuple[str, ...] | None:
        """Return the numbers of the companies one holds a majority of; None when no owners are loaded at all."""
        self._follow()
        owners = self._open.get(OWNERS.source)
        if owners is None:
            return None
        return tuple(
            owned
            for owned in owners.facts.mentioning(number, _MOST_SUBSIDIARIES)
            if any(
                each.ceased is None and uk_company_number(each) == number and holds_majority(each)
                for each in owners.facts.of(owned) or ()
            )
        )

    def appointments(self, key: str) -> Iterator[tuple[str, Officer]]:
        """Yield company number and officer for everyone found by a key of `parts.OFFICERS.mentions`.

        Nothing when no officers are loaded. Raises UnusableDataSet.
        """
        self._follow()
        officers = self._open.get(OFFICERS.source)
        if officers is not None:
            for number in officers.facts.mentioning(key, _MOST_APPOINTMENTS):
                yield from (
                    (number, each) for each in officers.facts.of(number) or () if key in OFFICERS.mentions(each)
                )

    def close(self) -> None:
        """Let go of every file. The next read opens them again."""
        self._register.close()
        for each in self._open.values():
            each.facts.close()
        self._reload_scores(None, last=True)
        self._open, self._register_entry, self._faults = {}, None, {}
        self._disputes, self._disputes_fault = None, None
        self._follower.close()

    def _past_scores(self, number: str) -> Scores | None:
        try:
            return self._scores.of(number) if self._scores else None
        except UnusableDataSet as fault:
            self._faults[SCORES] = fault
            return None

    def _follow(self) -> None:
        if self._follower.moved():
            self._reload_newest()
        elif self._disputes_fault is not None:  # nothing tells of a copy that is put back
            self._reload_disputes()

    def _reload_newest(self) -> None:
        for left in reversed(range(MAX_ATTEMPTS)):
            try:
                self._reload(last=left == 0)
                return
            except FileNotFoundError:  # replaced again since the look; the next look sees what by
                self._follower.close()
                self._follower.moved()
            except BaseException:
                self._follower.close()
                raise
        self._follower.close()
        raise UnusableDataSet(f"{_NOT_THERE}.")

    def _reload(self, *, last: bool) -> None:
        """Open what the catalogue names now and close what it no longer does. FileNotFoundError half way is no harm.

        At the last attempt a file that is not there was not replaced but lost: its part alone is left out.
        """
        sources = self._follower.catalogue.sources
        self._faults = {}
        self._reload_disputes()
        for source in self._follower.catalogue.unavailable:
            try:
                require_available(self._follower.catalogue, source)
            except UnusableDataSet as fault:
                self._faults[source] = fault
        self._reload_register(sources.get(REGISTER))
        self._reload_scores(sources.get(SCORES), last=last)
        for part in FACT_KINDS:
            entry, held = sources.get(part.source), self._open.get(part.source)
            if held is not None and held.entry == entry:
                continue
            if held is not None:
                held.facts.close()
                del self._open[part.source]
            if entry is not None:
                try:
                    facts: FactReader[Any] = FactReader(self._folder / entry.file, part)
                except UnusableDataSet as fault:
                    self._faults[part.source] = fault
                except FileNotFoundError:
                    if not last:
                        raise
                    self._faults[part.source] = UnusableDataSet(
                        f"{_NOT_THERE} with `credence data load {part.source}`."
                    )
                else:
                    self._open[part.source] = _Open(entry, part, facts, provenance_of(entry))

    def _reload_disputes(self) -> None:
        try:
            self._disputes, self._disputes_fault = disputes.read(self._folder), None
        except DisputesDamaged as fault:
            if self._disputes is None:
                raise  # a report without its disputes would be untrue
            self._disputes_fault = fault

    def _reload_scores(self, entry: CatalogueEntry | None, *, last: bool) -> None:
        if entry is not None and entry == self._scores_entry:
            return
        if self._scores is not None:
            self._scores.close()
        self._scores, self._scores_entry = None, None
        if entry is not None:
            try:
                self._scores = ScoreReader(self._folder / entry.file)
            except FileNotFoundError:
                if not last:
                    raise
                self._faults[SCORES] = UnusableDataSet(
                    f"{entry.file} is missing: begin again with `credence score run`."
                )
            except UnusableDataSet as fault:
                self._faults[SCORES] = fault
            else:
                self._scores_entry = entry

    def _reload_register(self, entry: CatalogueEntry | None) -> None:
        if entry is not None and entry == self._register_entry:
            return
        self._register_entry = None
        self._register.close()
        try:
            self._register = open_register(self._folder, entry)
        except UnusableDataSet as fault:
            self._register = open_register(self._folder, None)
            self._faults[REGISTER] = fault
            return
        self._register_entry = entry
        self._register_provenance = provenance_of(entry) if entry else Provenance("")


def provenance_of(entry: CatalogueEntry) -> Provenance:
    """Return what reports say about the source of an entry."""
    return Provenance(entry.publisher, entry.as_of, date_of(entry.loaded_at), entry.licence)


def sourced_facts(part: FactKind, found: list[Any] | None, said: Provenance) -> Sourced[Any] | None:
    """Return the part of a company that its facts make; None where nobody knows them."""
    if found is None:
        return None
    return Sourced(tuple(sorted(found, key=part.order, reverse=True)), said)
