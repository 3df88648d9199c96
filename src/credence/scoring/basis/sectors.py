"""The official failure rate of a company's sector, the base of its score (credit §4.3, §7.2)."""

import datetime as dt
from functools import cached_property, lru_cache

import msgspec

from credence.companies.facts.company import Company
from credence.scoring.basis.scale import score_of

SECTIONS = {
    "A": "Agriculture, forestry and fishing",
    "B": "Mining and quarrying",
    "C": "Manufacturing",
    "D": "Electricity, gas and steam",
    "E": "Water supply and waste",
    "F": "Construction",
    "G": "Wholesale and retail trade",
    "H": "Transport and storage",
    "I": "Accommodation and food",
    "J": "Information and communication",
    "K": "Finance and insurance",
    "L": "Real estate",
    "M": "Professional, scientific and technical",
    "N": "Administrative and support",
    "O": "Public administration and defence",
    "P": "Education",
    "Q": "Health and social work",
    "R": "Arts, entertainment and recreation",
    "S": "Other services",
    "T": "Households",
    "U": "Extraterritorial bodies",
}
"""Letter of a section of SIC 2007 -> its shortened title."""


class SectorRates(msgspec.Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    """The rates of one statistical release, and the first and last division of each section.

    Rates are insolvencies a year per 10,000 companies.
    """

    version: str
    source: str
    licence: str
    as_of: dt.date
    """The last day of the twelve months that are counted."""
    national: float
    sections: dict[str, float]
    """Letter of a section of SIC 2007 -> its rate; sections without one have the national rate."""
    divisions: dict[str, tuple[int, int]]

    @cached_property
    def section_of_division(self) -> dict[str, str]:
        """Two-digit division -> letter of its section."""
        sections = self.divisions.items()
        return {f"{each:02}": section for section, (first, last) in sections for each in range(first, last + 1)}


class Base(msgspec.Struct, frozen=True):
    """The base of a score."""

    section: str | None
    """Letter of the section; None without a code of SIC 2007."""
    words: str
    probability: float
    points: int


def base_of(company: Company, rates: SectorRates) -> Base:
    """Return the base of the company's first activity: the rate of its section, or the national rate."""
    section = section_of(company, rates)
    if section is None:
        return _base(None, "national rate; the register gives no sector", rates.national)
    published = rates.sections.get(section)
    if published is None:
        words = f"national rate; none is published for this sector ({SECTIONS[section]})"
        return _base(section, words, rates.national)
    return _base(section, SECTIONS[section], published)


def section_of(company: Company, rates: SectorRates) -> str | None:
    """Return the letter of the section of the company's first activity, whether or not it has a rate."""
    first = next(iter(divisions_of(company)), "")
    return rates.section_of_division.get(first)


def divisions_of(company: Company, edition: int = 5) -> tuple[str, ...]:
    """Return the two-digit divisions of the company's activities with codes of `edition` digits (5: SIC 2007)."""
    if company.register is None:
        return ()
    activities = company.register.value.activities
    return tuple([each.code[:2] for each in activities if len(each.code) == edition])


@lru_cache(maxsize=64)
def _base(section: str | None, words: str, per_ten_thousand: float) -> Base:
    probability = per_ten_thousand / 10_000
    return Base(section, words, probability, round(score_of(probability)))
