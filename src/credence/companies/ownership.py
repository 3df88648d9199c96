"""Persons with significant control. The register gives bands of shares and votes, not exact shares (credit §4.2)."""

import re
from typing import NamedTuple

from credence.companies.facts.people import Owner
from credence.companies.number import normalise_or_none

_BAND = re.compile(r"(?:ownership-of-shares|voting-rights)-([0-9]+)-to-([0-9]+)-percent")

_UNITED_KINGDOM = frozenset(
    {
        "united kingdom",
        "uk",
        "great britain",
        "england",
        "england and wales",
        "england & wales",
        "england/wales",
        "wales",
        "scotland",
        "northern ireland",
    }
)


class Subsidiaries(NamedTuple):
    """The companies of which a company owns the majority."""

    numbers: tuple[str, ...]
    cut: bool = False
    """Whether there may be more: too many companies name the owner to read all."""


def bands(owner: Owner) -> tuple[tuple[int, int], ...]:
    """Return the bands of shares or votes in per cent, highest first; rights through a firm or a trust count as well."""
    found = {(int(form[1]), int(form[2])) for nature in owner.natures if (form := _BAND.match(nature))}
    return tuple(sorted(found, reverse=True))


def holds_majority(owner: Owner) -> bool:
    """Return whether the owner has more than half of the shares or votes; if it is a company, it is the parent."""
    return bool(bands(owner)) and bands(owner)[0][0] >= 50


def uk_company_number(owner: Owner) -> str | None:
    """Return the company number of an owner on the United Kingdom's register; None for any other owner."""
    if not owner.corporate or owner.country.strip().lower() not in _UNITED_KINGDOM:
        return None
    return normalise_or_none(owner.registration_number)
