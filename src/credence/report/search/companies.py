"""The company search, `GET /risk/business/v2/businesstargeter` (D23, report schema §1).

A search finds companies by present names (`NameType` RC) and former ones (RP), whole, in part or misspelt; `ranking.py`
orders them. The register has no telephone numbers and no unregistered traders: a search for these alone finds nothing. How
candidates are found, and at what cost, is in `docs/adr/search.md`.
"""

from collections.abc import Iterator

import msgspec

from credence.companies import codes
from credence.companies.facts.register import RegisterEntry
from credence.companies.words import postcode_words, words
from credence.datasets import register_schema
from credence.datasets.name_index import NameIndex, expression
from credence.datasets.register import RegisterReader
from credence.datasets.search.candidates import Candidates
from credence.datasets.search.query import CompanyQuery
from credence.datasets.search.ranking import Match, NameQuery, best_match, name_query
from credence.report.build.identification import location
from credence.report.schema.search import BusinessTargeterResponse, SearchResult, SICInfo, Summary

MAX_RESULTS = 50
"""Results of one search; `NumberMatches` counts those returned."""

_ENOUGH_RESULTS = 10
"""With that many results, misspellings are not searched."""

_MAX_TOWN_WORDS = 8
"""Words of a town that are searched; no town has more."""

encode = msgspec.json.Encoder().encode
"""Answer -> JSON."""


def search(register: RegisterReader, query: CompanyQuery) -> BusinessTargeterResponse:
    """Return the matching companies, best first. Raises UnusableDataSet."""
    return answer(query, tuple(_results(register, query)))


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


def _results(register: RegisterReader, query: CompanyQuery) -> Iterator[SearchResult]:
    if not query.corporates:
        return
    if query.number:
        entry = register.entry(query.number)
        if entry and _wanted(entry, query):
            yield _result(entry, entry.name)
        return
    index = register.index()
    if index is None:
        return
    if query.name:
        yield from _named(index, query)
        return
    place = _place_terms(query)
    if place:
        ids = index.matching(expression([[term] for term in place], dissolved=not query.exclude_dissolved), MAX_RESULTS)
        yield from (_result(entry, entry.name) for entry in index.companies(ids) if _wanted(entry, query))


def _named(index: NameIndex, query: CompanyQuery) -> Iterator[SearchResult]:
    found: dict[str, tuple[Match, RegisterEntry]] = {}
    place = _place_terms(query)

    def add(name: NameQuery, ids: list[int]) -> int:
        for entry in index.companies(ids):
            match = best_match(entry, name) if _wanted(entry, query) and _is_at(entry, place) else None
            if match:
                found[entry.number] = (match, entry)
        return len(found)

    name = name_query(query.name)
    candidates = Candidates(index, name, place, dissolved=not query.exclude_dissolved)
    for ids in candidates.fitting():
        if add(name, ids) >= MAX_RESULTS:
            break
    if len(found) < _ENOUGH_RESULTS:
        for corrected, ids in candidates.misspelt():
            if add(corrected, ids) >= _ENOUGH_RESULTS:
                break
    # Matches differ in their numbers, so entries are never compared.
    for match, entry in sorted(found.values())[:MAX_RESULTS]:
        yield _result(entry, match.name)


def _place_terms(query: CompanyQuery) -> tuple[str, ...]:
    town = dict.fromkeys(words(query.town)[:_MAX_TOWN_WORDS])
    # The first word of a postcode is the whole of it; "SW1A" has one word.
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
