"""The company search, `GET /risk/business/v2/businesstargeter` (D23, report schema §1).

A search finds companies by present names (`NameType` RC) and former ones (RP), whole, in part or misspelt; `ranking.py`
orders them. The register has no telephone numbers and no unregistered traders: a search for these alone finds nothing.
`docs/adr/search.md` explains how candidates are found, and at what cost.
"""

from collections.abc import Iterable, Iterator
from itertools import islice

import msgspec

from credence.companies import codes
from credence.companies.facts.company import Company
from credence.companies.facts.register import Office, RegisterEntry, unregistered
from credence.companies.words import postcode_words, words
from credence.datasets import register_schema
from credence.datasets.name_index import NameIndex, expression
from credence.datasets.register import RegisterReader
from credence.datasets.search.candidates import Candidates
from credence.datasets.search.query import CompanyQuery
from credence.datasets.search.ranking import Match, NameQuery, best_match, name_query
from credence.report.build.identification import location
from credence.report.build.structure import company_name
from credence.report.schema.search import BusinessTargeterResponse, SearchResult, SICInfo, Summary

MAX_RESULTS = 50
"""Maximum results of one search; `NumberMatches` counts those returned."""

_ENOUGH_RESULTS = 10
"""If there are at least this many results, misspellings are not searched."""

_MAX_TOWN_WORDS = 8
"""Maximum words of a town that are searched; no town has more."""

encode = msgspec.json.Encoder().encode
"""Answer -> JSON."""


def search(
    register: RegisterReader, query: CompanyQuery, others: Iterable[RegisterEntry] = ()
) -> BusinessTargeterResponse:
    """Return the matching companies, best first. Raises UnusableDataSet.

    `others` are entries of companies that the register does not have; each is compared with the query.
    """
    return answer(query, tuple(_results(register, query, others)))


def fits_place(entry: RegisterEntry, query: CompanyQuery) -> bool:
    """Return whether the registered office is in the town and postcode of the query, as far as the query has them."""
    return _is_at(entry, _place_terms(query))


def entry_of_unregistered(company: Company | None) -> RegisterEntry | None:
    """Return an entry made from a company's accounts: number, name, postcode. None if no source has its name."""
    if company is None or company.register is not None:
        return None
    name, filings = company_name(company), company.accounts.value if company.accounts else ()
    office = Office(postcode=next((each.postcode for each in filings if each.postcode), ""))
    return unregistered(company.number, name, office=office) if name else None


def answer(query: CompanyQuery, results: tuple[SearchResult, ...]) -> BusinessTargeterResponse:
    """Return the results with a summary that repeats the query."""
    summary = Summary(
        NumberMatches=len(results),
        BusinessRef=query.number or None,
        BusinessName=query.name or None,
        PhoneNumber=query.phone or None,
        PostTown=query.town or None,
        Postcode=query.postcode or None,
    )
    return BusinessTargeterResponse(SearchSummary=summary, SearchResults=results)


def _results(register: RegisterReader, query: CompanyQuery, others: Iterable[RegisterEntry]) -> Iterator[SearchResult]:
    if not query.corporates:
        return
    if query.number:
        entry = register.entry(query.number) or next((each for each in others if each.number == query.number), None)
        if entry and _wanted(entry, query):
            yield _result(entry, entry.name)
        return
    index = register.index()
    if query.name:
        yield from _named(index, query, others)
        return
    place = _place_terms(query)
    if place:
        yield from islice(_placed(index, query, place, others), MAX_RESULTS)


def _placed(
    index: NameIndex | None, query: CompanyQuery, place: tuple[str, ...], others: Iterable[RegisterEntry]
) -> Iterator[SearchResult]:
    found = {each.number: each for each in others if _is_at(each, place)}
    if index is not None:
        ids = index.matching(expression([[term] for term in place], dissolved=not query.exclude_dissolved), MAX_RESULTS)
        found |= {each.number: each for each in index.companies(ids)}
    yield from (_result(each, each.name) for each in found.values() if _wanted(each, query))


def _named(index: NameIndex | None, query: CompanyQuery, others: Iterable[RegisterEntry]) -> Iterator[SearchResult]:
    yield from (_result(entry, match.name) for match, entry in matches(index, query, others))


def matches(
    index: NameIndex | None, query: CompanyQuery, others: Iterable[RegisterEntry] = ()
) -> list[tuple[Match, RegisterEntry]]:
    """Return the companies that match the name of a query, the best first, at most `MAX_RESULTS`."""
    found: dict[str, tuple[Match, RegisterEntry]] = {}
    place = _place_terms(query)

    def add(name: NameQuery, entries: Iterable[RegisterEntry]) -> int:
        for entry in entries:
            match = best_match(entry, name) if _wanted(entry, query) and _is_at(entry, place) else None
            if match:
                found[entry.number] = (match, entry)
        return len(found)

    name = name_query(query.name)
    add(name, others)
    if index is not None:
        candidates = Candidates(index, name, place, dissolved=not query.exclude_dissolved)
        for ids in candidates.fitting():
            if add(name, index.companies(ids)) >= MAX_RESULTS:
                break
        if len(found) < _ENOUGH_RESULTS:
            for corrected, ids in candidates.misspelt():
                if add(corrected, index.companies(ids)) >= _ENOUGH_RESULTS:
                    break
    # Matches differ in the company number, so the comparison never reaches the entries.
    return sorted(found.values())[:MAX_RESULTS]


def _place_terms(query: CompanyQuery) -> tuple[str, ...]:
    town = dict.fromkeys(words(query.town)[:_MAX_TOWN_WORDS])
    # The first word is the whole postcode. A partial one, "SW1A", has one word.
    postcode = postcode_words(query.postcode)[:1]
    return (*(register_schema.TOWN + word for word in town), *(register_schema.POSTCODE + word for word in postcode))


def _is_at(entry: RegisterEntry, place: tuple[str, ...]) -> bool:
    office = (
        *(register_schema.TOWN + word for word in words(entry.office.town)),
        *(register_schema.POSTCODE + word for word in postcode_words(entry.office.postcode)),
    )
    return all(term in office for term in place)


def _wanted(entry: RegisterEntry, query: CompanyQuery) -> bool:
    return not (query.exclude_dissolved and codes.is_dissolved(entry))


def _result(entry: RegisterEntry, name: str) -> SearchResult:
    activity = entry.activities[0] if entry.activities else None
    return SearchResult(
        LegalEntity="L",
        BusinessRef=entry.number,
        CommercialName=entry.name,
        BusinessLocation=location(entry.office),
        SICInformation=SICInfo("B", activity.code, activity.description) if activity else None,
        BusinessStatus=codes.business_status(entry),
        Name=name,
        NameType="RC" if name == entry.name else "RP",
    )
