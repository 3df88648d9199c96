"""Register entries of real companies, as far as filed accounts have their parts: name, number, legal form, office (D24).

The shipped sample of the register has none of the companies of the demonstration accounts. `python -m
tools.demonstration` extracts these entries from the same filings. A filing has no status, dates and activities: they
stay unknown, and a report lists them as not held.
"""

import functools
from collections.abc import Mapping
from pathlib import Path

import msgspec

from credence.companies.facts.company import Company, Provenance, Sourced
from credence.companies.facts.register import Office, RegisterEntry, unregistered
from credence.datasets.sources.source import COMPANIES_HOUSE_LICENCE

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
