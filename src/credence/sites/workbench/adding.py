"""The form of a company in a list, and adding a company to a list."""

from collections.abc import Mapping

from credence.blocks.forms import Field
from credence.monitoring.rows import MAX_COMPANIES, company_of
from credence.monitoring.schema import OUTCOMES
from credence.operations.watched_companies import exchange_in
from credence.sites.kit.screen import Changed, InvalidForm, Visit
from credence.sites.workbench.acting import acting_of
from credence.sites.workbench.figures import amount_cell
from credence.sites.workbench.reader import store_of
from credence.sites.workbench.texts import text_in
from credence.store.contract import Conflict, Full
from credence.store.portfolios import Portfolio, WatchedCompany


async def watch_one(visit: Visit, portfolio: Portfolio, company: WatchedCompany, field: str) -> str:
    """Add a company to a list and return the outcome as text.

    Raises Changed if the list has the company with other values, which are kept; InvalidForm at `field` if the list is full.
    """
    said = "added"
    try:
        await exchange_in(acting_of(visit), portfolio.id, None, company)
    except Full:
        raise InvalidForm(f"A list has at most {MAX_COMPANIES:,} companies.", field) from None
    except Conflict:
        kept = await store_of(visit).watched_company(portfolio.id, company.company)
        if kept is None:  # the list or the company was deleted in between
            raise
        if kept != company:
            raise Changed(
                f"The list has {company.company} already: {said_of(kept)}. Change it on its own page."
            ) from None
        said = "unchanged"
    return f"{company.company}: {OUTCOMES[said]}."


def said_of(kept: WatchedCompany) -> str:
    """Return exposure, reference and note of a company in a list as text."""
    exposure = amount_cell(kept.exposure, kept.currency).text
    return f"the exposure is {exposure}, the reference {kept.reference or 'empty'}, the note {kept.note or 'empty'}"


def company_in(values: Mapping[str, str], number: str = "") -> WatchedCompany:
    """Return the company of a form. Raises InvalidForm with the field that is invalid."""
    reference, note = text_in(values, "reference"), text_in(values, "note")
    exposure = values.get("exposure", "").strip().removeprefix("£").replace(",", "")
    currency = values.get("currency", "").strip().upper() or ("GBP" if exposure else "")
    number = number or values.get("number", "").strip()
    for name, row in (
        ("number", company_of(number, "", "", "", "")),
        ("exposure", company_of(number, "", exposure, "", "")),
        ("currency", company_of(number, "", exposure, currency, "")),
        ("reference", company_of(number, reference, exposure, currency, note)),
    ):
        if row.company is None:
            raise InvalidForm(row.fault, name)
        company = row.company
    return company


def company_fields(kept: WatchedCompany | None = None) -> tuple[Field, ...]:
    """Return the form fields of a company in a list, filled from `kept`."""
    exposure = "" if kept is None or kept.exposure is None else str(kept.exposure)
    return (
        Field("exposure", "Exposure", exposure, "The most you could lose, in whole units."),
        Field("currency", "Currency", kept.currency if kept else "", "Leave empty for GBP."),
        Field("reference", "Your reference", kept.reference if kept else ""),
        Field("note", "Note", kept.note if kept else ""),
    )
