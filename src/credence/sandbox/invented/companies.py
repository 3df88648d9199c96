"""The invented companies: one for each band of the score, and one for each state that a client must handle (D24).

They exist so that no real company of the sample is the example of a high risk. `sandbox/data/companies.toml` says what each
is; their facts have the same form as loaded ones, and their reports are built in the same way.
"""

from collections.abc import Mapping

from credence.companies.facts.company import Company
from credence.sandbox.invented.companies_file import invented_file
from credence.sandbox.invented.facts import day, facts_of

DAY = day()
"""The date of the facts. A sandbox dates them from the day on which it is made (`dating`)."""

_BAND_NAMES = "ABCDE"
_CASES = {each.case: each.number for each in invented_file().company}

BANDS: Mapping[str, str] = {case: number for case, number in _CASES.items() if case in _BAND_NAMES}
"""Band of the score -> number of the company that has it."""

STATES: Mapping[str, str] = {case: number for case, number in _CASES.items() if case not in _BAND_NAMES}
"""State of a company -> number of the invented company in that state."""

INVENTED: Mapping[str, Company] = {
    each.number: facts_of(each) for each in (*invented_file().company, *invented_file().customer)
}
"""Number -> company: one for each band and state, then the other customers of the book."""

SPECIMEN_GROUP: Mapping[str, Company] = {each.number: facts_of(each) for each in invented_file().specimen}
"""Number -> the specimen and every company that its report or its director names.

With them every number in the report is found. The report itself is fixed; searches and the details of directors use these
facts.
"""
