"""Formats amounts, scores and bands for the workbench."""

from collections.abc import Mapping

from credence import paths
from credence.blocks.text import NONE, money, short_day
from credence.blocks.values import Cell, Tone
from credence.report.outline import Held, Outline
from credence.scoring.model import current_model

_SEVERITY: Mapping[str, Tone] = {"critical": "bad", "high": "bad", "medium": "warn", "low": "soft"}
_FAILED = frozenset({"proceedings", "failed", "dissolved"})
SHORT_REASONS = 2
COMPANIES = f"{paths.WORKBENCH}/companies"


def address_of_company(number: str, tab: str = "") -> str:
    """Return the path of the page of a company, or of one of its tabs."""
    return f"{COMPANIES}/{number}/{tab}" if tab else f"{COMPANIES}/{number}"


def company_cell(name: str, number: str, address: str = "") -> Cell:
    """Return a company by its name, with its number below; `address` is where the name leads, else to the company's page."""
    return Cell(name or number, address or address_of_company(number), detail=number if name else "")


def day_cell(day: str | None, note: str = "", tone: Tone = "") -> Cell:
    """Return a date of ISO 8601 as tables have it, with a note below; a dash for none."""
    return Cell(short_day(day or ""), tone=tone, whole=True, detail=note)


def band_cell(band: str | None) -> Cell:
    """Return a band as a coloured letter; a dash for None."""
    return Cell(band, band=band) if band else Cell("")


def standing_cell(seen: Outline) -> Cell:
    """Return the register's status, or the event of insolvency that counts now."""
    return Cell(seen.standing, tone="good" if seen.is_sound else "bad" if seen.insolvency in _FAILED else "warn")


def severity_cell(severity: str) -> Cell:
    """Return how grave an alert is, with its colour."""
    return Cell(severity, tone=_SEVERITY.get(severity, ""))


def short_held_cell(seen: Outline) -> Cell:
    """Return the first reasons for caution by their short names; the page of the company has all in sentences."""
    more = len(seen.reservations) - SHORT_REASONS
    names = [*map(_short, seen.reservations[:SHORT_REASONS]), *([f"{more} more"] if more > 0 else [])]
    return Cell("; ".join(names))


def _short(held: Held) -> str:
    return reason_in_short(held.code) or held.words


def reason_in_short(code: str) -> str:
    """Return the short name of a reason for caution; empty for an unknown code."""
    rows = current_model().reservations.by_code.get(code)
    return rows[0].header if rows else ""


def amount_cell(amount: float | None, currency: str = "GBP", *, is_least: bool = False) -> Cell:
    """Return an amount, or the least that it is; a dash if it is unknown, which it is as well if the least is nothing."""
    if amount is None or (is_least and not amount):
        return Cell(NONE)
    return Cell(f"{'at least ' if is_least else ''}{money(amount, currency or 'GBP')}")


def number_cell(value: int | None) -> Cell:
    """Return a whole number; a dash if it is unknown."""
    return Cell("" if value is None else f"{value:,}")
