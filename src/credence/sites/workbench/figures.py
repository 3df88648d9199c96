"""Formats amounts, scores and bands for the workbench."""

from credence import paths
from credence.report.render.page.text import NONE, money
from credence.sites.kit.blocks import Cell

COMPANIES = f"{paths.WORKBENCH}/companies"


def address_of_company(number: str, tab: str = "") -> str:
    """Return the path of the page of a company, or of one of its tabs."""
    return f"{COMPANIES}/{number}/{tab}" if tab else f"{COMPANIES}/{number}"


def band_cell(band: str | None) -> Cell:
    """Return a band as a coloured letter; a dash for None."""
    return Cell(band, band=band) if band else Cell("")


def amount_cell(amount: float | None, currency: str = "GBP") -> Cell:
    """Return an amount; a dash if it is unknown."""
    return Cell(NONE if amount is None else money(amount, currency or "GBP"))


def number_cell(value: int | None) -> Cell:
    """Return a whole number; a dash if it is unknown."""
    return Cell("" if value is None else f"{value:,}")
