"""A company of a list: changes exposure, reference and note, and stops watching it."""

from collections.abc import Mapping

import msgspec

from credence.api.resources.preconditions import tag_of
from credence.blocks.forms import Field, Form
from credence.blocks.values import Cell, Facts
from credence.companies.number import normalise_or_none
from credence.oauth.parameters.scopes import MONITOR
from credence.operations.watched_companies import exchange_in
from credence.refusals.refusal import Refused
from credence.refusals.resources import RESOURCE_UNKNOWN
from credence.sites.kit.screen import Act, ActResult, Changed, InvalidForm, Page, Screen, Visit
from credence.sites.workbench.acting import acting_of
from credence.sites.workbench.adding import company_fields, company_in, said_of
from credence.sites.workbench.figures import address_of_company, amount_cell, band_cell, number_cell
from credence.sites.workbench.lists import address_of_list, portfolio_at
from credence.sites.workbench.one_list import PATH
from credence.sites.workbench.outlines import load_outlines
from credence.sites.workbench.reader import store_of
from credence.store.contract import Conflict
from credence.store.portfolios import Portfolio, WatchedCompany


async def read(visit: Visit) -> Page:
    """Return the form with the company's entry in the list."""
    portfolio, kept = await _kept(visit)
    known = await load_outlines(visit, [kept.company])
    seen = known.of[kept.company]
    facts = Facts(
        "Current report",
        [
            ("Report", Cell(seen.name or kept.company, address_of_company(kept.company))),
            ("Band", band_cell(seen.band)),
            ("Score", number_cell(seen.score)),
            ("Suggested limit", amount_cell(seen.limit)),
            ("Exposure", amount_cell(kept.exposure, kept.currency)),
        ],
    )
    tag = [("tag", _tag(kept))]
    change_form = Form("change", "Your details", "Save", fields=company_fields(kept), hidden=tag)
    end = Form(
        "remove",
        "Stop watching it",
        "Remove from the list",
        fields=(Field("sure", "Remove it", kind="box"),),
        hidden=tag,
        dangerous=True,
    )
    title = seen.name or kept.company
    return Page(
        title, [facts, *known.notes, change_form, end], "", above=(portfolio.name, address_of_list(portfolio.id))
    )


async def change(visit: Visit, values: Mapping[str, str]) -> ActResult:
    """Replace the company's entry in the list.

    Raises Changed if another person changed it since the form was opened.
    """
    portfolio, kept = await _kept(visit)
    company = company_in(values, kept.company)
    _require_unchanged(kept, values)
    await _exchange(visit, portfolio, kept, company)
    return ActResult("Company updated.")


async def remove(visit: Visit, values: Mapping[str, str]) -> ActResult:
    """Stop watching the company."""
    portfolio, kept = await _kept(visit)
    if not values.get("sure"):
        raise InvalidForm("Select the box to remove the company.", "sure")
    _require_unchanged(kept, values)
    await _exchange(visit, portfolio, kept, None)
    return ActResult("Removed.", next_url=address_of_list(portfolio.id))


async def _kept(visit: Visit) -> tuple[Portfolio, WatchedCompany]:
    portfolio = await portfolio_at(visit)
    number = normalise_or_none(visit.request.segments[1])
    kept = await store_of(visit).watched_company(portfolio.id, number) if number else None
    if kept is None:
        raise Refused(RESOURCE_UNKNOWN, "watched.unknown")
    return portfolio, kept


async def _exchange(visit: Visit, portfolio: Portfolio, kept: WatchedCompany, new: WatchedCompany | None) -> None:
    try:
        await exchange_in(acting_of(visit), portfolio.id, kept, new)
    except Conflict:
        raise _as_it_is((await _kept(visit))[1]) from None


def _require_unchanged(kept: WatchedCompany, values: Mapping[str, str]) -> None:
    if values.get("tag", "") != _tag(kept):
        raise _as_it_is(kept)


def _as_it_is(kept: WatchedCompany) -> Changed:
    return Changed(
        f"Someone else changed this company while you were working on it. Now {said_of(kept)}. "
        "If you save again, your version replaces it."
    )


def _tag(kept: WatchedCompany) -> str:
    return tag_of(msgspec.json.encode(kept))


LISTED_COMPANY = Screen(
    f"{PATH}/{{company}}",
    "Company of a list",
    MONITOR,
    read,
    (Act("change", MONITOR, change), Act("remove", MONITOR, remove)),
    listed=False,
)
