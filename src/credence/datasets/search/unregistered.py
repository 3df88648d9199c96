"""Finds companies that are not in the register by the names and postcodes in their accounts (`docs/adr/search.md`).

A word of a name or its beginning finds the company, and so does a whole postcode or its outward half. Misspellings are not
corrected.
"""

from collections.abc import Iterator
from itertools import islice

from credence.companies.facts.company import Company
from credence.companies.words import postcode_words
from credence.datasets.credit_data import CreditData
from credence.datasets.fact_kinds import name_key, postcode_key
from credence.datasets.search.query import CompanyQuery
from credence.datasets.search.ranking import MIN_PREFIX_LETTERS, name_query

_MAX_WORDS = 8

_MAX_FILERS = 400
"""Companies read for each word, at most. A word of more companies is ignored, unless all words are that common."""

_MAX_COMPANIES = 50


def unregistered(credit_data: CreditData, query: CompanyQuery) -> Iterator[Company]:
    """Yield companies without a register entry whose accounts may fit the name and the postcode of a query.

    Raises UnusableDataSet.
    """
    name = name_query(query.name).words[:_MAX_WORDS] if query.name else ()
    found = [credit_data.filers(name_key(word), _MAX_FILERS, prefix=len(word) >= MIN_PREFIX_LETTERS) for word in name]
    found += [credit_data.filers(postcode_key(word), _MAX_FILERS) for word in postcode_words(query.postcode)[:1]]
    if not all(found):
        return
    narrowing = [set(each) for each in found if len(each) < _MAX_FILERS] or [set(each) for each in found[:1]]
    numbers = set.intersection(*narrowing) if narrowing else ()
    for number in islice(credit_data.register.unknown(numbers), _MAX_COMPANIES):
        company = credit_data.company(number)
        if company is not None:
            yield company
