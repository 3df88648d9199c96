"""The official failure rate of a company's sector, the base of its score (credit §4.3, §7.2)."""

import datetime as dt
from functools import cached_property, lru_cache

import msgspec

from credence.companies.facts.company import Company
from credence.scoring.basis.scale import score_of

_FINANCIAL = ("64", "65", "66")
"""Financial divisions of SIC 2007; their balance sheets are not comparable (credit §6, missing inputs)."""

_HOLDING = ("64201", "64202", "64203", "64209")
"""Holding companies of the class 64.20 except those of financial services (64205): they hold shares and give no loans."""

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
    """The counts of one statistical release, and the first and last division of each section.

    Rates are insolvencies a year per 10,000 companies.
    """

    version: str
    source: str
    licence: str
    as_of: dt.date
    """The last day of the twelve months that are counted."""
    national: float
    least: int
    """A section with fewer insolvencies has no rate of its own."""
    insolvencies: dict[str, int]
    """Letter of a section of SIC 2007 -> insolvencies in England and Wales in twelve months."""
    companies: dict[str, int]
    """Letter of a section -> companies in the sample of the register."""
    divisions: dict[str, tuple[int, int]]

    @cached_property
    def sections(self) -> dict[str, float]:
        """Letter of a section -> its rate: the national one times its share of insolvencies over its share of companies.

        Sections without a rate of their own have the national one.
        """
        share = sum(self.companies.values()) / sum(self.insolvencies.values()) * self.national
        counted = {section: count for section, count in self.insolvencies.items() if count >= self.least}
        return {section: round(count / self.companies[section] * share, 1) for section, count in counted.items()}

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
        words = f"national rate; this sector has too few insolvencies for a rate of its own ({SECTIONS[section]})"
        return _base(section, words, rates.national)
    return _base(section, SECTIONS[section], published)


def section_of(company: Company, rates: SectorRates) -> str | None:
    """Return the letter of the section of the company's first activity, whether or not it has a rate."""
    first = next(iter(divisions_of(company)), "")
    return rates.section_of_division.get(first)


def divisions_of(company: Company, edition: int = 5) -> tuple[str, ...]:
    """Return the two-digit divisions of the company's activities with codes of `edition` digits (5: SIC 2007)."""
    return tuple([code[:2] for code in _codes(company, edition)])


def is_financial(company: Company) -> bool:
    """Return whether an activity of the company is financial; to hold shares in other companies is not."""
    return any(code[:2] in _FINANCIAL and code not in _HOLDING for code in _codes(company))


def is_holding(company: Company) -> bool:
    """Return whether an activity of the company is to hold shares in other companies."""
    return any(code in _HOLDING for code in _codes(company))


def _codes(company: Company, digits: int = 5) -> list[str]:
    activities = company.register.value.activities if company.register else ()
    return [each.code for each in activities if len(each.code) == digits]


@lru_cache(maxsize=64)
def _base(section: str | None, words: str, per_ten_thousand: float) -> Base:
    probability = per_ten_thousand / 10_000
    return Base(section, words, probability, round(score_of(probability)))
