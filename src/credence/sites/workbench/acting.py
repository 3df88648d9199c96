"""Runs operations for the reader of the workbench, as forms of its screens."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import msgspec
from msgspec import Struct

from credence.api.resources.acting import Recording, means_of
from credence.api.resources.preconditions import tag_of
from credence.errors import InvalidInput
from credence.operations.acting import Acting
from credence.operations.operation import Operation
from credence.operations.perform import Outcome, Require, found, perform
from credence.refusals.credentials import INSUFFICIENT_SCOPE
from credence.refusals.refusal import Refused
from credence.refusals.resources import RESOURCE_CHANGED, RESOURCE_MALFORMED
from credence.sites.kit.screen import Changed, InvalidForm, Visit
from credence.sites.workbench.reader import reader_of
from credence.store.contract import Conflict

_SHOWN = frozenset(each.name for each in (INSUFFICIENT_SCOPE, RESOURCE_CHANGED, RESOURCE_MALFORMED))
"""The refusals that the form shows: the person can do something about them."""

TAG = "tag"
"""The hidden field of a form with the entity tag of what the person has read."""


async def perform_here(
    visit: Visit,
    operation: Operation,
    key: str,
    body: object,
    *,
    field: str = "",
    require_version: Require | None = None,
) -> Outcome:
    """Do an operation for the application of the reader. Raises InvalidForm as `in_form` does, Refused and Conflict."""
    with in_form(field):
        return await perform(operation, acting_of(visit), key, body, require_version=require_version)


@contextmanager
def in_form(field: str = "") -> Iterator[None]:
    """Raise InvalidForm for what the person can correct, at this field unless another member is at fault."""
    try:
        yield
    except InvalidInput as error:
        raise InvalidForm(str(error), error.member or field) from None
    except Refused as refused:
        if refused.refusal.name not in _SHOWN:
            raise
        raise InvalidForm(refused.refusal.message, field) from None


async def perform_as_read(
    visit: Visit,
    operation: Operation,
    key: str,
    body: object,
    values: Mapping[str, str],
    as_it_is: Callable[[Any], str],
) -> Outcome:
    """Do an operation on an object that must be as the form of these values showed it.

    Raises Changed with what `as_it_is` says of its present state if another person changed it since; else as `perform_here`.
    """

    def require_version(state: Struct) -> None:
        if values.get(TAG, "") != state_tag(state):
            raise Changed(as_it_is(state))

    try:
        return await perform_here(visit, operation, key, body, require_version=require_version)
    except Conflict:
        by = acting_of(visit)
        raise Changed(as_it_is(await operation.on.state(by, await found(operation.on, by, key)))) from None


def state_tag(state: Struct) -> str:
    """Return the entity tag of the state of an object, the same as in the API."""
    return tag_of(msgspec.json.encode(state))


def acting_of(visit: Visit) -> Acting:
    """Return the reader as a caller of operations, who acts on what the application has."""
    service, request, username = visit.service, visit.request, visit.account.username
    return Acting(
        means_of(service),
        lambda: request.now,
        username,
        Recording(service, request, username, visit.site.name),
        owns=reader_of(visit).client_id,
        signed_in_at=visit.session.signed_in_at,
    )
