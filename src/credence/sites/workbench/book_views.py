"""The saved views of the book's screen: the links that open them, and the forms that save and delete one."""

from collections.abc import Container, Mapping, Sequence
from urllib.parse import urlencode

from credence import paths
from credence.blocks.forms import Field, Form
from credence.blocks.text import visible
from credence.blocks.values import Block, Links
from credence.monitoring.book_selection import chosen_filters
from credence.oauth.parameters.scopes import MONITOR
from credence.operations.book_views import MAX_NAME, ViewBody, ViewName, delete_view, save_view
from credence.sites.kit.screen import Act, ActResult, InvalidForm, Visit
from credence.sites.workbench.acting import perform_here
from credence.sites.workbench.lists import offered_lists, with_names
from credence.sites.workbench.reader import reader_of, store_of
from credence.sites.workbench.texts import converted, text_in
from credence.store.saved_views import SavedView, saved_views

BOOK = f"{paths.WORKBENCH}/book"

_WRONG = {"name": f"A name has 1 to {MAX_NAME} characters."}


async def views_of(visit: Visit) -> tuple[SavedView, ...]:
    """Return the saved views of the person for the application of the visit."""
    return (await saved_views(store_of(visit), visit.account.username, reader_of(visit).client_id)).views


async def filtered_lists(visit: Visit, views: Sequence[SavedView]) -> dict[str, str]:
    """Return id -> name of the lists that the filter offers, with those that the query and the views name."""
    named = (visit.parameter("list"), *(each.filters.get("list", "") for each in views))
    return await with_names(visit, await offered_lists(visit), filter(None, named))


def view_links(views: Sequence[SavedView], lists: Container[str]) -> list[Block]:
    """Return the links that open the views, with the filters that still exist."""
    links = [(visible(each.name), address_of(chosen_filters(each.filters, lists))) for each in views]
    return [Links("Your views", links)] if links else []


def view_forms(visit: Visit, views: Sequence[SavedView], lists: Container[str]) -> list[Block]:
    """Return the form that saves the filters of the query; the one that deletes the view, if it is saved already."""
    chosen = chosen_filters(visit.request.parameters, lists)
    saved = [each.name for each in views if chosen_filters(each.filters, lists) == chosen]
    if saved:
        return [Form("delete-view", f"Your view {name}", "Delete view", hidden=[("name", name)]) for name in saved]
    field = Field("name", "Name", hint="A view of the same name is replaced.", required=True)
    return [Form("save-view", "Save these filters", "Save view", fields=(field,))] if chosen else []


def address_of(filters: Mapping[str, str]) -> str:
    """Return the address of the book with filters."""
    return f"{BOOK}?{urlencode(filters)}" if filters else BOOK


async def _save(visit: Visit, values: Mapping[str, str]) -> ActResult:
    filters = chosen_filters(visit.request.parameters, await filtered_lists(visit, ()))
    if not filters:
        raise InvalidForm("Choose a filter or an order first.")
    body = converted({"name": text_in(values, "name"), "filters": filters}, ViewBody, _WRONG)
    outcome = await perform_here(visit, save_view, visit.account.username, body, field="name")
    return ActResult(outcome.said, next_url=address_of(filters))


async def _delete(visit: Visit, values: Mapping[str, str]) -> ActResult:
    outcome = await perform_here(visit, delete_view, visit.account.username, ViewName(values.get("name", "")))
    return ActResult(outcome.said)


VIEW_ACTS = (Act("save-view", MONITOR, _save), Act("delete-view", MONITOR, _delete))
