"""Finds the companies of the sandbox: invented ones, the specimen's group, loaded data, then filed entries (D24).

The shipped sample of the register has none of the companies of the demonstration accounts. `python -m tools.demonstration`
extracts their entries from the same filings: name, number, legal form, office. A filing has no status, dates and
activities: they stay unknown, and a report lists them as not held.
"""

import datetime as dt
import functools
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import msgspec

from credence.companies.facts.company import Company, Provenance, Sourced
from credence.companies.facts.people import Officer
from credence.companies.facts.register import Office, RegisterEntry, unregistered
from credence.companies.facts.scores import PastScore, Scores
from credence.companies.ownership import Subsidiaries, holds_majority, uk_company_number
from credence.datasets.credit_data import CreditData
from credence.datasets.fact_kinds import OFFICERS
from credence.datasets.sources.source import COMPANIES_HOUSE_LICENCE
from credence.sandbox.invented.companies import DAY, INVENTED, SPECIMEN_GROUP
from credence.sandbox.invented.dating import invented_on
from credence.scoring.runs.share import codes_of
from credence.scoring.score import score_company

DEMONSTRATION = "Demonstration: accounts filed at Companies House 2016 to 2026, not a current register"
"""The publisher of the accounts of a new sandbox; here, because reading filings needs what few workers ever need."""

RUN_DAYS = 31
"""How long before a sandbox is made its companies were scored: longer than the month over which the book compares bands."""

COMPANIES = {**INVENTED, **SPECIMEN_GROUP}
"""Number -> invented company, with facts of DAY."""


@functools.lru_cache(maxsize=4)
def companies_on(day: dt.date) -> Mapping[str, Company]:
    """Return number -> invented company, with facts of `day`; the group of the specimen keeps its own days."""
    return {**invented_on(day), **SPECIMEN_GROUP}


@functools.lru_cache(maxsize=1)
def scored_before(made: dt.date) -> Mapping[str, Company]:
    """Return the same for a sandbox that is made on this day, with the scores of a scoring run some days before.

    The run is made here, from the facts of its own day: without it, no customer would have become worse in a month.
    """
    day = made - dt.timedelta(days=RUN_DAYS)
    return {
        number: msgspec.structs.replace(each, scores=_run(each, day)) for number, each in companies_on(made).items()
    }


def _run(company: Company, day: dt.date) -> Scores | None:
    result = score_company(company, day)
    score, (_, legal) = result.score, codes_of(result.model)
    if score is None:
        return None
    lines = tuple((line.code, line.points) for line in score.lines)
    is_overridden = not set(legal).isdisjoint(code for code, _ in lines)
    model = result.model
    past = PastScore(day, day, model.version, model.hash, score.score, score.limit.amount, lines, is_overridden)
    return Scores((past,), day, {}, day)


Made = Callable[[], dt.date | None]
"""Returns the day from which the invented companies are dated; None for that of their facts."""


class InventedCompanies:
    """Finds the invented companies and their people."""

    def __init__(self, made: Made = lambda: None) -> None:
        self._made = made

    def company(self, number: str) -> Company | None:
        """Return the invented company with this normalised number; None for another number."""
        return self._companies().get(number) if number in COMPANIES else None

    def _companies(self) -> Mapping[str, Company]:
        made = self._made()
        return companies_on(DAY) if made is None else scored_before(made)

    def subsidiaries(self, number: str) -> Subsidiaries | None:
        """Return the companies of which a company owns the majority."""
        numbers = (
            each.number
            for each in COMPANIES.values()
            for owner in (each.owners.value if each.owners else ())
            if uk_company_number(owner) == number and holds_majority(owner)
        )
        return Subsidiaries(tuple(numbers))

    def appointments(self, key: str) -> Iterator[tuple[str, Officer]]:
        """Yield company number and officer of each appointment of the person with this key (`OFFICERS.mentions`)."""
        for number, company in self._companies().items():
            for officer in company.officers.value if company.officers else ():
                if key in OFFICERS.mentions(officer):
                    yield number, officer


class SandboxData(InventedCompanies):
    """Finds companies and people of the sandbox and of the loaded data, with the methods of `CreditData`."""

    def __init__(self, loaded: CreditData, made: Made) -> None:
        super().__init__(made)
        self._loaded = loaded

    def company(self, number: str) -> Company | None:
        """Return the company with this normalised number; None for an unknown number."""
        return super().company(number) or with_filed_entry(self._loaded.company(number))

    def subsidiaries(self, number: str) -> Subsidiaries | None:
        """Return the companies of which a company owns the majority; None if no owners are loaded."""
        return super().subsidiaries(number) if number in COMPANIES else self._loaded.subsidiaries(number)

    def appointments(self, key: str) -> Iterator[tuple[str, Officer]]:
        """Yield the appointments of invented companies, then those of the loaded data."""
        yield from super().appointments(key)
        yield from self._loaded.appointments(key)


def sandbox_entries(loaded: CreditData) -> tuple[RegisterEntry, ...]:
    """Return the entries that searches of the sandbox include: the invented companies, and the filed entries while the
    demonstration accounts are loaded.
    """
    return (*_invented_entries(), *(filed_entries().values() if _has_demonstration(loaded) else ()))


@functools.cache
def _invented_entries() -> tuple[RegisterEntry, ...]:
    return tuple(company.register.value for company in COMPANIES.values() if company.register)


def _has_demonstration(loaded: CreditData) -> bool:
    company = loaded.company(next(iter(filed_entries())))
    accounts = company.accounts if company else None
    return accounts is not None and accounts.provenance.source == DEMONSTRATION


FILE = Path(__file__).parent / "data" / "entries-from-accounts.json"

_SOURCE = "The company's own filed accounts, not the register: name, number, legal form and registered office"


class FiledEntry(msgspec.Struct, frozen=True, omit_defaults=True):
    """The parts of a register entry that one filing has."""

    number: str
    name: str
    category: str
    """The legal form, spelt as in the register."""
    office: tuple[str, ...] = ()
    """Lines of the registered office, the town last."""
    postcode: str = ""


@functools.cache
def filed_entries() -> Mapping[str, RegisterEntry]:
    """Return company number -> register entry."""
    held = msgspec.json.decode(FILE.read_bytes(), type=list[FiledEntry])
    return {each.number: _entry(each) for each in held}


def with_filed_entry(company: Company | None) -> Company | None:
    """Return a company that has accounts but no register entry with the entry of its filing; any other company unchanged."""
    if company is None or company.register is not None or company.accounts is None:
        return company
    found = filed_entries().get(company.number)
    if found is None:
        return company
    return msgspec.structs.replace(
        company, register=Sourced(found, Provenance(_SOURCE, company.accounts_made_up, licence=COMPANIES_HOUSE_LICENCE))
    )


def _entry(filed: FiledEntry) -> RegisterEntry:
    *lines, town = filed.office or ("",)
    first, *further = lines or ("",)
    office = Office(line_1=first, line_2=", ".join(further), town=town, postcode=filed.postcode)
    return unregistered(filed.number, filed.name, filed.category, office)
