"""The official failure rate of a company's sector, the base of its score (credit §4.3, §7.2)."""

import msgspec

from credence.companies.facts.company import Company
from credence.scoring.scale import score_of


class Rate(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Insolvencies a year per 10,000 companies of one section of SIC 2007."""

    words: str
    rate: float


class SectorRates(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The rates of one statistical release, and the first and last division of each section."""

    version: str
    source: str
    licence: str
    national: float
    sections: dict[str, Rate]
    divisions: dict[str, tuple[int, int]]


class Base(msgspec.Struct, frozen=True):
    """The base of a score."""

    section: str | None
    """Letter of the section; None without a code of SIC 2007 and for a section without a rate."""
    words: str
    probability: float
    points: int


def base_of(company: Company, rates: SectorRates) -> Base:
    """Return the base of the company's first activity, else the national one."""
    section = section_of(company, rates)
    rate = rates.sections.get(section) if section else None
    return _base(section, rate.words, rate.rate) if rate else _base(None, "All sectors", rates.national)


def section_of(company: Company, rates: SectorRates) -> str | None:
    """Return the letter of the section of the company's first activity, whether or not it has a rate."""
    for division in divisions_of(company, edition=5)[:1]:
        for section, (first, last) in rates.divisions.items():
            if first <= int(division) <= last:
                return section
    return None


def divisions_of(company: Company, edition: int = 5) -> tuple[str, ...]:
    """Return the two-digit divisions of the company's activities with codes of `edition` digits (5: SIC 2007)."""
    if company.register is None:
        return ()
    codes = (activity.code for activity in company.register.value.activities)
    return tuple(code[:2] for code in codes if len(code) == edition)


def _base(section: str | None, words: str, per_ten_thousand: float) -> Base:
    probability = per_ten_thousand / 10_000
    return Base(section, words, probability, round(score_of(probability)))
