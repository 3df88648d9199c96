"""The filters of the book that a person keeps under names, by application: one shared value for each person.

They are deleted with the closing of the account, in the same transaction.
"""

from collections.abc import Mapping

import msgspec

from credence.store.shared_values import SharedValues
from credence.store.statements import Act, do

_FORGET = "DELETE FROM shared_values WHERE name = :name"


class SavedView(msgspec.Struct, frozen=True):
    """Filters under a name."""

    name: str
    filters: dict[str, str]
    """Parameter of the book's address -> its value."""


class SavedViews(msgspec.Struct, frozen=True):
    """The views of a person for one application; those for others stay with it."""

    username: str
    application: str
    version: int = 0
    """0 before the first one is saved."""
    every: Mapping[str, tuple[SavedView, ...]] = {}
    """client_id -> the views for this application, by name."""

    @property
    def views(self) -> tuple[SavedView, ...]:
        """The views for the application."""
        return self.every.get(self.application, ())

    def without(self, name: str) -> "SavedViews":
        """Return them without the view of a name."""
        return self._of([each for each in self.views if each.name != name])

    def having(self, view: SavedView) -> "SavedViews":
        """Return them with a view, which replaces one of the same name."""
        return self._of([*self.without(view.name).views, view])

    def _of(self, views: list[SavedView]) -> "SavedViews":
        ordered = tuple(sorted(views, key=lambda each: (each.name.casefold(), each.name)))
        every = {**self.every, self.application: ordered}
        return msgspec.structs.replace(self, every={owner: kept for owner, kept in every.items() if kept})


_decode = msgspec.json.Decoder(dict[str, tuple[SavedView, ...]]).decode


async def saved_views(store: SharedValues, username: str, application: str = "") -> SavedViews:
    """Return the views of a person: for an application, and in `every` for all."""
    version, document = await store.shared_value(_name(username)) or (0, b"{}")
    return SavedViews(username, application, version, _decode(document))


async def save_views(store: SharedValues, views: SavedViews) -> None:
    """Store the views of a person. Raises Conflict unless the stored version is the one before theirs."""
    await store.save_shared_value(_name(views.username), views.version, msgspec.json.encode(views.every))


def forget_views(username: str) -> Act[None]:
    """Delete the views of a person, as a part of a transaction."""
    yield do(_FORGET, name=_name(username))


def _name(username: str) -> str:
    return f"book views of {username}"
