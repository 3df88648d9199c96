"""The company search, `GET /risk/business/v2/businesstargeter` (D23, report schema §1).

A company is found by every word of its present name (`NameType` RC) or of a former one (RP). Whole names come first,
then names that begin with the words, then names that hold them. The register holds no telephone numbers and no traders
that are not registered: a search for these alone finds nothing.
"""

from collections.abc import Iterator

import msgspec

from credence.credit import codes
from credence.credit.facts.register import RegisterEntry
from credence.credit.office import location
from credence.credit.query import Query
from credence.credit.register import Register
from credence.credit.wire.search import BusinessTargeterResponse, SearchResult, SICInfo, Summary
from credence.credit.words import name_words, postcode_words, words

RESULTS = 50
"""The most results of one search; `NumberMatches` counts those returned."""

_PREFIX = 3
"""A word of so many letters or more may be the beginning of a longer one; a shorter one would match far too much."""

_WORDS = 8
"""Distinct words of a name or a town that are looked for: the first ones. Each costs time, and a request is one event."""

_WIDE = 4 * RESULTS
"""Candidates looked at per question, since some may be dissolved or known already."""

encode = msgspec.json.Encoder().encode
"""Answer -> JSON."""


def search(register: Register, query: Query) -> BusinessTargeterResponse:
    """Return the companies that match, best first."""
    results: dict[str, SearchResult] = {}
    for entry, name in _matches(register, query):
        if not (query.exclude_dissolved and codes.is_dissolved(entry)):
            results.setdefault(entry.number, _result(entry, name))
        if len(results) == RESULTS:
            break
    return answer(query, tuple(results.values()))


def answer(query: Query, results: tuple[SearchResult, ...]) -> BusinessTargeterResponse:
    """Return the results under a summary that repeats the query."""
    summary = Summary(
        NumberMatches=len(results),
        BusinessRef=query.number or None,
        BusinessName=query.name or None,
        PhoneNumber=query.phone or None,
        PostTown=query.town or None,
        Postcode=query.postcode or None,
    )
    return BusinessTargeterResponse(SearchSummary=summary, SearchResults=results)


def _matches(register: Register, query: Query) -> Iterator[tuple[RegisterEntry, str]]:
    """Yield each match and the name by which it was found, best first, and some of them again."""
    if not query.corporates:
        return
    if query.number:
        # A number leaves nothing to search for.
        if entry := register.entry(query.number):
            yield entry, entry.name
        return
    for expression in _expressions(query):
        for entry in register.candidates(expression, _WIDE):
            if name := _name_found(entry, query.name):
                yield entry, name


def _expressions(query: Query) -> Iterator[str]:
    """Yield the FTS5 expressions to ask, best matches first.

    They hold nothing of the query but quoted words of letters and digits, so nothing in it can be taken for syntax.
    """
    place = [_term("town", word) for word in _first(words(query.town))]
    # Of a whole postcode only the first word, which is the whole; "SW1A" is whole in itself.
    place += [_term("postcode", word) for word in postcode_words(query.postcode)[:1]]
    names = name_words(query.name)
    if not names:
        if place:
            yield " AND ".join(place)
        return
    whole = "".join(names)
    for terms in (
        [_term("whole", whole)],
        [_term("former_whole", whole)],
        [_prefix("whole", whole)],
        [_prefix("name", word) for word in _first(names)],
        [_prefix("former", word) for word in _first(names)],
    ):
        yield " AND ".join(terms + place)


def _first(found: list[str]) -> list[str]:
    return list(dict.fromkeys(found))[:_WORDS]


def _term(column: str, word: str) -> str:
    return f'{column} : "{word}"'


def _prefix(column: str, word: str) -> str:
    return f'{column} : "{word}"*' if len(word) >= _PREFIX else _term(column, word)


def _name_found(entry: RegisterEntry, sought: str) -> str | None:
    """Return the company's present name if it holds the words sought, else the former one that does."""
    wanted = name_words(sought)
    former = (each.name for each in entry.former_names)
    return next((name for name in (entry.name, *former) if _holds(name_words(name), wanted)), None)


def _holds(name: list[str], wanted: list[str]) -> bool:
    return _begins("".join(name), "".join(wanted)) or all(
        any(_begins(word, each) for word in name) for each in _first(wanted)
    )


def _begins(word: str, wanted: str) -> bool:
    return word == wanted or (len(wanted) >= _PREFIX and word.startswith(wanted))


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
