"""Acts and forms of screens made from operations: fields, texts and buttons follow from each (D30, D41)."""

import re
from collections.abc import Mapping
from functools import partial
from typing import Any

import msgspec

from credence.errors import InvalidInput
from credence.operations.acting import Acting
from credence.operations.inputs import Member, body_of, choices_of, members_of
from credence.operations.operation import Operation
from credence.operations.perform import perform
from credence.refusals.credentials import INSUFFICIENT_AUTHENTICATION
from credence.refusals.refusal import Refused
from credence.refusals.requests import INTERNAL
from credence.refusals.resources import RESOURCE_UNKNOWN
from credence.web.resource_api.acting import Recording, means_of
from credence.web.screens.blocks import Field, Form
from credence.web.screens.screen import Act, Done, Visit, Wrong

_PLACE = re.compile(r"\{(\w+)\}")
_CONFIRM = "confirm"


def act_of(operation: Operation, path: str, needs: str = "") -> Act:
    """Return an operation as an act of the screen at a path. On a site without roles, `needs` is what all its acts need."""
    return Act(
        operation.slug,
        needs or operation.access.role,
        partial(_run, operation, path),
        grave=operation.access.recent,
    )


def form_of(operation: Operation, key: str = "", *, shows_command: bool = True) -> Form:
    """Return the form of an operation; without a key it has a field for it.

    The console shows the command that does the same.
    """
    fields = [] if key or operation.makes else [Field(operation.on.key, operation.on.key, required=True)]
    members = members_of(operation.typed) if operation.typed is not None else ()
    fields += [_field(each) for each in members if each.input.in_form]
    if operation.confirm:
        fields.append(Field(_CONFIRM, f"Type {operation.confirm.format(key=key)} to confirm", required=True))
    typed = [each.name.upper() for each in members if each.input.argument]
    command = " ".join(filter(None, ("credence", operation.name, key, *typed)))
    return Form(
        operation.slug,
        operation.title,
        operation.button,
        operation.text,
        command if shows_command else "",
        fields,
        dangerous=operation.dangerous,
    )


def _field(member: Member) -> Field:
    given = member.input
    options = given.choices or [(each, each) for each in choices_of(member)]
    default = "" if not isinstance(member.default, str | int) else str(member.default)
    return Field(
        member.name,
        member.label,
        default,
        given.hint or given.help,
        options,
        required=member.is_required,
        kind="box" if member.kind is bool else "line",
    )


def acting_on_site(visit: Visit) -> Acting:
    """Return the person of a visit, with their role in the console, or as the owner of what they made in the portal."""
    service, request, username = visit.service, visit.request, visit.account.username
    has_roles = visit.site.application.apart
    return Acting(
        means_of(service),
        lambda: request.now,
        username,
        Recording(service, request, username, visit.site.name),
        role=visit.account.console_role if has_roles else None,
        owns=None if has_roles else username,
        signed_in_at=visit.session.signed_in_at,
    )


async def _run(operation: Operation, path: str, visit: Visit, values: Mapping[str, str]) -> Done:
    """Do the operation that a form describes. Raises Wrong at the field that is not valid."""
    key = _key(operation, path, visit, values)
    if operation.confirm and values.get(_CONFIRM, "").strip() != operation.confirm.format(key=key):
        raise Wrong(f"Type {operation.confirm.format(key=key)} if you mean it.", _CONFIRM)
    members = [each for each in members_of(operation.typed) if each.input.in_form] if operation.typed else []
    body = _body(operation, members, values)
    try:
        outcome = await perform(operation, acting_on_site(visit), key, body)
    except InvalidInput as error:
        raise Wrong(str(error), members[0].name if len(members) == 1 else "") from None
    except Refused as refused:
        if refused.refusal in (RESOURCE_UNKNOWN, INSUFFICIENT_AUTHENTICATION, INTERNAL):
            raise
        raise Wrong(refused.refusal.message) from None
    said = outcome.said or f"{operation.title}: done."
    secret = next(((f"{name} of {key}", text) for name, text in outcome.once.items()), None)
    return Done(said if outcome.changed else f"{said} Nothing was changed.", secret)


def _key(operation: Operation, path: str, visit: Visit, values: Mapping[str, str]) -> str:
    if operation.makes:
        return ""
    places = _PLACE.findall(path)
    name = operation.on.key
    return visit.request.segments[places.index(name)] if name in places else values.get(name, "").strip()


def _body(operation: Operation, members: list[Member], values: Mapping[str, str]) -> Any:
    if operation.typed is None:
        return None
    given = {each.name: _typed(each, values.get(each.name, "")) for each in members}
    try:
        return body_of(operation.typed, {name: value for name, value in given.items() if value is not None})
    except msgspec.ValidationError as error:
        text, _, place = str(error).partition(" - at `$.")
        raise Wrong(f"{text.replace('Object', 'The form')}.", place.rstrip("`")) from None


def _typed(member: Member, text: str) -> object:
    """Return what a field has, or None for nothing."""
    if member.kind is bool:
        return bool(text)
    if member.kind is list:
        return text.split() or None
    return text.strip() or None
