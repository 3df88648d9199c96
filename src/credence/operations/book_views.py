"""The saved views of the book: a person keeps filters under a name, in the workbench."""

from collections.abc import Mapping
from functools import partial
from typing import Annotated, Final

from msgspec import Meta, Struct

from credence import paths
from credence.oauth.parameters.scopes import MONITOR
from credence.operations.acting import Access, Acting
from credence.operations.audit_changes import members_of
from credence.operations.operation import Change, Noun, as_it_is, operation
from credence.refusals.refusal import Refused, because
from credence.refusals.resources import RESOURCE_CHANGED
from credence.store.saved_views import SavedView, SavedViews, save_views, saved_views

MAX_VIEWS: Final = 30
"""How many views a person has for one application at most."""

MAX_NAME: Final = 60

_ONLY_THEM: Final = "A view belongs to the person who saves it; a program sends the filters themselves."
_FULL = because(RESOURCE_CHANGED, f"You have {MAX_VIEWS} saved views. Delete one before you save another.")


@members_of.register
def _of_views(views: SavedViews) -> Mapping[str, object]:
    return {"views": [each.name for each in views.views]}


async def _find(by: Acting, username: str) -> SavedViews | None:
    return await saved_views(by.means.store, username, by.owns or "") if username == by.operator else None


async def _save(by: Acting, _before: SavedViews | None, wanted: SavedViews) -> None:
    await save_views(by.means.store, wanted)


SAVED_VIEWS: Final[Noun[SavedViews]] = Noun(
    name="account",
    path="book/views/{username}",
    base=paths.MONITORING,
    help="The username.",
    find=_find,
    save=_save,
    state=as_it_is(SavedViews),
    identity=lambda views: views.username,
    is_found_by_owner=True,
    also_named=lambda views: {"application": views.application},
)
_operation = partial(
    operation,
    on=SAVED_VIEWS,
    access=Access(MONITOR, "owner", owner=True),
    here_only=_ONLY_THEM,
    site_only="workbench",
)


class ViewBody(Struct, frozen=True):
    """Filters and the name under which they are kept."""

    name: Annotated[str, Meta(min_length=1, max_length=MAX_NAME)]
    filters: dict[str, str]


class ViewName(Struct, frozen=True):
    """The name of a view."""

    name: str


@_operation("book view save", title="Save a view of the book")
async def save_view(_by: Acting, found: SavedViews, body: ViewBody) -> Change[SavedViews]:
    """Keep the filters of the book under a name. A view of the same name is replaced."""
    wanted = found.having(SavedView(body.name, body.filters))
    if len(wanted.views) > MAX_VIEWS:
        raise Refused(_FULL, "view.too_many")
    return Change(wanted, named={"view": body.name}, said="View saved.")


@_operation("book view delete", title="Delete a view of the book")
async def delete_view(_by: Acting, found: SavedViews, body: ViewName) -> Change[SavedViews]:
    """Delete a saved view. The customers stay as they are."""
    return Change(found.without(body.name), named={"view": body.name}, said="View deleted.")
